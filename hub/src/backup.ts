// `backup` and `restore`: the whole installation as one file.
import { type CommandRun, withContext } from './commands.ts';
import { openContext } from './platform/context.ts';
import { restoreBackup } from './platform/db/backup/restore.ts';
import { writeBackup } from './platform/db/backup/write.ts';
import { rememberBackup } from './platform/installation.ts';
import { HUB_VERSION } from './version.ts';

/** Beside running hubs and without one. */
export function runBackup(
  run: CommandRun,
  options: { file: string; overwrite?: boolean },
): Promise<object> {
  return withContext(run, async ({ database, sealer }) => {
    const asked = { ...options, version: HUB_VERSION };
    const written = await writeBackup(database.connection, sealer, asked);
    await rememberBackup(database.db);
    return written;
  });
}

/** Into an empty database; needs the master key of the installation that the backup is of. */
export async function runRestore(run: CommandRun, { file }: { file: string }): Promise<object> {
  const context = await openContext(run.config, run.log);
  try {
    const restored = await restoreBackup(context.database, context.sealer, file);
    // Proves that the master key opens what is there now.
    await context.loadSecrets();
    return restored;
  } finally {
    await context.close();
  }
}
