// SQL of what groups of people make of the roles of who is in them.
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

/**
 * Whoever changes what decides roles in a tenant comes one after the other, until their transactions end. Gives those who
 * administer it now. Before anything else is locked, so that nobody waits in a circle.
 */
export async function lockRoles(tx: Tx, tenantId: string): Promise<{ user_id: string }[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`roles ${tenantId}`}, 0))`.execute(tx);
  // A statement of its own: it sees what those before left. Its rows hold off a release that knows no such lock.
  return rows(
    tx,
    sql<{ user_id: string }>`
      SELECT user_id FROM members
      WHERE tenant_id = ${tenantId} AND role = 'Admin' AND disabled_at IS NULL
      ORDER BY user_id FOR UPDATE`,
  );
}

/** A person whose role is another one now. */
interface Lifted {
  email: string;
  email_folded: string;
  before: Role;
  after: Role;
}

interface Standing {
  user_id: string;
  email: string;
  email_folded: string;
  role: Role;
  given_role: Role | null;
  /** Of the groups that they are in, those that have one. */
  roles: Role[];
}

/**
 * Gives each of these people the higher of what they were given and of what their groups have; whoever is lifted already
 * is looked at, too, for a release of before may have taken them out of a group. To be called after
 * whatever changes one of the two, in its transaction, behind `lockRoles`.
 */
export async function settleRoles(
  tx: Tx,
  tenantId: string,
  emailsFolded: readonly string[],
): Promise<Lifted[]> {
  const people = await selectStandings(tx, tenantId, emailsFolded);
  const moved = people.flatMap((one) => {
    const given = one.given_role ?? one.role;
    const role = highest([given, ...one.roles]);
    const kept = role === given ? null : given;
    return role === one.role && kept === one.given_role ? [] : { one, role, kept };
  });
  if (moved.length > 0) {
    await sql`
      UPDATE members m SET role = w.role, given_role = w.given_role, version = m.version + 1
      FROM unnest(${moved.map(({ one }) => one.user_id)}::uuid[],
        ${moved.map(({ role }) => role)}::text[], ${moved.map(({ kept }) => kept)}::text[])
        AS w(user_id, role, given_role)
      WHERE m.tenant_id = ${tenantId} AND m.user_id = w.user_id`.execute(tx);
  }
  return moved.map(({ one, role }) => ({
    email: one.email,
    email_folded: one.email_folded,
    before: one.role,
    after: role,
  }));
}

/** The same of one person whose role is `role`; gives what it is then. */
export async function settleRole(
  tx: Tx,
  tenantId: string,
  { email_folded: emailFolded, role }: { email_folded: string; role: Role },
): Promise<Role> {
  const settled = await settleRoles(tx, tenantId, [emailFolded]);
  return settled.find((one) => one.email_folded === emailFolded)?.after ?? role;
}

const highest = (roles: readonly Role[]): Role =>
  roles.reduce((most, role) => (ROLES.indexOf(role) > ROLES.indexOf(most) ? role : most));

function selectStandings(
  tx: Tx,
  tenantId: string,
  emailsFolded: readonly string[],
): Promise<Standing[]> {
  return rows(
    tx,
    sql<Standing>`
      SELECT m.user_id, m.email, m.email_folded, m.role, m.given_role,
        coalesce(array_agg(g.role) FILTER (WHERE g.role IS NOT NULL), '{}') AS roles
      FROM members m
      LEFT JOIN people_group_members p
        ON p.tenant_id = m.tenant_id AND p.email_folded = m.email_folded
      LEFT JOIN people_groups g ON g.tenant_id = p.tenant_id AND g.group_id = p.group_id
      WHERE m.tenant_id = ${tenantId}
        AND (m.email_folded = ANY (${[...emailsFolded]}::text[]) OR m.given_role IS NOT NULL)
      GROUP BY m.tenant_id, m.user_id, m.email, m.email_folded, m.role, m.given_role`,
  );
}

/**
 * `before` are the administrators as `lockRoles` gave them. Throws `last_administrator` where it leaves
 * none of the tenant.
 */
export async function keepAnAdministrator(
  tx: Tx,
  tenantId: string,
  before: readonly unknown[],
): Promise<void> {
  if (before.length === 0) return;
  const left = await row(
    tx,
    sql`
      SELECT 1 FROM members
      WHERE tenant_id = ${tenantId} AND role = 'Admin' AND disabled_at IS NULL LIMIT 1`,
  );
  if (left === null) throw new HubError('last_administrator');
}
