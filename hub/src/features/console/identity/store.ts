// SQL of the list of all users: the addresses that members, devices, gateway rows, groups and access requests name, each once.
// Each source is read in the order of addresses and only as far as the page needs it.
import type { IdentityKind, IdentitySort } from '@gatewarden/shared/wire/console/identity.ts';
import { IDENTITY_KINDS } from '@gatewarden/shared/wire/console/identity.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY, containsPattern, countRows } from '../../../platform/db/list-conditions.ts';

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
  /** The cursor's position: address and, in an order that is not by address, the key. */
  after: readonly string[] | undefined;
}

/** A scope with the addresses in the gateway's logs. */
interface SourceScope extends Scope {
  logged: readonly string[];
}

/** The address that a list by address continues after; undefined in other orders, which read every address. */
const addressAfter = (scope: Scope): string | undefined =>
  sortKey(scope) === null ? scope.after?.[0] : undefined;

const isDescending = ({ filter }: Scope) => filter.sort === '-email';
const direction = (scope: Scope) => (isDescending(scope) ? sql`DESC` : sql`ASC`);
const past = (scope: Scope, column: RawBuilder<unknown>, position: RawBuilder<unknown>) =>
  isDescending(scope) ? sql`${column} < ${position}` : sql`${column} > ${position}`;

/** The case of the owner as devices write it is folded as the index of owners folds it. */
const OWNER = sql`(lower(subscriber_id COLLATE "C") COLLATE "default")`;

/** Walks the index of users: each step goes to the next address, however many rows the last address has. */
function loggedUsers(scope: Scope, table: 'llm_requests' | 'mcp_tool_calls') {
  function selectNext(condition: RawBuilder<unknown>) {
    return sql`(
      SELECT l.tenant_id, l.user_email AS email FROM ${sql.table(table)} l
      WHERE l.tenant_id = ${scope.tenantId} AND l.user_email IS NOT NULL
        AND l.at >= ${scope.since}::timestamptz AND ${condition}
      ORDER BY l.user_email ${direction(scope)} LIMIT 1)`;
  }
  const after = addressAfter(scope);
  const first = after === undefined ? ANY : past(scope, sql`l.user_email`, sql`${after}`);
  return sql`(
    WITH RECURSIVE step AS (
      ${selectNext(first)}
      UNION ALL
      SELECT n.tenant_id, n.email FROM step
      CROSS JOIN LATERAL ${selectNext(past(scope, sql`l.user_email`, sql`step.email`))} n)
    SELECT email FROM step)`;
}

const memberConditions = ({ filter: { role, state } }: Scope) => sql`
  ${role === undefined ? ANY : sql`role = ${role}`}
  AND ${state === undefined ? ANY : sql`(disabled_at IS NULL) = ${state === 'enabled'}`}`;

const SOURCES: Record<IdentityKind, (scope: SourceScope) => RawBuilder<unknown>[]> = {
  console: (scope) => [
    sql`(SELECT email_folded AS email FROM members
      WHERE tenant_id = ${scope.tenantId} AND ${memberConditions(scope)})`,
  ],
  device: ({ tenantId }) => [
    sql`(SELECT DISTINCT ${OWNER} AS email FROM devices
      WHERE tenant_id = ${tenantId} AND retired_at IS NULL AND subscriber_id <> '')`,
  ],
  gateway: ({ logged }) => [sql`unnest(${logged}::text[])`],
  group: ({ tenantId }) => [
    sql`(SELECT DISTINCT email_folded AS email FROM people_group_members
      WHERE tenant_id = ${tenantId})`,
  ],
  request: ({ tenantId }) => [
    sql`(SELECT DISTINCT person AS email FROM access_requests WHERE tenant_id = ${tenantId})`,
  ],
};

/** Returns the kinds of the filter. A role and a state are those of console users. */
function kindsOf({ filter: { kind, role, state } }: Scope): readonly IdentityKind[] {
  if (role === undefined && state === undefined)
    return kind === undefined ? IDENTITY_KINDS : [kind];
  return kind === undefined || kind === 'console' ? ['console'] : [];
}

/** Selects at most `limit` addresses of a source in the order of the list. */
function addressesOf(scope: Scope, source: RawBuilder<unknown>, limit: number) {
  const { query } = scope.filter;
  const after = addressAfter(scope);
  return sql<{ email: string }>`
    SELECT email FROM ${source} source(email)
    WHERE ${after === undefined ? ANY : past(scope, sql`email`, sql`${after}`)}
      AND ${query === undefined ? ANY : sql`email LIKE ${containsPattern(query)}`}
    ORDER BY email ${direction(scope)} LIMIT ${limit}`;
}

/** Reads the addresses in the logs by queries of their own: Citus joins no recursive query to a table of the coordinator. */
async function readLogged(db: Db, scope: Scope, limit: number): Promise<SourceScope> {
  if (!kindsOf(scope).includes('gateway')) return { ...scope, logged: [] };
  const requests = await rows(db, addressesOf(scope, loggedUsers(scope, 'llm_requests'), limit));
  const calls = await rows(db, addressesOf(scope, loggedUsers(scope, 'mcp_tool_calls'), limit));
  return { ...scope, logged: [...requests, ...calls].map(({ email }) => email) };
}

function addresses(scope: SourceScope, limit: number) {
  const sources = kindsOf(scope)
    .flatMap((kind) => SOURCES[kind](scope))
    .map((source) => sql`(${addressesOf(scope, source, limit)})`);
  return sql`SELECT DISTINCT email FROM (${sql.join(sources, sql` UNION ALL `)}) named`;
}

export interface IdentityRecord {
  email: string;
  console: boolean;
  device_count: number;
  last_seen_at: Date | null;
  /** The key of an order that is not by address. */
  sort_key: string;
  gateway: boolean;
  group: boolean;
  request: boolean;
}

/** Addresses that an order by another column reads at most. */
const SORTED_MAX = 20_000;

const countDevices = (tenantId: string) => sql`(
  SELECT count(*)::integer AS device_count, max(last_seen_at) AS last_seen_at FROM devices
  WHERE tenant_id = ${tenantId} AND retired_at IS NULL
    AND lower(subscriber_id COLLATE "C") = n.email)`;

/** The key of an order that is not by address, in which a never seen user comes last both ways; null by address. */
function sortKey({ filter: { sort } }: Scope): { key: RawBuilder<unknown>; type: string } | null {
  switch (sort) {
    case 'device_count':
      return { key: sql`device_count`, type: 'integer' };
    case '-device_count':
      return { key: sql`-device_count`, type: 'integer' };
    case 'last_seen_at':
      return { key: sql`extract(epoch FROM coalesce(last_seen_at, 'infinity'))`, type: 'numeric' };
    case '-last_seen_at':
      return {
        key: sql`-extract(epoch FROM coalesce(last_seen_at, '-infinity'))`,
        type: 'numeric',
      };
    default:
      return null;
  }
}

/** Selects a page of addresses with their devices and the key of the order. */
function pageOf(scope: SourceScope, limit: number) {
  const { tenantId } = scope;
  const keyed = sortKey(scope);
  const counted = (named: RawBuilder<unknown>) => sql`
    SELECT n.email, d.device_count, greatest(d.last_seen_at, m.last_sign_in_at) AS last_seen_at,
      m.email_folded IS NOT NULL AS console
    FROM (${named}) n
    CROSS JOIN LATERAL ${countDevices(tenantId)} d
    LEFT JOIN (SELECT email_folded, last_sign_in_at FROM members WHERE tenant_id = ${tenantId}) m
      ON m.email_folded = n.email`;
  if (keyed === null) {
    const named = sql`${addresses(scope, limit)} ORDER BY email ${direction(scope)} LIMIT ${limit}`;
    return sql`SELECT c.*, '' AS sort_key FROM (${counted(named)}) c`;
  }
  const { key, type } = keyed;
  const position = scope.after;
  const isAfter =
    position === undefined
      ? ANY
      : sql`(${key}, email) > (${position[1]}::${sql.raw(type)}, ${position[0]})`;
  return sql`
    SELECT c.*, (${key})::text AS sort_key
    FROM (${counted(addresses(scope, SORTED_MAX))}) c
    WHERE ${isAfter} ORDER BY ${key}, email LIMIT ${limit}`;
}

/** Returns a page of users. An order that is not by address reads every address, up to a maximum. */
export async function selectIdentities(
  db: Db,
  scope: Scope,
  limit: number,
): Promise<IdentityRecord[]> {
  if (kindsOf(scope).length === 0) return [];
  const { tenantId, since } = scope;
  const isLogged = (table: 'llm_requests' | 'mcp_tool_calls') => sql`EXISTS (
    SELECT FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}
      AND user_email = p.email AND at >= ${since}::timestamptz)`;
  const key = sortKey(scope)?.key;
  const read = await readLogged(db, scope, key === undefined ? limit : SORTED_MAX);
  return rows(
    db,
    sql<IdentityRecord>`
      SELECT p.email, p.device_count, p.last_seen_at, p.sort_key, p.console,
        ${isLogged('llm_requests')} OR ${isLogged('mcp_tool_calls')} AS gateway,
        EXISTS (SELECT FROM people_group_members
          WHERE tenant_id = ${tenantId} AND email_folded = p.email) AS "group",
        EXISTS (SELECT FROM access_requests
          WHERE tenant_id = ${tenantId} AND person = p.email) AS request
      FROM (${pageOf(read, limit)}) p
      ORDER BY ${key === undefined ? sql`` : sql`${key}, `} p.email ${direction(scope)}`,
  );
}

/** Users that the list counts at most: each address costs a step in every partition of the logs. */
const COUNTED_MAX = 5_000;

/** Returns how many users the list has with this filter; null where they are too many to count. */
export async function countIdentities(db: Db, scope: Scope): Promise<number | null> {
  if (kindsOf(scope).length === 0) return 0;
  const read = await readLogged(db, scope, COUNTED_MAX + 1);
  return countRows(db, addresses(read, COUNTED_MAX + 1), COUNTED_MAX);
}
