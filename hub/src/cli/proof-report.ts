// The signed report of a proof as a file: where it goes, and whether one is as it was signed.
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { ConfigError } from '../platform/config/config.ts';
import { checkReport, openReportSigner } from '../platform/signed-reports.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

export interface ReportAnswer {
  ok: boolean;
  authentic: boolean;
  detail: string;
}

/** In place of a file: from a container without a shell nothing else gets out. */
const STREAM = '-';

/** A file of its own for each proof. Throws ConfigError where none can be written, which is better known before. */
export function reportPath(wanted: string, now: Date): string {
  if (wanted === STREAM) return wanted;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const isFolder = statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = resolve(isFolder ? join(wanted, `gatewarden-proof-${stamp}.json`) : wanted);
  if (existsSync(path))
    throw new ConfigError(`${path} is there already: give the report a new name`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return path;
}

/** For its owner alone: it names tenants. */
export function writeReport(path: string, text: string): void {
  if (path === STREAM) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): ConfigError {
  return new ConfigError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`);
}

/** By the installation's key, or by the one given, for which no database is needed. */
export async function runVerifyReport(
  run: CommandRun,
  { file, publicKey }: { file: string; publicKey?: string | undefined },
): Promise<ReportAnswer> {
  // Not by `/dev/stdin`: another user's pipe cannot be opened anew.
  const read = file === STREAM ? textOf(run.stdin) : readFile(file, 'utf8');
  const text = await read.catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file} cannot be read (${error.code})`);
  });
  const key =
    publicKey ??
    (await withContext(
      run,
      async ({ database: { db }, sealer }) => (await openReportSigner(db, sealer)).publicKey,
    ));
  const verdict = checkReport(text, key);
  if (!verdict.authentic) return { ok: false, authentic: false, detail: verdict.reason };
  const { made_at: madeAt, proved } = verdict.report;
  const says = proved === true ? 'proved' : 'not proved';
  return { ok: true, authentic: true, detail: `as it was signed: ${says} at ${String(madeAt)}` };
}
