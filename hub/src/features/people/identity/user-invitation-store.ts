// SQL of invitations: an e-mail address, a role and the hash of the link's token. Accepting and revoking delete the row.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { newestFirst } from '../../../platform/db/list-conditions.ts';

export interface UserInvitation {
  tenant_id: string;
  invitation_id: string;
  email: string;
  email_folded: string;
  role: Role;
}

export interface InvitationRecord extends UserInvitation {
  is_expired: boolean;
  created_at: Date;
  created_by: string;
  expires_at: Date;
  sort_key: string;
}

const INVITATION = sql`tenant_id, invitation_id, email, email_folded, role`;
const COLUMNS = sql`${INVITATION}, created_at, created_by, expires_at, expires_at <= now() AS is_expired,
  created_at::text AS sort_key`;

/** Stores an invitation; an earlier invitation of the address in this tenant ends. `days`: until it expires. */
export async function upsertUserInvitation(
  tx: Tx,
  invitation: UserInvitation & { tokenHash: Buffer; createdBy: string; days: number },
): Promise<InvitationRecord> {
  const stored = await row(
    tx,
    sql<InvitationRecord>`
      INSERT INTO user_invitations
        (tenant_id, invitation_id, email, email_folded, role, token_hash, created_by, expires_at)
      VALUES (${invitation.tenant_id}, ${invitation.invitation_id}, ${invitation.email},
        ${invitation.email_folded}, ${invitation.role}, ${invitation.tokenHash},
        ${invitation.createdBy}, now() + make_interval(days => ${invitation.days}::int))
      ON CONFLICT (tenant_id, email_folded) DO UPDATE SET invitation_id = excluded.invitation_id,
        email = excluded.email, role = excluded.role, token_hash = excluded.token_hash,
        created_at = now(), created_by = excluded.created_by, expires_at = excluded.expires_at
      RETURNING ${COLUMNS}`,
  );
  if (stored === null) throw new Error('An invitation was not stored.');
  return stored;
}

/** Returns a page of invitations, newest first, expired invitations among them. */
export function selectUserInvitations(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<InvitationRecord[]> {
  return rows(
    db,
    sql<InvitationRecord>`
      SELECT ${COLUMNS} FROM user_invitations
      WHERE tenant_id = ${tenantId} AND ${newestFirst(after, 'created_at', 'invitation_id')}
      ORDER BY created_at DESC, invitation_id LIMIT ${limit}`,
  );
}

/** Deletes an invitation. Returns it; null if the tenant has no such invitation. */
export function deleteUserInvitation(
  tx: Tx,
  tenantId: string,
  invitationId: string,
): Promise<UserInvitation | null> {
  return row(
    tx,
    sql<UserInvitation>`
      DELETE FROM user_invitations
      WHERE tenant_id = ${tenantId} AND invitation_id = ${invitationId} RETURNING ${INVITATION}`,
  );
}

const IS_PENDING = sql`expires_at > now()
  AND EXISTS (SELECT FROM tenants t WHERE t.tenant_id = user_invitations.tenant_id
    AND t.suspended_at IS NULL)`;

/** Returns the pending invitation of a link with the name of its tenant; null where the link is used, expired or revoked. */
export function selectInvitationByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<(UserInvitation & { tenant_name: string }) | null> {
  return row(
    db,
    sql<UserInvitation & { tenant_name: string }>`
      SELECT ${INVITATION}, (SELECT t.name FROM tenants t
          WHERE t.tenant_id = user_invitations.tenant_id) AS tenant_name
      FROM user_invitations WHERE token_hash = ${tokenHash} AND ${IS_PENDING}`,
  );
}

/** Uses a link up. Returns its invitation; null where it is used, expired or revoked. */
export function takeUserInvitation(tx: Tx, tokenHash: Buffer): Promise<UserInvitation | null> {
  return row(
    tx,
    sql<UserInvitation>`
      DELETE FROM user_invitations WHERE token_hash = ${tokenHash} AND ${IS_PENDING}
      RETURNING ${INVITATION}`,
  );
}

/** Returns whether any tenant has a pending invitation of this address. */
export async function isInvited(db: Db, emailFolded: string): Promise<boolean> {
  const match = await row(
    db,
    sql`SELECT 1 FROM user_invitations WHERE email_folded = ${emailFolded} AND ${IS_PENDING} LIMIT 1`,
  );
  return match !== null;
}

/** Deletes the invitations of an address in a tenant. Returns their number. */
export async function eraseUserInvitations(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<number> {
  const deleted = await rows(
    tx,
    sql`DELETE FROM user_invitations
      WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded} RETURNING 1`,
  );
  return deleted.length;
}
