// A configuration write keeps what it means to do before it does it: where the outcome stays unknown, the operation can
// be asked for and carried out again, unless the app was changed since.
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

/** What is kept of a write so that it can be done again. */
export interface WriteInput {
  params: Record<string, string>;
  body: unknown;
  ifMatch: string | undefined;
}

/** Who writes, and what: as a request gives it and as an operation keeps it. */
export interface WriteCall extends WriteInput {
  principal: Principal;
  requestId: string;
  /** A recovery: what was changed since is told before what is not there any more. */
  isAgain?: true;
}

/**
 * The order in which a write tells what is wrong: what its path names is not there, then If-Match. Carried out again it
 * is the other way round, for what is gone by now was taken away by a later change. Throws as `find` and `match` do.
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

/** What a write did. */
export interface Written<Result> {
  result: Result;
  /** What gateway nodes have to learn of; nothing where nothing would change: then the operation leaves no trace. */
  announce: readonly ChangedItem[];
}

export type Apply<Result> = (tx: Tx, call: WriteCall) => Promise<Written<Result>>;

export interface WriteTools {
  db: Db;
  sealer: Sealer;
}

const keepers = new WeakMap<Db, BatchLoader<NewOperation, void>>();

/** Writes of the same moment are kept by one statement: each waits for the disk, and so they wait together. */
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

/** The announcement comes last: all who write wait for it. */
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
  /** Null where it had been completed before. */
  result: unknown;
}

/**
 * Carries a pending operation out again. One that was completed meanwhile is told as such. Throws 404,
 * `operation_superseded` where the app was changed since, `operation_not_recoverable` for what is repeated instead.
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
      // The first attempt may have been done in this very moment.
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
