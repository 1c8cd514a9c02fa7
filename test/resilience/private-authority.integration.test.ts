// Commands that meet a certificate of a private authority name NODE_EXTRA_CA_CERTS as the next step.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasOpenssl, startTlsHub } from '@gatewarden/agent/test/tls-hub.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDoctor } from '../../hub/src/cli/doctor.ts';
import { readConfig } from '../../hub/src/platform/config/config.ts';
import { createLog } from '../../hub/src/platform/telemetry/log.ts';
import { sharedTestHub } from '../support/hub.ts';
import { HUB_MAIN, runCommand } from '../support/programs.ts';

const COLLECT_MAIN = join(import.meta.dirname, '../../collector/src/main.ts');
const ADVICE = 'for a private CA set NODE_EXTRA_CA_CERTS=FILE';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-private-authority-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(hasOpenssl)('private authority', () => {
  it('ends a collection with --once, and names the variable', async () => {
    const { url } = await startTlsHub({ error: { code: 'forbidden', message: 'no' } });
    const env = { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: 'gwl_key' };
    const args = ['--url', url, '--once'];
    const refused = await runCommand(COLLECT_MAIN, args, env);
    expect(refused.code).toBe(3);
    expect(refused.problem).toContain(ADVICE);
  });

  it('explains a failed comparison with --url', async () => {
    const { url, caFile } = await startTlsHub({});
    const file = join(folder, 'tenant.yaml');
    writeFileSync(file, 'format: gatewarden-tenant/v1\n');
    const env = {
      ...process.env,
      GATEWARDEN_MANAGEMENT_KEY: 'gwm_key',
      HUB_DATA_DIR: join(folder, 'none'),
    };
    const args = ['diff', file, '--url', url];
    const refused = await runCommand(HUB_MAIN, args, env);
    expect(refused.code).toBe(3);
    expect(refused.problem).toContain(ADVICE);
    const trusted = await runCommand(HUB_MAIN, args, { ...env, NODE_EXTRA_CA_CERTS: caFile });
    expect(trusted.problem).not.toContain('certificate');
  });

  it('explains a login provider that doctor cannot verify', async () => {
    const { url } = await startTlsHub({});
    const hub = await sharedTestHub();
    const { login } = readConfig({ LOGIN_ISSUER: url, LOGIN_CLIENT_ID: 'gatewarden' });
    const { checks } = await runDoctor({
      config: { ...hub.config, login },
      log: createLog('silent'),
      stdin: process.stdin,
    });
    const check = checks.find(({ name }) => name === 'login provider');
    expect(check).toMatchObject({ ok: false, detail: expect.stringContaining(ADVICE) });
    await hub.stop();
  });
});
