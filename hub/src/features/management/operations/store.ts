// SQL of operations and idempotency keys.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

export type OperationState = 'pending' | 'completed' | 'failed' | 'superseded';

export interface Operation {
  operation_id: string;
  kind: string;
  state: OperationState;
  sealed_input: string | null;
  created_at: Date;
}

export interface NewOperation {
  tenantId: string;
  operationId: string;
  principal: string;
  kind: string;
  requestId: string;
  sealedInput: string | null;
}

export async function insertOperations(db: Db, many: readonly NewOperation[]): Promise<void> {
  await sql`
    ${PREPARED} INSERT INTO operations
      (tenant_id, operation_id, principal, kind, state, request_id, sealed_input)
    SELECT tenant_id, operation_id, principal, kind, 'pending', request_id, sealed_input
    FROM unnest(${many.map((operation) => operation.tenantId)}::uuid[],
      ${many.map((operation) => operation.operationId)}::uuid[], ${many.map((operation) => operation.principal)}::text[],
      ${many.map((operation) => operation.kind)}::text[], ${many.map((operation) => operation.requestId)}::text[],
      ${many.map((operation) => operation.sealedInput)}::text[])
      AS n(tenant_id, operation_id, principal, kind, request_id, sealed_input)`.execute(db);
}

/** Ends a pending operation; an ended operation stays as it is. */
export async function endOperation(
  db: Db,
  tenantId: string,
  operationId: string,
  state: Exclude<OperationState, 'pending'>,
): Promise<void> {
  await sql`
    ${PREPARED} UPDATE operations SET state = ${state}, sealed_input = NULL, ended_at = now()
    WHERE tenant_id = ${tenantId} AND operation_id = ${operationId} AND state = 'pending'`.execute(
    db,
  );
}

/** Deletes an operation that changed nothing. */
export async function deleteOperation(
  db: Db,
  tenantId: string,
  operationId: string,
): Promise<void> {
  await sql`
    DELETE FROM operations
    WHERE tenant_id = ${tenantId} AND operation_id = ${operationId} AND state = 'pending'`.execute(
    db,
  );
}

/** Returns an operation of this principal; operations of other principals are not found. */
export function selectOperation(
  db: Db,
  tenantId: string,
  principal: string,
  operationId: string,
): Promise<Operation | null> {
  return row(
    db,
    sql<Operation>`
      SELECT operation_id, kind, state, sealed_input, created_at FROM operations
      WHERE tenant_id = ${tenantId} AND operation_id = ${operationId}
        AND principal = ${principal}`,
  );
}

export interface ClaimKey {
  tenantId: string;
  principal: string;
  operation: string;
  keyHash: Buffer;
}

export interface Claim extends ClaimKey {
  fingerprint: Buffer;
  operationId: string;
  holder: string;
  leaseSeconds: number;
}

/** Claims a key. Returns false if it is claimed already. */
export async function insertClaim(tx: Tx, claim: Claim): Promise<boolean> {
  const made = await rows(
    tx,
    sql`
      INSERT INTO idempotency_keys
        (tenant_id, principal, operation, key_hash, fingerprint, operation_id, holder, lease_until)
      VALUES (${claim.tenantId}, ${claim.principal}, ${claim.operation}, ${claim.keyHash},
        ${claim.fingerprint}, ${claim.operationId}, ${claim.holder},
        now() + make_interval(secs => ${claim.leaseSeconds}))
      ON CONFLICT (tenant_id, principal, operation, key_hash) DO NOTHING RETURNING 1`,
  );
  return made.length > 0;
}

export interface Claimed {
  fingerprint: Buffer;
  operation_id: string;
  holder: string;
  is_leased: boolean;
  finished: boolean;
  /** Finished more than a day ago. */
  expired: boolean;
  status: number | null;
  sealed_answer: string | null;
}

export function selectClaim(db: Db, key: ClaimKey, hours: number): Promise<Claimed | null> {
  return row(
    db,
    sql<Claimed>`
      SELECT fingerprint, operation_id, holder, lease_until > now() AS is_leased,
        finished_at IS NOT NULL AS finished,
        coalesce(finished_at < now() - make_interval(hours => ${hours}), false) AS expired,
        status, sealed_answer
      FROM idempotency_keys
      WHERE tenant_id = ${key.tenantId} AND principal = ${key.principal}
        AND operation = ${key.operation} AND key_hash = ${key.keyHash}`,
  );
}

/** Takes over a claim whose lease expired. Returns false if another process was faster. */
export async function takeOverClaim(
  db: Db,
  claim: ClaimKey & { from: string; holder: string; leaseSeconds: number },
): Promise<boolean> {
  const taken = await rows(
    db,
    sql`
      UPDATE idempotency_keys
      SET holder = ${claim.holder}, lease_until = now() + make_interval(secs => ${claim.leaseSeconds})
      WHERE tenant_id = ${claim.tenantId} AND principal = ${claim.principal}
        AND operation = ${claim.operation} AND key_hash = ${claim.keyHash}
        AND holder = ${claim.from} AND finished_at IS NULL AND lease_until <= now()
      RETURNING 1`,
  );
  return taken.length > 0;
}

/** Stores the response, in the transaction of its change. Returns false if the claim was taken over meanwhile. */
export async function finishClaim(
  tx: Tx,
  claim: ClaimKey & { holder: string; status: number; sealedAnswer: string },
): Promise<boolean> {
  const finished = await rows(
    tx,
    sql`
      UPDATE idempotency_keys
      SET status = ${claim.status}, sealed_answer = ${claim.sealedAnswer}, finished_at = now()
      WHERE tenant_id = ${claim.tenantId} AND principal = ${claim.principal}
        AND operation = ${claim.operation} AND key_hash = ${claim.keyHash}
        AND holder = ${claim.holder} AND finished_at IS NULL
      RETURNING 1`,
  );
  return finished.length > 0;
}

/** Returns the unfinished claim under which an operation began; null without an Idempotency-Key. */
export function selectOpenClaim(
  db: Db,
  of: Omit<ClaimKey, 'keyHash'> & { operationId: string },
): Promise<{ key_hash: Buffer; holder: string } | null> {
  return row(
    db,
    sql<{ key_hash: Buffer; holder: string }>`
      SELECT key_hash, holder FROM idempotency_keys
      WHERE tenant_id = ${of.tenantId} AND principal = ${of.principal}
        AND operation = ${of.operation} AND operation_id = ${of.operationId}
        AND finished_at IS NULL`,
  );
}

/** Releases a claim after a refusal: the key may be used again. */
export async function deleteClaim(db: Db, claim: ClaimKey & { holder: string }): Promise<void> {
  await sql`
    DELETE FROM idempotency_keys
    WHERE tenant_id = ${claim.tenantId} AND principal = ${claim.principal}
      AND operation = ${claim.operation} AND key_hash = ${claim.keyHash}
      AND holder = ${claim.holder} AND finished_at IS NULL`.execute(db);
}

/** Ends the lease of a claim with an unknown outcome, so that a repeat need not wait for it. */
export async function endLease(db: Db, claim: ClaimKey & { holder: string }): Promise<void> {
  await sql`
    UPDATE idempotency_keys SET lease_until = now()
    WHERE tenant_id = ${claim.tenantId} AND principal = ${claim.principal}
      AND operation = ${claim.operation} AND key_hash = ${claim.keyHash}
      AND holder = ${claim.holder} AND finished_at IS NULL`.execute(db);
}

/** Deletes responses, which contain secrets, after a day; the key remains, so that it never counts as new. */
export async function eraseOldAnswers(db: Db, hours: number): Promise<void> {
  await sql`
    UPDATE idempotency_keys SET sealed_answer = NULL
    WHERE sealed_answer IS NOT NULL AND finished_at < now() - make_interval(hours => ${hours})`.execute(
    db,
  );
}

/** Deletes operations after a month, and fails operations that are pending for a day. */
export async function forgetOperations(db: Db): Promise<void> {
  await sql`DELETE FROM operations WHERE created_at < now() - interval '30 days'`.execute(db);
  await sql`
    UPDATE operations SET state = 'failed', sealed_input = NULL, ended_at = now()
    WHERE state = 'pending' AND created_at < now() - interval '1 day'`.execute(db);
}
