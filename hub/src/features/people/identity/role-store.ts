// SQL of effective roles: the higher of a member's assigned role and the roles of their groups.
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

/**
 * Serializes changes of roles in a tenant until the transaction ends, and returns the administrators before the change.
 * To be called before any other lock, so that no deadlock arises.
 */
export async function lockRoles(tx: Tx, tenantId: string): Promise<{ user_id: string }[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`roles ${tenantId}`}, 0))`.execute(tx);
  // A separate statement sees what earlier transactions committed. Locked rows also block a writer that takes no
  // advisory lock.
  return rows(
    tx,
    sql<{ user_id: string }>`
      SELECT user_id FROM members
      WHERE tenant_id = ${tenantId} AND role = 'Admin' AND disabled_at IS NULL
      ORDER BY user_id FOR UPDATE`,
  );
}

/** A member whose effective role changed. */
interface RoleChange {
  email: string;
  email_folded: string;
  before: Role;
  after: Role;
}

interface MemberRoles {
  user_id: string;
  email: string;
  email_folded: string;
  role: Role;
  given_role: Role | null;
  /** The roles of the member's groups. */
  groupRoles: Role[];
}

/**
 * Stores the effective role of these people, and of everybody with a role from a group. To be called after any change
 * of assigned roles or groups, in its transaction and after `lockRoles`. Returns the changes.
 */
export async function applyGroupRoles(
  tx: Tx,
  tenantId: string,
  emailsFolded: readonly string[],
): Promise<RoleChange[]> {
  const members = await selectMemberRoles(tx, tenantId, emailsFolded);
  const changes = members.flatMap((member) => {
    const assigned = member.given_role ?? member.role;
    const role = highest([assigned, ...member.groupRoles]);
    const assignedBelow = role === assigned ? null : assigned;
    return role === member.role && assignedBelow === member.given_role
      ? []
      : { member, role, assignedBelow };
  });
  if (changes.length > 0) {
    await sql`
      UPDATE members m SET role = w.role, given_role = w.given_role, version = m.version + 1
      FROM unnest(${changes.map(({ member }) => member.user_id)}::uuid[],
        ${changes.map(({ role }) => role)}::text[], ${changes.map(({ assignedBelow }) => assignedBelow)}::text[])
        AS w(user_id, role, given_role)
      WHERE m.tenant_id = ${tenantId} AND m.user_id = w.user_id`.execute(tx);
  }
  return changes.map(({ member, role }) => ({
    email: member.email,
    email_folded: member.email_folded,
    before: member.role,
    after: role,
  }));
}

/** Applies the roles of groups to a single person, whose role is `role`. Returns the effective role. */
export async function applyGroupRole(
  tx: Tx,
  tenantId: string,
  { email_folded: emailFolded, role }: { email_folded: string; role: Role },
): Promise<Role> {
  const changes = await applyGroupRoles(tx, tenantId, [emailFolded]);
  return changes.find((change) => change.email_folded === emailFolded)?.after ?? role;
}

const highest = (roles: readonly Role[]): Role =>
  roles.reduce((most, role) => (ROLES.indexOf(role) > ROLES.indexOf(most) ? role : most));

function selectMemberRoles(
  tx: Tx,
  tenantId: string,
  emailsFolded: readonly string[],
): Promise<MemberRoles[]> {
  return rows(
    tx,
    sql<MemberRoles>`
      SELECT m.user_id, m.email, m.email_folded, m.role, m.given_role,
        coalesce(array_agg(g.role) FILTER (WHERE g.role IS NOT NULL), '{}') AS "groupRoles"
      FROM members m
      LEFT JOIN people_group_members p
        ON p.tenant_id = m.tenant_id AND p.email_folded = m.email_folded
      LEFT JOIN people_groups g ON g.tenant_id = p.tenant_id AND g.group_id = p.group_id
      WHERE m.tenant_id = ${tenantId}
        AND (m.email_folded = ANY (${[...emailsFolded]}::text[]) OR m.given_role IS NOT NULL)
      GROUP BY m.tenant_id, m.user_id, m.email, m.email_folded, m.role, m.given_role`,
  );
}

/** Throws `last_administrator` if the tenant had administrators, as `lockRoles` returned them, and has none now. */
export async function requireAdministrator(
  tx: Tx,
  tenantId: string,
  before: readonly unknown[],
): Promise<void> {
  if (before.length === 0) return;
  const remaining = await row(
    tx,
    sql`
      SELECT 1 FROM members
      WHERE tenant_id = ${tenantId} AND role = 'Admin' AND disabled_at IS NULL LIMIT 1`,
  );
  if (remaining === null) throw new HubError('last_administrator');
}
