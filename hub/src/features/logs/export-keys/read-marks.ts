// Read marks: the time up to which each collector has read.
import type { Logger } from 'pino';
import type { Db } from '../../../platform/db/database.ts';
import { createWriteBehindBuffer } from '../../../platform/db/write-behind-buffer.ts';
import { type Micros, microsText } from '../events/index.ts';
import { type ReadMark, recordReads } from './store.ts';

export interface ReadMarks {
  read(key: { tenantId: string; keyId: string }, upTo: Micros): void;
  stop(): Promise<void>;
}

/** Creates the write-behind buffer of read marks. */
export function createReadMarks(db: Db, log: Logger): ReadMarks {
  const marks = createWriteBehindBuffer<ReadMark>({
    log,
    description: 'marks of collectors',
    write: (values) => recordReads(db, values),
  });
  return {
    read({ tenantId, keyId }, upTo) {
      marks.put(keyId, {
        tenant_id: tenantId,
        key_id: keyId,
        at: new Date().toISOString(),
        read_up_to: microsText(upTo),
      });
    },
    stop: marks.stop,
  };
}
