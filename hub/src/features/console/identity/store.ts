// SQL of the list of all users: the addresses that members, devices, gateway rows, groups and access requests name, each once.
// Each source is read in the order of addresses and only as far as the page needs it.
import type { IdentityKind, IdentitySort } from '@gatewarden/shared/wire/console/identity.ts';
import { IDENTITY_KINDS } from '@gatewarden/shared/wire/console/identity.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY, containsPattern, countRows } from '../../../platform/http/lists/console-lists.ts';

export interface IdentityFilter {
  /** A folded piece of the address. */
  query?: string;
  kind?: IdentityKind;
  role?: Role;
  state?: 'enabled' | 'disabled';
  sort?: IdentitySort;
}

interface Scope {
  tenantId: string;
  filter: IdentityFilter;
  /** Gateway rows since then count, as text that PostgreSQL parses. */
  since: string;
  after: string | undefined;
}

const isDescending = ({ filter }: Scope) => filter.sort === '-email';
const direction = (scope: Scope) => (isDescending(scope) ? sql`DESC` : sql`ASC`);
const past = (scope: Scope, column: RawBuilder<unknown>, position: RawBuilder<unknown>) =>
  isDescending(scope) ? sql`${column} < ${position}` : sql`${column} > ${position}`;

/** The case of the owner as devices write it is folded as the index of owners folds it. */
const OWNER = sql`(lower(subscriber_id COLLATE "C") COLLATE "default")`;

/** Walks the index of users: each step goes to the next address, however many rows the last one has. */
function loggedUsers(scope: Scope, table: 'llm_requests' | 'mcp_tool_calls') {
  const next = (condition: RawBuilder<unknown>) => sql`
    SELECT user_email FROM ${sql.table(table)} WHERE tenant_id = ${scope.tenantId}
      AND user_email IS NOT NULL AND at >= ${scope.since}::timestamptz AND ${condition}
    ORDER BY user_email ${direction(scope)} LIMIT 1`;
  const first = scope.after === undefined ? ANY : past(scope, sql`user_email`, sql`${scope.after}`);
  return sql`(
    WITH RECURSIVE step AS (
      SELECT (${next(first)}) AS email
      UNION ALL
      SELECT (${next(past(scope, sql`user_email`, sql`step.email`))}) FROM step
      WHERE step.email IS NOT NULL)
    SELECT email FROM step WHERE email IS NOT NULL)`;
}

const memberConditions = ({ filter: { role, state } }: Scope) => sql`
  ${role === undefined ? ANY : sql`role = ${role}`}
  AND ${state === undefined ? ANY : sql`(disabled_at IS NULL) = ${state === 'enabled'}`}`;

const SOURCES: Record<IdentityKind, (scope: Scope) => RawBuilder<unknown>[]> = {
  console: (scope) => [
    sql`(SELECT email_folded AS email FROM members
      WHERE tenant_id = ${scope.tenantId} AND ${memberConditions(scope)})`,
  ],
  device: ({ tenantId }) => [
    sql`(SELECT DISTINCT ${OWNER} AS email FROM devices
      WHERE tenant_id = ${tenantId} AND retired_at IS NULL AND subscriber_id <> '')`,
  ],
  gateway: (scope) => [loggedUsers(scope, 'llm_requests'), loggedUsers(scope, 'mcp_tool_calls')],
  group: ({ tenantId }) => [
    sql`(SELECT DISTINCT email_folded AS email FROM people_group_members
      WHERE tenant_id = ${tenantId})`,
  ],
  request: ({ tenantId }) => [
    sql`(SELECT DISTINCT person AS email FROM access_requests WHERE tenant_id = ${tenantId})`,
  ],
};

/** A role and a state are those of console users. */
function sourcesOf(scope: Scope): RawBuilder<unknown>[] {
  const { kind, role, state } = scope.filter;
  const isAccount = role !== undefined || state !== undefined;
  if (isAccount && kind !== undefined && kind !== 'console') return [];
  const kinds = isAccount ? (['console'] as const) : kind === undefined ? IDENTITY_KINDS : [kind];
  return kinds.flatMap((name) => SOURCES[name](scope));
}

function addresses(scope: Scope, limit: number) {
  const { query } = scope.filter;
  const conditions = sql`
    ${scope.after === undefined ? ANY : past(scope, sql`email`, sql`${scope.after}`)}
    AND ${query === undefined ? ANY : sql`email LIKE ${containsPattern(query)}`}`;
  const sources = sourcesOf(scope).map(
    (source) => sql`(SELECT email FROM ${source} source WHERE ${conditions}
      ORDER BY email ${direction(scope)} LIMIT ${limit})`,
  );
  return sql`SELECT DISTINCT email FROM (${sql.join(sources, sql` UNION ALL `)}) named`;
}

export interface IdentityRecord {
  email: string;
  console: boolean;
  device_count: number;
  gateway: boolean;
  group: boolean;
  request: boolean;
}

/** Returns a page of users, by address. */
export function selectIdentities(db: Db, scope: Scope, limit: number): Promise<IdentityRecord[]> {
  if (sourcesOf(scope).length === 0) return Promise.resolve([]);
  const { tenantId, since } = scope;
  const isLogged = (table: 'llm_requests' | 'mcp_tool_calls') => sql`EXISTS (
    SELECT FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}
      AND user_email = p.email AND at >= ${since}::timestamptz)`;
  return rows(
    db,
    sql<IdentityRecord>`
      SELECT p.email,
        EXISTS (SELECT FROM members
          WHERE tenant_id = ${tenantId} AND email_folded = p.email) AS console,
        (SELECT count(*) FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL
          AND lower(subscriber_id COLLATE "C") = p.email) AS device_count,
        ${isLogged('llm_requests')} OR ${isLogged('mcp_tool_calls')} AS gateway,
        EXISTS (SELECT FROM people_group_members
          WHERE tenant_id = ${tenantId} AND email_folded = p.email) AS "group",
        EXISTS (SELECT FROM access_requests
          WHERE tenant_id = ${tenantId} AND person = p.email) AS request
      FROM (${addresses(scope, limit)} ORDER BY email ${direction(scope)} LIMIT ${limit}) p
      ORDER BY p.email ${direction(scope)}`,
  );
}

/** Users that the list counts at most: each address costs a step in every partition of the logs. */
const COUNTED_MAX = 5_000;

/** Returns how many users the list has with this filter; null where they are too many to count. */
export async function countIdentities(db: Db, scope: Scope): Promise<number | null> {
  if (sourcesOf(scope).length === 0) return 0;
  return countRows(db, addresses(scope, COUNTED_MAX + 1), COUNTED_MAX);
}
