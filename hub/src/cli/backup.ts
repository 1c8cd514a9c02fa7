// `backup` and `restore`: write the complete installation to a file or a stream, and read it back.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bytesText } from '@gatewarden/shared/cli/progress.ts';
import { HUB_VERSION } from '../app/version.ts';
import { ConfigError } from '../platform/config/config.ts';
import { type Context, openContext } from '../platform/context.ts';
import { inspectBackup, restoreBackup } from '../platform/db/backup/restore.ts';
import { writeBackup } from '../platform/db/backup/write.ts';
import { storeBackupTime } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

/** The file name that means standard output and standard input, which also work in a container without a shell. */
export const STREAM = '-';

/** Writes a backup; hubs may run meanwhile. Returns the size and the tables. */
export function runBackup(
  run: CommandRun,
  options: { file: string; overwrite?: boolean },
): Promise<object> {
  return withContext(run, async ({ database, sealer }) => {
    const write = (file: string) =>
      writeBackup(database.connection, sealer, {
        ...options,
        ...{ file, version: HUB_VERSION },
        onProgress: ({ table, tables, bytes }) =>
          run.progress?.report(`backup: table ${table} of ${tables}, ${bytesText(bytes)}`),
      });
    const written =
      options.file === STREAM
        ? await withTemporaryFile(async (file) => {
            const { file: _temporary, ...answer } = await write(file);
            await pipeline(createReadStream(file), process.stdout, { end: false }).catch(() => {
              throw new ConfigError('standard output ended before the backup was out');
            });
            return answer;
          })
        : await write(options.file);
    await storeBackupTime(database.db);
    return written;
  });
}

/**
 * Restores a backup into an empty database, with the master key of the backup's installation. With `dryRun`, makes all checks
 * of the file and the database, and changes nothing.
 */
export async function runRestore(
  run: CommandRun,
  { file, dryRun }: { file: string; dryRun?: boolean },
): Promise<object> {
  const context = await openContext(run.config, run.log);
  try {
    if (file !== STREAM) return await restoreFile(run, context, { file, dryRun });
    return await withTemporaryFile(async (copy) => {
      await pipeline(run.stdin, createWriteStream(copy, { mode: 0o600, flags: 'wx' }));
      return restoreFile(run, context, { file: copy, dryRun }).catch((error: unknown) => {
        if (!(error instanceof ConfigError)) throw error;
        throw new ConfigError(error.message.replaceAll(copy, 'standard input'));
      });
    });
  } finally {
    await context.close();
  }
}

async function restoreFile(
  run: CommandRun,
  context: Context,
  { file, dryRun }: { file: string; dryRun: boolean | undefined },
): Promise<object> {
  const { database, sealer } = context;
  if (dryRun === true) {
    const { made_at, version, tables } = (await inspectBackup(database, sealer, file)).header;
    return { dry_run: true, would_restore: { made_at, version, tables: tables.length } };
  }
  const restored = await restoreBackup(database, sealer, file, ({ table, tables, rows }) =>
    run.progress?.report(`restore: table ${table} of ${tables}, ${rows} rows`),
  );
  // Loading the secrets proves that the master key opens the restored rows.
  await context.loadSecrets();
  return restored;
}

/** Runs the work with a temporary file, because a backup is verified completely before it is used. */
async function withTemporaryFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatewarden-backup-'));
  try {
    return await work(join(folder, 'backup'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
