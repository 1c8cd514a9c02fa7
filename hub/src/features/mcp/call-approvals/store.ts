// SQL of approvals.
import { sql } from 'kysely';
import type { SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface ApprovalRow {
  approval_id: string;
  rule_id: string;
  backend_id: string;
  tool: string;
  email: string;
  email_folded: string;
  sealed_arguments: string;
  decided_by_reviewer: boolean;
  state: 'pending' | 'granted' | 'denied' | 'used';
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  used_at: Date | null;
}

const COLUMNS = sql`approval_id, rule_id, backend_id, tool, email, email_folded, sealed_arguments,
  decided_by_reviewer, state, created_at, expires_at, decided_at, decided_by, used_at`;

export const SEALED_APPROVALS: SealedColumn = {
  table: 'mcp_approvals',
  column: 'sealed_arguments',
  key: ['tenant_id', 'approval_id'],
};

/** Identifies a call. */
export interface CallKey {
  tenantId: string;
  ruleId: string;
  backendId: string;
  tool: string;
  emailFolded: string;
  digest: Buffer;
}

const matchesCall = (key: CallKey) => sql`
  tenant_id = ${key.tenantId} AND email_folded = ${key.emailFolded}
  AND arguments_digest = ${key.digest} AND rule_id = ${key.ruleId}
  AND backend_id = ${key.backendId} AND tool = ${key.tool} AND expires_at > now()`;

/** Uses an approval of this call; null: none. */
export function useGrant(db: Db, key: CallKey): Promise<{ approval_id: string } | null> {
  return row(
    db,
    sql<{ approval_id: string }>`
      UPDATE mcp_approvals SET state = 'used', used_at = now()
      WHERE tenant_id = ${key.tenantId} AND state = 'granted' AND approval_id = (
        SELECT approval_id FROM mcp_approvals WHERE ${matchesCall(key)} AND state = 'granted'
        ORDER BY created_at LIMIT 1)
      RETURNING approval_id`,
  );
}

export function selectPending(db: Db, key: CallKey): Promise<{ approval_id: string } | null> {
  return row(
    db,
    sql<{ approval_id: string }>`
      SELECT approval_id FROM mcp_approvals WHERE ${matchesCall(key)} AND state = 'pending' LIMIT 1`,
  );
}

export interface NewApproval {
  approvalId: string;
  email: string;
  sealedArguments: string;
  byReviewer: boolean;
  state: 'pending' | 'used' | 'denied';
  minutes: number;
  decidedBy: string | null;
}

/** Inserts an approval. Returns false for an existing id. */
export async function insertApproval(
  db: Db,
  key: CallKey,
  approval: NewApproval,
): Promise<boolean> {
  const made = await row(
    db,
    sql`
      INSERT INTO mcp_approvals (tenant_id, approval_id, rule_id, backend_id, tool, email,
        email_folded, arguments_digest, sealed_arguments, decided_by_reviewer, state, expires_at,
        decided_at, decided_by, used_at)
      VALUES (${key.tenantId}, ${approval.approvalId}, ${key.ruleId}, ${key.backendId}, ${key.tool},
        ${approval.email}, ${key.emailFolded}, ${key.digest}, ${approval.sealedArguments}, ${approval.byReviewer},
        ${approval.state}, now() + ${approval.minutes} * interval '1 minute',
        ${approval.state === 'pending' ? null : sql`now()`}, ${approval.decidedBy},
        ${approval.state === 'used' ? sql`now()` : null})
      ON CONFLICT (tenant_id, approval_id) DO NOTHING RETURNING 1`,
  );
  return made !== null;
}

export function countPending(db: Db, tenantId: string, emailFolded: string): Promise<number> {
  return row(
    db,
    sql<{ n: number }>`
      SELECT count(*)::int AS n FROM mcp_approvals
      WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded} AND state = 'pending'
        AND expires_at > now()`,
  ).then((found) => found?.n ?? 0);
}

/** `emailFolded` null: of everybody. Newest first. */
export function selectApprovals(
  db: Db,
  tenantId: string,
  emailFolded: string | null,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(ApprovalRow & { created_text: string })[]> {
  const whose = emailFolded === null ? sql`true` : sql`email_folded = ${emailFolded}`;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(created_at, approval_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<ApprovalRow & { created_text: string }>`
      SELECT ${COLUMNS}, created_at::text AS created_text FROM mcp_approvals
      WHERE tenant_id = ${tenantId} AND ${whose} AND ${beyond}
      ORDER BY created_at DESC, approval_id DESC LIMIT ${limit}`,
  );
}

export function selectApproval(
  db: Db,
  tenantId: string,
  approvalId: string,
): Promise<ApprovalRow | null> {
  return row(
    db,
    sql<ApprovalRow>`
      SELECT ${COLUMNS} FROM mcp_approvals
      WHERE tenant_id = ${tenantId} AND approval_id = ${approvalId}`,
  );
}

/** Decides a pending approval; null: not pending any more. */
export function decideApproval(
  tx: Tx,
  tenantId: string,
  approvalId: string,
  decision: { state: 'granted' | 'denied'; by: string; minutes: number },
): Promise<ApprovalRow | null> {
  return row(
    tx,
    sql<ApprovalRow>`
      UPDATE mcp_approvals SET state = ${decision.state}, decided_at = now(),
        decided_by = ${decision.by}, expires_at = now() + ${decision.minutes} * interval '1 minute'
      WHERE tenant_id = ${tenantId} AND approval_id = ${approvalId} AND state = 'pending'
        AND expires_at > now()
      RETURNING ${COLUMNS}`,
  );
}

export async function deleteOldApprovals(db: Db): Promise<void> {
  await sql`DELETE FROM mcp_approvals WHERE created_at < now() - interval '90 days'`.execute(db);
}

/** Erases the approvals of a user. Returns their number. */
export async function eraseApprovals(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<number> {
  const gone = await rows(
    tx,
    sql`
      DELETE FROM mcp_approvals
      WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded} RETURNING approval_id`,
  );
  return gone.length;
}
