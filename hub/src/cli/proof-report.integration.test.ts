// A signed report is verified as it was written, and no altered report is.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, hubConfig } from '../../../test/support/hub.ts';
import { type Context, openContext } from '../platform/context.ts';
import { openReportSigner } from '../platform/signed-reports.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runVerifyReport } from './proof-report.ts';

const KEY = randomBytes(32).toString('hex');
const log = createLog('silent');
const folder = mkdtempSync(join(tmpdir(), 'gw-report-'));
let url: string;
let context: Context;

beforeAll(async () => {
  url = await cloneDatabase();
  context = await openContext(hubConfig(url, KEY), log);
});
afterAll(async () => {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (at = url) => ({ config: hubConfig(at, KEY), log, stdin: process.stdin });
const report = () => join(folder, `${randomBytes(6).toString('hex')}.json`);

describe('signed report', () => {
  const signed = async () => {
    const signer = await openReportSigner(context.database.db, context.sealer);
    const text = signer.sign({ made_at: '2026-11-22T00:00:00.000Z', proved: false, rows: 7 });
    return { text, publicKey: signer.publicKey };
  };
  const judged = async (text: string, publicKey?: string) => {
    const file = report();
    writeFileSync(file, text);
    return runVerifyReport(run(), { file, publicKey });
  };

  test('verifies with the installation, and with its public key without a database', async () => {
    const { text, publicKey } = await signed();
    expect(await judged(text)).toMatchObject({ ok: true, authentic: true });
    const file = report();
    writeFileSync(file, text);
    const nowhere = run('postgresql://nobody@127.0.0.1:1/none');
    expect(await runVerifyReport(nowhere, { file, publicKey })).toMatchObject({ ok: true });
    const stdin = Readable.from([text]);
    const piped = runVerifyReport({ ...nowhere, stdin }, { file: '-', publicKey });
    expect(await piped).toMatchObject({ ok: true });
  });

  test.each<[string, (text: string) => string]>([
    ['a result turned', (text) => text.replace('false', 'true')],
    ['a number changed', (text) => text.replace('7', '8')],
    ['a second spelling', (text) => text.replace('{', '{ ')],
    ['a name twice', (text) => text.replace('"proved"', '"proved": true, "proved"')],
    ['something beside it', (text) => text.replace('"report"', '"proved": true, "report"')],
    ['a signature cut short', (text) => text.replace(/"signature": "..../, '"signature": "')],
    ['nothing of it', () => 'null'],
  ])('rejects a report with %s', async (_name, edit) => {
    const { text } = await signed();
    expect(edit(text)).not.toBe(text);
    expect(await judged(edit(text))).toMatchObject({ ok: false, authentic: false });
  });

  test('rejects a report of another installation', async () => {
    const other = await openContext(hubConfig(await cloneDatabase(), KEY), log);
    try {
      const signer = await openReportSigner(other.database.db, other.sealer);
      expect(await judged(signer.sign({ proved: true }))).toMatchObject({
        authentic: false,
        detail: 'it was signed with another key',
      });
    } finally {
      await other.close();
    }
  });
});
