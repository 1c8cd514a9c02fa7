// SQL of what groups of people make of the roles of who is in them.
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors.ts';

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
  user_id: string;
  email: string;
  email_folded: string;
  before: Role;
  after: Role;
}

/**
 * Gives each of these people the higher of what they were given and of what their groups have. To be called after
 * whatever changes one of the two, in its transaction, behind `lockRoles`.
 */
export function settleRoles(
  tx: Tx,
  tenantId: string,
  emailsFolded: readonly string[],
): Promise<Lifted[]> {
  const order = sql`${[...ROLES]}::text[]`;
  return rows(
    tx,
    sql<Lifted>`
      WITH standing AS (
        SELECT m.user_id, m.role AS before, coalesce(m.given_role, m.role) AS given, (
          SELECT g.role FROM people_group_members p
          JOIN people_groups g ON g.tenant_id = p.tenant_id AND g.group_id = p.group_id
          WHERE p.tenant_id = ${tenantId} AND g.tenant_id = ${tenantId}
            AND p.email_folded = m.email_folded AND g.role IS NOT NULL
          ORDER BY array_position(${order}, g.role) DESC LIMIT 1) AS lifted
        FROM members m
        WHERE m.tenant_id = ${tenantId} AND m.email_folded = ANY (${[...emailsFolded]}::text[])
      ), wanted AS (
        SELECT user_id, before, given,
          CASE WHEN array_position(${order}, lifted) > array_position(${order}, given)
            THEN lifted END AS higher
        FROM standing
      )
      UPDATE members m SET role = coalesce(w.higher, w.given),
        given_role = CASE WHEN w.higher IS NOT NULL THEN w.given END, version = version + 1
      FROM wanted w
      WHERE m.tenant_id = ${tenantId} AND m.user_id = w.user_id
        AND (m.role <> coalesce(w.higher, w.given)
          OR m.given_role IS DISTINCT FROM CASE WHEN w.higher IS NOT NULL THEN w.given END)
      RETURNING m.user_id, m.email, m.email_folded, w.before, m.role AS after`,
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
