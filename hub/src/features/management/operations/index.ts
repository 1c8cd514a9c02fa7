// Operations: idempotent creations and recoverable configuration writes.
// Start reading at once.ts, then configuration-write.ts.
import type { Db } from '../../../platform/db/database.ts';
import { REPLAY_HOURS } from './once.ts';
import { eraseOldAnswers, forgetOperations } from './store.ts';

export {
  type Apply,
  configurationWrite,
  findThenMatch,
  SEALED_INPUTS,
  sealInput,
  type WriteCall,
  type Written,
} from './configuration-write.ts';
export { createOnce, SEALED_ANSWERS, writtenOnce } from './once.ts';
export { operationRoutes } from './routes.ts';

/** Deletes expired responses and operations. */
export async function tidyOperations(db: Db): Promise<void> {
  await eraseOldAnswers(db, REPLAY_HOURS);
  await forgetOperations(db);
}
