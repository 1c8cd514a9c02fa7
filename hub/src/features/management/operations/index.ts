// Operations: idempotent creations and configuration writes, for the features that make them.
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

/** Erases answers that may not be replayed any more, and operations that nobody asks for. */
export async function tidyOperations(db: Db): Promise<void> {
  await eraseOldAnswers(db, REPLAY_HOURS);
  await forgetOperations(db);
}
