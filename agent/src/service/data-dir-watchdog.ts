// Detects files of the data folder that are removed or replaced while the service runs (by a cleaner, a mistake, a
// restored copy): recovery copies are written first, and then the service restarts over the restored files.
import { join } from 'node:path';
import { messageOf } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { identityOf } from '../store/open-file-watchdog.ts';

/** Files that are open for as long as the service runs. Without its lock a second agent could start. */
const FILES = ['agent.db', 'agent.db-wal', 'quarantine.db', 'agent.lock'];

/**
 * Returns a function that checks the files once. `save` writes recovery copies, and `displaced` is called after that:
 * while the disk has no room for them, the service continues with its open files.
 */
export function createDataDirWatchdog(options: {
  dataDir: string;
  save: () => void;
  displaced: () => void;
  log: Log;
}): () => void {
  const { dataDir, save, displaced, log } = options;
  const look = () => FILES.map((name) => identityOf(join(dataDir, name)));
  const atStart = look();
  let before = atStart;
  let reported: 'nothing' | 'loss' | 'trouble' = 'nothing';
  return () => {
    const now = look();
    // A file counts as removed at its second absence: some file systems change inode numbers now and then.
    const gone = FILES.filter(
      (_, at) => atStart[at] !== null && now[at] !== atStart[at] && now[at] === before[at],
    );
    before = now;
    if (gone.length === 0 || reported === 'loss') return;
    try {
      save();
    } catch (error) {
      if (reported === 'nothing') {
        log.error(
          { gone, reason: messageOf(error) },
          'files of the data folder are gone or others lie there, and their content cannot be saved yet',
        );
      }
      reported = 'trouble';
      return;
    }
    reported = 'loss';
    log.error(
      { gone },
      'files of the data folder are gone or others lie there: their content is put in place again',
    );
    displaced();
  };
}
