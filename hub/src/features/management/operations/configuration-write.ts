// Recoverable configuration writes: the intended change is stored before it is made. If its outcome is unknown, the
// operation can be queried and repeated, unless the app was changed since.
import { randomUUID } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type BatchLoader, createBatchLoader } from '../../../platform/db/batch-loader.ts';
import { type Db, isDatabaseAway, type Tx, transact } from '../../../platform/db/database.ts';
import {
  announceConfiguration,
  type ChangedItem,
} from '../../../platform/feed/configuration-feed.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError, toHubError } from '../../../platform/http/errors/errors.ts';
import type { Call, Principal } from '../auth/index.ts';
import { finishedByRecovery, givenUpByRecovery, writtenOnce } from './once.ts';
import {
  deleteOperation,
  endOperation,
  insertOperations,
  type NewOperation,
  selectOperation,
} from './store.ts';

/** The stored input of a write, to repeat it. */
export interface WriteInput {
  params: Record<string, string>;
  body: unknown;
  ifMatch: string | undefined;
}

/** The author and the input of a write, from a request or from a stored operation. */
export interface WriteCall extends WriteInput {
  principal: Principal;
  requestId: string;
  /** In a recovery, a later change is reported before a missing resource. */
  isAgain?: true;
}

/**
 * The order of errors of a write: a missing resource of its path, then If-Match. A recovery uses the opposite order,
 * because a later change removed the resource. Throws like `find` and `match`.
 */
export async function findThenMatch<Found>(
  call: WriteCall,
  find: () => Promise<Found>,
  match: () => void,
): Promise<Found> {
  if (call.isAgain === true) match();
  const found = await find();
  match();
  return found;
}

/** The result of a write. */
export interface Written<Result> {
  result: Result;
  /** The changes that gateway nodes need; empty if nothing would change: then the operation leaves no trace. */
  announce: readonly ChangedItem[];
}

export type Apply<Result> = (tx: Tx, call: WriteCall) => Promise<Written<Result>>;

export interface WriteTools {
  db: Db;
  sealer: Sealer;
}

const keepers = new WeakMap<Db, BatchLoader<NewOperation, void>>();

/** Simultaneous writes are stored by a single statement, so that they share the wait for the disk. */
function keepFor(db: Db): BatchLoader<NewOperation, void> {
  let keep = keepers.get(db);
  if (keep === undefined) {
    keep = createBatchLoader(async (many) => {
      await insertOperations(db, many);
      return [];
    });
    keepers.set(db, keep);
  }
  return keep;
}

export async function configurationWrite<Result>(
  { db, sealer }: WriteTools,
  kind: string,
  call: WriteCall,
  apply: Apply<Result>,
): Promise<Result> {
  const { tenantId } = call.principal;
  const operationId = randomUUID();
  await keepFor(db)({
    tenantId,
    operationId,
    principal: call.principal.id,
    kind,
    requestId: call.requestId,
    sealedInput: sealInput(sealer, tenantId, operationId, call),
  });
  try {
    return await transact(db, async (tx) => {
      const { result, announce } = await apply(tx, call);
      if (announce.length === 0) {
        await deleteOperation(tx, tenantId, operationId);
        return result;
      }
      await complete(tx, { tenantId, operationId }, announce);
      return result;
    });
  } catch (error) {
    if (isDatabaseAway(error)) {
      throw new HubError('operation_pending', undefined, { operationId });
    }
    await deleteOperation(db, tenantId, operationId).catch(() => undefined);
    throw error;
  }
}

/** The announcement is last, because all writers wait for it. */
async function complete(
  tx: Tx,
  { tenantId, operationId }: { tenantId: string; operationId: string },
  announce: readonly ChangedItem[],
): Promise<void> {
  await endOperation(tx, tenantId, operationId, 'completed');
  if (announce.length > 0) await announceConfiguration(tx, tenantId, announce);
}

export function sealInput(
  sealer: Sealer,
  tenantId: string,
  operationId: string,
  { params, body, ifMatch }: WriteInput,
): string {
  const input = JSON.stringify({ params, body, ifMatch });
  return sealer.seal(input, inputPlace(tenantId, operationId));
}

export const SEALED_INPUTS: SealedColumn = {
  table: 'operations',
  column: 'sealed_input',
  key: ['tenant_id', 'operation_id'],
};

function inputPlace(tenantId: string, operationId: string): string {
  return locationOf(SEALED_INPUTS, [tenantId, operationId]);
}

export interface Recovered {
  operation_id: string;
  state: 'completed';
  /** Null if the operation was completed before. */
  result: unknown;
}

/**
 * Repeats a pending operation. An operation that was completed meanwhile is reported as such. Throws 404,
 * `operation_superseded` if the app was changed since, `operation_not_recoverable` for an operation that a client
 * repeats instead.
 */
export async function recoverOperation(
  { db, sealer }: WriteTools,
  writes: Readonly<Record<string, Apply<unknown>>>,
  call: Pick<Call, 'principal' | 'requestId'>,
  operationId: string,
): Promise<Recovered> {
  const { tenantId } = call.principal;
  const read = () => selectOperation(db, tenantId, call.principal.id, operationId);
  const operation = await read();
  if (operation === null) throw new HubError('not_found');
  const completed: Recovered = { operation_id: operationId, state: 'completed', result: null };
  if (operation.state === 'completed') return completed;
  if (operation.state === 'superseded') throw new HubError('operation_superseded');
  const apply = writes[operation.kind];
  if (operation.sealed_input === null || apply === undefined) {
    throw new HubError('operation_not_recoverable');
  }
  const began = { tenantId, principal: call.principal.id, operation: operation.kind, operationId };
  const input = JSON.parse(
    sealer.unseal(operation.sealed_input, inputPlace(tenantId, operationId)),
  ) as WriteInput;
  try {
    return await transact(db, async (tx) => {
      const { principal, requestId } = call;
      const again: WriteCall = { ...input, principal, requestId, isAgain: true };
      const { result, announce } = await apply(tx, again);
      const written = result as { app?: { version: string }; warnings?: unknown[] };
      if (written.app !== undefined) {
        const answered = writtenOnce({ ...written, app: written.app }, operationId);
        const body = { ...answered.body, request_id: requestId };
        await finishedByRecovery(tx, sealer, began, { ...answered, body });
      }
      await complete(tx, { tenantId, operationId }, announce);
      return { ...completed, result };
    });
  } catch (error) {
    const known = toHubError(error);
    if (known.code === 'precondition_failed') {
      // The first attempt may have completed in this moment.
      if ((await read())?.state === 'completed') return completed;
      await endOperation(db, tenantId, operationId, 'superseded');
      await givenUpByRecovery(db, began);
      throw new HubError('operation_superseded');
    }
    if (ERRORS[known.code].status < 500) {
      await endOperation(db, tenantId, operationId, 'failed');
      await givenUpByRecovery(db, began);
    }
    throw error;
  }
}
