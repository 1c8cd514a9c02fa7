// `backup` and `restore`: the whole installation as one file, or as a stream where the file shall lie elsewhere.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bytesText } from '@gatewarden/shared/cli/progress.ts';
import { HUB_VERSION } from '../app/version.ts';
import { ConfigError } from '../platform/config/config.ts';
import { openContext } from '../platform/context.ts';
import { restoreBackup } from '../platform/db/backup/restore.ts';
import { writeBackup } from '../platform/db/backup/write.ts';
import { storeBackupTime } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

/** In place of a file: standard output and input. From a container without a shell nothing else gets out. */
export const STREAM = '-';

/** Beside running hubs and without one. */
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
        ? await besides(async (file) => {
            const { file: _besides, ...whole } = await write(file);
            await pipeline(createReadStream(file), process.stdout, { end: false }).catch(() => {
              throw new ConfigError('standard output ended before the backup was out');
            });
            return whole;
          })
        : await write(options.file);
    await storeBackupTime(database.db);
    return written;
  });
}

/** Into an empty database; needs the master key of the installation that the backup is of. */
export async function runRestore(run: CommandRun, { file }: { file: string }): Promise<object> {
  const context = await openContext(run.config, run.log);
  try {
    const restore = (from: string) =>
      restoreBackup(context.database, context.sealer, from, ({ table, tables, rows }) =>
        run.progress?.report(`restore: table ${table} of ${tables}, ${rows} rows`),
      );
    const restored =
      file === STREAM
        ? await besides(async (kept) => {
            await pipeline(run.stdin, createWriteStream(kept, { mode: 0o600, flags: 'wx' }));
            return restore(kept).catch((error: unknown) => {
              if (!(error instanceof ConfigError)) throw error;
              throw new ConfigError(error.message.replaceAll(kept, 'standard input'));
            });
          })
        : await restore(file);
    // Proves that the master key opens what is there now.
    await context.loadSecrets();
    return restored;
  } finally {
    await context.close();
  }
}

/** A file of its own for the time being: a backup is looked at whole before anything is done with it. */
async function besides<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatewarden-backup-'));
  try {
    return await work(join(folder, 'backup'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
