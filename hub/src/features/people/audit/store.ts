// SQL that reads the audit trail.
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditEventRow, AuditFilter } from '@gatewarden/shared/wire/console/audit.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import {
  columnFacet,
  type Facet,
  facetConditions,
  periodConditions,
  selectHistogram,
} from '../../../platform/db/histogram.ts';
import { ANY, countRows, timeOrder } from '../../../platform/db/list-conditions.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';

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
  return sql`
      SELECT ${columns} FROM audit_events
      WHERE ${scopeConditions(tenantId, filter)} AND ${facetConditions(facetsOf(filter))}
        AND ${isAfter}
      ORDER BY ${order} LIMIT ${limit}`;
}

/** The filters whose values are counted beside the list. */
const facetsOf = ({
  actor,
  operation,
  resource_kind: kind,
}: AuditFilter): Record<string, Facet> => ({
  actor: {
    value: sql`lower(actor ->> 'email')`,
    matches: actor === undefined ? ANY : sql`lower(actor ->> 'email') = ${foldName(actor)}`,
  },
  operation: { value: sql`operation`, matches: operationCondition(operation) },
  resource_kind: columnFacet(sql`resource ->> 'kind'`, kind),
});

/** Returns how many events the list has with this filter; null where they are too many to count. */
export const countAuditEvents = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
): Promise<number | null> =>
  countRows(
    db,
    sql`SELECT 1 FROM audit_events
      WHERE ${scopeConditions(tenantId, filter)} AND ${facetConditions(facetsOf(filter))}`,
    LOG_ROWS_COUNTED_MAX,
  );

/** The conditions of all filters except the facets. */
const scopeConditions = (tenantId: string, { resource_id: id, ...period }: AuditFilter) => sql`
  tenant_id = ${tenantId} AND ${periodConditions(sql`at`, period)}
  AND ${id === undefined ? ANY : sql`resource ->> 'id' = ${id}`}`;

/** Returns the counts of events by time and facet, stacked by the kind of the resource. */
export const selectAuditHistogram = (db: Db, tenantId: string, filter: AuditFilter) =>
  selectHistogram(db, {
    source: sql`FROM audit_events WHERE ${scopeConditions(tenantId, filter)}`,
    at: sql`at`,
    facets: facetsOf(filter),
    series: 'resource_kind',
    ...{ from: filter.from, to: filter.to },
  });

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
