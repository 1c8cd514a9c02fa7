// Idempotent creation. A key is claimed first, under a lease; resource, audit event and the finished record commit in
// one transaction, so that a repeat after a crash takes over and never creates a second resource.
import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, isDatabaseAway, type Tx, transact } from '../../../platform/db/database.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError, toHubError } from '../../../platform/http/errors/errors.ts';
import type { Answered, Call } from '../auth/index.ts';
import {
  type Claim,
  type ClaimKey,
  deleteClaim,
  deleteOperation,
  endLease,
  endOperation,
  finishClaim,
  insertClaim,
  insertOperations,
  selectClaim,
  selectOpenClaim,
  takeOverClaim,
} from './store.ts';

/** The lease of a process before a repeat takes over. */
const LEASE_SECONDS = 10;
export const REPLAY_HOURS = 24;

interface Once {
  db: Db;
  sealer: Sealer;
}

type AnyCall = Pick<Call, 'principal' | 'requestId' | 'idempotencyKey' | 'path' | 'body'>;

/**
 * Runs `create` once for this key and request of this principal; a repeat has the same response, byte for byte, for 24
 * hours. `recoverable`: the stored input of a configuration write. Throws `idempotency_conflict`,
 * `idempotency_key_expired`, `operation_pending`, and the errors of `create`, which are not recorded.
 */
export async function createOnce(
  { db, sealer }: Once,
  call: AnyCall,
  what: { operation: string; sealedInput?: (operationId: string) => string },
  create: (tx: Tx, operationId: string) => Promise<Answered>,
): Promise<Answered> {
  const key: ClaimKey = {
    tenantId: call.principal.tenantId,
    principal: call.principal.id,
    operation: what.operation,
    keyHash: sha256(call.idempotencyKey),
  };
  const fingerprint = sha256(canonicalize({ body: call.body, path: call.path }) ?? '');
  const claimResult = await claim(db, { ...key, fingerprint }, call, what);
  if ('replay' in claimResult) return open(sealer, key, claimResult.replay);
  return carryOut({ db, sealer }, { ...key, ...claimResult, requestId: call.requestId }, create);
}

interface Lease {
  holder: string;
  operationId: string;
}

async function claim(
  db: Db,
  wanted: ClaimKey & { fingerprint: Buffer },
  call: AnyCall,
  what: { operation: string; sealedInput?: (operationId: string) => string },
): Promise<Lease | { replay: { status: number; sealedAnswer: string } }> {
  const { tenantId } = wanted;
  const lease: Lease = { holder: randomUUID(), operationId: randomUUID() };
  const fresh: Claim = { ...wanted, ...lease, leaseSeconds: LEASE_SECONDS };
  const isNew = await transact(db, async (tx) => {
    if (!(await insertClaim(tx, fresh))) return false;
    await insertOperations(tx, [
      {
        tenantId,
        operationId: lease.operationId,
        principal: call.principal.id,
        kind: what.operation,
        requestId: call.requestId,
        sealedInput: what.sealedInput?.(lease.operationId) ?? null,
      },
    ]);
    return true;
  });
  if (isNew) return lease;
  const found = await selectClaim(db, wanted, REPLAY_HOURS);
  // The holder released it in between: as if it was never used.
  if (found === null) throw new HubError('operation_pending');
  if (!found.fingerprint.equals(wanted.fingerprint)) throw new HubError('idempotency_conflict');
  if (found.finished) {
    if (found.expired || found.sealed_answer === null) {
      throw new HubError('idempotency_key_expired');
    }
    return { replay: { status: found.status ?? 201, sealedAnswer: found.sealed_answer } };
  }
  const pending = () => {
    throw new HubError('operation_pending', undefined, { operationId: found.operation_id });
  };
  if (found.is_leased) return pending();
  const { holder } = lease;
  const taken = await takeOverClaim(db, {
    ...wanted,
    from: found.holder,
    holder,
    leaseSeconds: LEASE_SECONDS,
  });
  return taken ? { holder, operationId: found.operation_id } : pending();
}

async function carryOut(
  { db, sealer }: Once,
  claimed: ClaimKey & Lease & { requestId: string },
  create: (tx: Tx, operationId: string) => Promise<Answered>,
): Promise<Answered> {
  const { tenantId, operationId } = claimed;
  try {
    return await transact(db, async (tx) => {
      const made = await create(tx, operationId);
      const answered: Answered = {
        ...made,
        status: made.status ?? 201,
        body: { ...made.body, request_id: claimed.requestId },
      };
      const finished = await finishClaim(tx, {
        ...claimed,
        status: answered.status ?? 201,
        sealedAnswer: sealer.seal(JSON.stringify(answered), placeOf(claimed)),
      });
      if (!finished) throw new HubError('operation_pending', undefined, { operationId });
      await endOperation(tx, tenantId, operationId, 'completed');
      return answered;
    });
  } catch (error) {
    const { status } = ERRORS[toHubError(error).code];
    if (status < 500) {
      await deleteClaim(db, claimed);
      await deleteOperation(db, tenantId, operationId);
      // A recovery completed the write while this request waited for it.
      const left = await selectClaim(db, claimed, REPLAY_HOURS);
      if (left?.operation_id === operationId && left.sealed_answer !== null) {
        return open(sealer, claimed, {
          status: left.status ?? 201,
          sealedAnswer: left.sealed_answer,
        });
      }
      throw error;
    }
    // The commit may have succeeded, or the error is internal: a repeat finds out.
    await endLease(db, claimed).catch(() => undefined);
    if (!isDatabaseAway(error)) throw error;
    throw new HubError('operation_pending', undefined, { operationId });
  }
}

/** Returns the response of a configuration write under an Idempotency-Key, in its own request or after a recovery. */
export function writtenOnce(
  result: { app: { version: string }; warnings?: unknown[] },
  operationId: string,
): Answered {
  const body = { ...result, warnings: result.warnings ?? [] };
  return {
    status: 200,
    etag: result.app.version,
    body: { ...body, operation_id: operationId, state: 'completed' },
  };
}

type Began = Omit<ClaimKey, 'keyHash'> & { operationId: string };

/**
 * Stores the response of a recovered write under its Idempotency-Key: a repeat of the request gets it, and changes
 * nothing.
 */
export async function finishedByRecovery(
  tx: Tx,
  sealer: Sealer,
  began: Began,
  answered: Answered,
): Promise<void> {
  const found = await selectOpenClaim(tx, began);
  if (found === null) return;
  const claim = { ...began, keyHash: found.key_hash, holder: found.holder };
  const sealedAnswer = sealer.seal(JSON.stringify(answered), placeOf(claim));
  await finishClaim(tx, { ...claim, status: answered.status ?? 200, sealedAnswer });
}

/** Releases the Idempotency-Key after a refused recovery: it may be used for another operation. */
export async function givenUpByRecovery(db: Db, began: Began): Promise<void> {
  const found = await selectOpenClaim(db, began);
  if (found === null) return;
  await deleteClaim(db, { ...began, keyHash: found.key_hash, holder: found.holder });
}

function open(
  sealer: Sealer,
  key: ClaimKey,
  replay: { status: number; sealedAnswer: string },
): Answered {
  return JSON.parse(sealer.unseal(replay.sealedAnswer, placeOf(key))) as Answered;
}

export const SEALED_ANSWERS: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_answer',
  key: ['tenant_id', 'principal', 'operation', 'key_hash'],
};

function placeOf({ tenantId, principal, operation, keyHash }: ClaimKey): string {
  return locationOf(SEALED_ANSWERS, [tenantId, principal, operation, keyHash.toString('hex')]);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
