// SQL that reads the audit trail.
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditEventRow, AuditFilter } from '@gatewarden/shared/wire/console/audit.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import { ANY, timeOrder } from '../../../platform/http/lists/console-lists.ts';

export interface AuditRecord extends Omit<AuditEventRow, 'at'> {
  at: Date;
  sort_key: string;
}

const COLUMNS = sql`
  event_id, at, actor, operation, resource, result, request_id, detail, at::text AS sort_key`;

type PageParameters = [
  tenantId: string,
  filter: AuditFilter,
  after: readonly string[] | undefined,
  limit: number,
];

/** The order of the page; newest first where none is chosen. */
const orderOf = ([, filter, after]: PageParameters) =>
  timeOrder(filter.sort, after, { at: sql`at`, id: sql`event_id` });

export function selectAuditPage(
  db: Db,
  ...asked: PageParameters
): Promise<(AuditRecord & PageRow)[]> {
  const sized = sql`${COLUMNS}, octet_length(detail::text) AS own_bytes`;
  const page = limitPageBytes(selectMatching(sized, ...asked), orderOf(asked).order);
  return rows(db, sql<AuditRecord & PageRow>`${page}`);
}

function selectMatching(columns: RawBuilder<unknown>, ...asked: PageParameters) {
  const [tenantId, filter, , limit] = asked;
  const { order, isAfter } = orderOf(asked);
  const { actor, operation, resource_kind: kind, resource_id: id, from, to } = filter;
  return sql`
      SELECT ${columns} FROM audit_events
      WHERE tenant_id = ${tenantId}
        AND ${actor === undefined ? ANY : sql`lower(actor ->> 'email') = ${foldName(actor)}`}
        AND ${operationCondition(operation)}
        AND ${kind === undefined ? ANY : sql`resource ->> 'kind' = ${kind}`}
        AND ${id === undefined ? ANY : sql`resource ->> 'id' = ${id}`}
        AND ${from === undefined ? ANY : sql`at >= ${from}::timestamptz`}
        AND ${to === undefined ? ANY : sql`at < ${to}::timestamptz`}
        AND ${isAfter}
      ORDER BY ${order} LIMIT ${limit}`;
}

function operationCondition(operation: string | undefined) {
  if (operation === undefined) return ANY;
  if (!operation.endsWith('.*')) return sql`operation = ${operation}`;
  return sql`starts_with(operation, ${operation.slice(0, -1)})`;
}

/** Returns an audit event of the tenant; null if there is none. */
export function selectAuditEvent(
  db: Db,
  tenantId: string,
  eventId: string,
): Promise<AuditRecord | null> {
  return row(
    db,
    sql<AuditRecord>`
      SELECT ${COLUMNS} FROM audit_events WHERE tenant_id = ${tenantId} AND event_id = ${eventId}`,
  );
}
