// SQL of accounts of the embedded provider, and of members for sign-in and the command line.

import { randomUUID } from 'node:crypto';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { deleteSignIns } from './oidc-store.ts';

export interface Member {
  tenant_id: string;
  user_id: string;
  email: string;
  role: Role;
  disabled_at: Date | null;
}

/** Returns the account with this folded address; null if there is none. */
export function selectAccountByEmail(db: Db, emailFolded: string) {
  return row(
    db,
    sql<{ account_id: string; email: string; password_hash: string }>`
      SELECT account_id, email, password_hash FROM accounts WHERE email_folded = ${emailFolded}`,
  );
}

/**
 * Returns the account's password hash, locked until the transaction ends, so that nobody else sets a password; null if
 * there is no account.
 */
export function lockAccount(tx: Tx, emailFolded: string) {
  return row(
    tx,
    sql<{ password_hash: string }>`
      SELECT password_hash FROM accounts WHERE email_folded = ${emailFolded} FOR UPDATE`,
  );
}

/** Returns the address of an account; null if there is none. */
export function selectAccount(db: Db, accountId: string) {
  return row(
    db,
    sql<{ email: string }>`SELECT email FROM accounts WHERE account_id::text = ${accountId}`,
  );
}

/** Stores an account or its new password, and returns its id. */
export async function upsertAccount(
  tx: Tx,
  account: { email: string; emailFolded: string; passwordHash: string },
): Promise<string> {
  const stored = await row(
    tx,
    sql<{ account_id: string }>`
      INSERT INTO accounts (account_id, email, email_folded, password_hash)
      VALUES (${randomUUID()}, ${account.email}, ${account.emailFolded}, ${account.passwordHash})
      ON CONFLICT (email_folded) DO UPDATE SET password_hash = excluded.password_hash
      RETURNING account_id`,
  );
  if (stored === null) throw new Error('an account was not stored');
  return stored.account_id;
}

/**
 * Stores the account of an invited user. Returns false if the address has an account. The tenant that invited the user may use the
 * link itself, so that the address is unverified: no other tenant's addition is accepted with this account.
 */
export async function insertInvitedAccount(
  tx: Tx,
  account: { email: string; emailFolded: string; passwordHash: string; invitedBy: string },
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      INSERT INTO accounts (account_id, email, email_folded, password_hash, invited_by)
      VALUES (${randomUUID()}, ${account.email}, ${account.emailFolded}, ${account.passwordHash},
        ${account.invitedBy})
      ON CONFLICT (email_folded) DO NOTHING RETURNING 1`,
  );
  return stored !== null;
}

/** Marks the address of an account as verified by the operator. */
export async function verifyAccount(tx: Tx, emailFolded: string): Promise<void> {
  await sql`UPDATE accounts SET invited_by = NULL WHERE email_folded = ${emailFolded}`.execute(tx);
}

/** Condition on a member `m`: no invitation of another tenant created the account of the address. */
const IS_VERIFIED_FOR = sql`NOT EXISTS (SELECT FROM accounts a
  WHERE a.email_folded = m.email_folded AND a.invited_by <> m.tenant_id)`;

/**
 * Stores a member. Returns null if the tenant has this e-mail address already. `isAccepted`: the operator, whom all
 * tenants trust, adds the person; otherwise the person accepts at the next sign-in.
 */
export function insertMember(
  tx: Tx,
  member: {
    tenantId: string;
    userId: string;
    email: string;
    emailFolded: string;
    role: Role;
    isAccepted: boolean;
  },
): Promise<Member | null> {
  return row(
    tx,
    sql<Member>`
      INSERT INTO members (tenant_id, user_id, email, email_folded, role, accepted_at)
      VALUES (${member.tenantId}, ${member.userId}, ${member.email}, ${member.emailFolded},
        ${member.role}, CASE WHEN ${member.isAccepted}::boolean THEN now() END)
      ON CONFLICT (tenant_id, email_folded) DO NOTHING
      RETURNING tenant_id, user_id, email, role, disabled_at`,
  );
}

/** Returns the members of a tenant, or of all tenants. */
export function selectMembers(db: Db, tenantId: string | null): Promise<Member[]> {
  return rows(
    db,
    sql<Member>`
      SELECT tenant_id, user_id, email, role, disabled_at FROM members
      WHERE ${tenantId}::uuid IS NULL OR tenant_id = ${tenantId}::uuid
      ORDER BY tenant_id, email_folded`,
  );
}

/** Returns the folded e-mail addresses of all members of a tenant. */
export async function selectMemberKeys(db: Db, tenantId: string): Promise<string[]> {
  const members = await rows(
    db,
    sql<{ email_folded: string }>`
      SELECT email_folded FROM members WHERE tenant_id = ${tenantId}`,
  );
  return members.map((member) => member.email_folded);
}

/** Returns whether the address is an enabled member of a suspended tenant: of this tenant if given, else of any. */
export async function isInSuspended(
  db: Db,
  emailFolded: string,
  tenantId: string | null = null,
): Promise<boolean> {
  const match = await row(
    db,
    sql`
      SELECT 1 FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id
      WHERE m.email_folded = ${emailFolded} AND m.disabled_at IS NULL
        AND t.suspended_at IS NOT NULL
        AND (${tenantId}::uuid IS NULL OR m.tenant_id = ${tenantId}::uuid) LIMIT 1`,
  );
  return match !== null;
}

/** Returns the suspended tenants in which this e-mail address is an enabled member who accepted. */
export function selectSuspendedTenants(
  db: Db,
  emailFolded: string,
): Promise<{ tenant_id: string; name: string }[]> {
  return rows(
    db,
    sql`
      SELECT t.tenant_id, t.name FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id
      WHERE m.email_folded = ${emailFolded} AND m.disabled_at IS NULL
        AND m.accepted_at IS NOT NULL AND t.suspended_at IS NOT NULL
      ORDER BY t.name, t.tenant_id`,
  );
}

/** Returns a page of enabled members, by address; the key is the folded address. */
export function selectEnabledMembers(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<{ user_id: string; email: string; email_folded: string; role: Role }[]> {
  const beyond = after === undefined ? sql`true` : sql`email_folded > ${after[0]}`;
  return rows(
    db,
    sql<{ user_id: string; email: string; email_folded: string; role: Role }>`
      SELECT user_id, email, email_folded, role FROM members
      WHERE tenant_id = ${tenantId} AND disabled_at IS NULL AND ${beyond}
      ORDER BY email_folded LIMIT ${limit}`,
  );
}

/** Returns enabled reviewers and administrators, by address; only the person with this folded address if given. */
export function selectDeciders(
  db: Db,
  tenantId: string,
  emailFolded: string | null,
  limit: number,
): Promise<{ email: string }[]> {
  return rows(
    db,
    sql<{ email: string }>`
      SELECT email FROM members
      WHERE tenant_id = ${tenantId} AND disabled_at IS NULL AND role IN ('Reviewer', 'Admin')
        AND (${emailFolded}::text IS NULL OR email_folded = ${emailFolded})
      ORDER BY email_folded LIMIT ${limit}`,
  );
}

/** Returns the enabled members by folded address, and the addresses of the first `limit` administrators. */
export async function selectAddressees(
  db: Db,
  tenantId: string,
  limit: number,
): Promise<{ enabled: Map<string, string>; admins: string[] }> {
  const members = await rows(
    db,
    sql<{ email: string; email_folded: string; is_admin: boolean }>`
      SELECT email, email_folded, role = 'Admin' AS is_admin FROM members
      WHERE tenant_id = ${tenantId} AND disabled_at IS NULL ORDER BY email_folded`,
  );
  return {
    enabled: new Map(members.map((member) => [member.email_folded, member.email])),
    admins: members
      .filter((member) => member.is_admin)
      .slice(0, limit)
      .map((member) => member.email),
  };
}

/** Returns the addresses of these members, also of disabled members. */
export async function selectEmails(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const members = await rows(
    db,
    sql<{ user_id: string; email: string }>`
      SELECT user_id, email FROM members
      WHERE tenant_id = ${tenantId} AND user_id = ANY (${[...userIds]}::uuid[])`,
  );
  return new Map(members.map((member) => [member.user_id, member.email]));
}

/** Disables a member and cuts access from before. Returns null if there is no such member. */
export function disableMember(tx: Tx, tenantId: string, userId: string) {
  return row(
    tx,
    sql<{ email_folded: string }>`
      UPDATE members SET disabled_at = coalesce(disabled_at, now()), access_valid_from = now(),
        version = version + 1
      WHERE tenant_id = ${tenantId} AND user_id = ${userId} RETURNING email_folded`,
  );
}

/** Deletes the profile that a directory stored of a member, except the address. Returns whether there was any. */
export async function deleteProfile(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const updated = await row(
    tx,
    sql`
      UPDATE members SET user_name = NULL, user_name_folded = NULL, external_id = NULL, profile = NULL,
        version = version + 1
      WHERE tenant_id = ${tenantId} AND user_id = ${userId}
        AND (user_name IS NOT NULL OR external_id IS NOT NULL OR profile IS NOT NULL) RETURNING 1`,
  );
  return updated !== null;
}

/** Returns the id of the member with this folded address, enabled or not. */
export function selectMemberId(
  db: Db,
  tenantId: string,
  emailFolded: string,
): Promise<{ user_id: string } | null> {
  return row(
    db,
    sql<{ user_id: string }>`
      SELECT user_id FROM members WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}`,
  );
}

export interface Membership {
  tenant_id: string;
  name: string;
  user_id: string;
  role: Role;
  /** Sessions and tokens from before this moment have no access here. */
  access_valid_from: Date | null;
}

const MEMBERSHIPS = sql`
  SELECT m.tenant_id, t.name, m.user_id, m.role, m.access_valid_from
  FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id`;

/** Returns the tenants in which this e-mail address is an enabled member who accepted. */
export function selectMemberships(db: Db, emailFolded: string): Promise<Membership[]> {
  return rows(
    db,
    sql<Membership>`
      ${MEMBERSHIPS}
      WHERE m.email_folded = ${emailFolded} AND m.disabled_at IS NULL
        AND m.accepted_at IS NOT NULL AND t.suspended_at IS NULL
      ORDER BY t.name, m.tenant_id`,
  );
}

/** Returns the tenants that added this e-mail address and that the person has not accepted yet. */
export function selectInvitations(db: Db, emailFolded: string): Promise<Membership[]> {
  return rows(
    db,
    sql<Membership>`
      ${MEMBERSHIPS}
      WHERE m.email_folded = ${emailFolded} AND m.disabled_at IS NULL
        AND m.accepted_at IS NULL AND t.suspended_at IS NULL AND ${IS_VERIFIED_FOR}
      ORDER BY t.name, m.tenant_id`,
  );
}

/** Returns all tenants of this e-mail address, whatever its state in them. */
export function selectAllMemberships(
  db: Db,
  emailFolded: string,
): Promise<{ tenant_id: string; user_id: string }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; user_id: string }>`
      SELECT tenant_id, user_id FROM members WHERE email_folded = ${emailFolded}
      ORDER BY tenant_id`,
  );
}

/** Accepts on behalf of a person who belongs to a single tenant: signing in is the consent. */
export async function acceptOnlyMembership(db: Db, emailFolded: string): Promise<void> {
  await sql`
    UPDATE members m SET accepted_at = now()
    WHERE email_folded = ${emailFolded} AND accepted_at IS NULL AND ${IS_VERIFIED_FOR}
      AND (SELECT count(*) FROM members WHERE email_folded = ${emailFolded}) = 1`.execute(db);
}

/** Accepts invitations of these tenants. Returns those that this call accepted. */
export function acceptInvitations(
  tx: Tx,
  emailFolded: string,
  tenantIds: readonly string[],
): Promise<{ tenant_id: string; user_id: string }[]> {
  return rows(
    tx,
    sql<{ tenant_id: string; user_id: string }>`
      UPDATE members m SET accepted_at = now(), version = version + 1
      WHERE email_folded = ${emailFolded} AND tenant_id = ANY (${[...tenantIds]}::uuid[])
        AND accepted_at IS NULL AND disabled_at IS NULL AND ${IS_VERIFIED_FOR}
      RETURNING tenant_id, user_id`,
  );
}

/** Deletes expired sessions and payloads of the embedded provider. */
export async function deleteExpired(db: Db): Promise<void> {
  await sql`DELETE FROM sessions WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM session_tenants WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM oidc_payloads WHERE expires_at < now()`.execute(db);
}

/** Returns when the access of a member was cut last; null if the address is no member of the tenant. */
export function selectAccess(
  db: Db,
  tenantId: string,
  emailFolded: string,
): Promise<{ disabled_at: Date | null; access_valid_from: Date | null } | null> {
  return row(
    db,
    sql<{ disabled_at: Date | null; access_valid_from: Date | null }>`
      SELECT disabled_at, access_valid_from FROM members
      WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}`,
  );
}

/** Ends pending sign-ins of the account with this e-mail address, if there is any. */
export async function endSignIns(tx: Tx, emailFolded: string): Promise<void> {
  const account = await selectAccountByEmail(tx, emailFolded);
  if (account !== null) await deleteSignIns(tx, account.account_id);
}
