// Up to where collectors have read: gathered and written now and then, because no page should wait for it.
import type { Logger } from 'pino';
import { type Db, isDatabaseAway } from '../../../platform/db/database.ts';
import { type Micros, microsText } from '../rows/index.ts';
import { type ReadMark, recordReads } from './store.ts';

const FLUSH_MS = 2_000;

export interface ReadMarks {
  read(key: { tenantId: string; keyId: string }, upTo: Micros): void;
  stop(): Promise<void>;
}

export function createReadMarks(db: Db, log: Logger): ReadMarks {
  let waiting = new Map<string, ReadMark>();
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (waiting.size === 0) return;
    const marks = [...waiting.values()];
    waiting = new Map();
    await recordReads(db, marks).catch((error: unknown) => {
      log[isDatabaseAway(error) ? 'debug' : 'error'](
        { err: error },
        'marks of collectors were lost',
      );
    });
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, FLUSH_MS);
  timer.unref();
  return {
    read({ tenantId, keyId }, upTo) {
      waiting.set(keyId, {
        tenant_id: tenantId,
        key_id: keyId,
        at: new Date().toISOString(),
        read_up_to: microsText(upTo),
      });
    },
    async stop() {
      clearInterval(timer);
      await flushing.then(flush);
    },
  };
}
