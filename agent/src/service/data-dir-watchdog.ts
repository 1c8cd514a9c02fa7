// What somebody takes away of the data folder while the service runs (a cleaner, a hand that slipped, a restored copy) is
// noticed: what is open is saved first, and then the service begins again over the files in their places.
import { join } from 'node:path';
import { messageOf } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { identityOf } from '../store/open-file-watchdog.ts';

/** What is open for as long as the service runs. Without its lock a second agent could start. */
const FILES = ['agent.db', 'agent.db-wal', 'quarantine.db', 'agent.lock'];

/**
 * The answer is one look at the files that are there now. `save` writes what would be lost beside its place, `displaced` is
 * called once that is done: as long as there is no room for it, the service goes on with what it has open.
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
    // Said twice: of a file system that gives a file another number now and then nothing is believed.
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
