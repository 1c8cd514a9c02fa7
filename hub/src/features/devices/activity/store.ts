// All SQL of activity: one row for each decision, in daily partitions by receipt; a table of ids makes it once.

import { foldName } from '@gatewarden/shared/names.ts';
import {
  type ActivitySort,
  LOG_ROWS_COUNTED_MAX,
} from '@gatewarden/shared/wire/console/time-sorts.ts';
import type { ActivityEvent, WireProcess } from '@gatewarden/shared/wire/sync/activity.ts';
import { EXECUTION_POLICIES, type ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import {
  columnFacet,
  type Facet,
  facetConditions,
  periodConditions,
  selectHistogram,
} from '../../../platform/db/histogram.ts';
import {
  ANY,
  containsPattern,
  countRows,
  timeOrder,
} from '../../../platform/db/list-conditions.ts';
import { foldedName, foldedText, foldPiece, mayFoldTo } from '../../../platform/db/name-folding.ts';
import { dayOf, receivedWithin, type Span } from '../../../platform/db/time-span.ts';

/** Gives how many were new. */
export async function insertActivity(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  events: readonly ActivityEvent[],
): Promise<number> {
  const records = JSON.stringify(
    events.map((event) => ({ ...event, name_folded: foldName(event.process.name) })),
  );
  const stored = await rows(
    tx,
    sql<{ activity_id: string }>`
      WITH sent AS (
        SELECT * FROM json_to_recordset(${records}::json) AS r(activity_id uuid,
          decided_at timestamptz, process jsonb, name_folded text, application_name text,
          entity_id text, override_id uuid, decision text, enforced boolean, outcome text)
      ), fresh AS (
        INSERT INTO activity_ids (tenant_id, device_id, activity_id, received_on)
        SELECT ${key.tenantId}::uuid, ${key.deviceId}::uuid, activity_id, (now() AT TIME ZONE 'UTC')::date FROM sent
        ORDER BY activity_id
        ON CONFLICT (tenant_id, activity_id, device_id) DO NOTHING RETURNING activity_id
      )
      INSERT INTO activity
        (tenant_id, received_on, activity_id, device_id, received_at, decided_at, process,
         process_name_folded, application_name, entity_id, override_id, decision, enforced, outcome)
      SELECT ${key.tenantId}::uuid, (now() AT TIME ZONE 'UTC')::date, sent.activity_id,
        ${key.deviceId}::uuid, now(), decided_at, process, name_folded, application_name, entity_id,
        override_id, decision, enforced, outcome
      FROM sent JOIN fresh ON fresh.activity_id = sent.activity_id
      RETURNING activity_id`,
  );
  return stored.length;
}

export interface ActivityRecord {
  activity_id: string;
  device_id: string;
  hostname: string;
  subscriber_id: string;
  decided_at: Date;
  received_at: Date;
  process: WireProcess;
  application_name: string | null;
  entity_id: string | null;
  override_id: string | null;
  decision: ExecutionPolicy;
  enforced: boolean;
  outcome: string;
  sort_key: string;
}

/** An event of a list, with the text of its place in an order that is not by time. */
export interface ListedActivity extends ActivityRecord {
  sort_text: string;
}

export interface ActivityFilter {
  device_id?: string;
  entity_id?: string;
  activity_id?: string;
  decision?: string;
  /** The complete name of the app, or of the process if no app is known. */
  app?: string;
  platform?: string;
  from?: string;
  to?: string;
  /** Part of the name of the app or process, of the path, the device or the user. */
  query?: string;
  /** Only what was blocked or quarantined. */
  stopped?: boolean;
  since?: Date;
  sort?: ActivitySort;
}

const COLUMNS = sql`
  a.activity_id, a.device_id, coalesce(d.hostname, '') AS hostname,
  coalesce(d.subscriber_id, '') AS subscriber_id, a.decided_at, a.received_at, a.process,
  a.application_name, a.entity_id, a.override_id, a.decision, a.enforced, a.outcome,
  a.decided_at::text AS sort_key`;

const TABLES = sql`
  activity a LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id`;

/** The filters whose values are counted beside the list. The value of `platform` is of the joined device. */
const facetsOf = (tenantId: string, filter: ActivityFilter): Record<string, Facet> => ({
  decision: columnFacet(sql`a.decision`, filter.decision),
  app: columnFacet(sql`coalesce(a.application_name, a.process ->> 'name')`, filter.app),
  platform: {
    value: sql`d.platform`,
    matches:
      filter.platform === undefined
        ? ANY
        : sql`a.device_id IN (SELECT device_id FROM devices
            WHERE tenant_id = ${tenantId} AND platform = ${filter.platform})`,
  },
});

const listConditions = (tenantId: string, filter: ActivityFilter) =>
  sql`${scopeConditions(tenantId, filter)} AND ${facetConditions(facetsOf(tenantId, filter))}`;

/** The conditions of all filters except the facets. */
function scopeConditions(tenantId: string, filter: ActivityFilter) {
  return sql`a.tenant_id = ${tenantId} AND ${periodConditions(sql`a.decided_at`, filter)}
    AND ${filter.activity_id === undefined ? ANY : sql`a.activity_id = ${filter.activity_id}::uuid`}
    AND ${filter.device_id === undefined ? ANY : sql`a.device_id = ${filter.device_id}::uuid`}
    AND ${filter.entity_id === undefined ? ANY : sql`a.entity_id = ${filter.entity_id}`}
    AND ${filter.stopped === true ? sql`a.decision IN ('block', 'quarantine')` : ANY}
    AND ${filter.since === undefined ? ANY : sql`a.received_at >= ${filter.since}`}
    AND ${filter.query === undefined ? ANY : matchesText(tenantId, filter.query)}`;
}

function matchesText(tenantId: string, text: string) {
  const pattern = containsPattern(foldPiece(text));
  const folded = (column: RawBuilder<unknown>) => sql`${foldedText(column)} LIKE ${pattern}`;
  return sql`(${foldedName(sql`a.process_name_folded`, pattern)} LIKE ${pattern}
    OR ${folded(sql`a.application_name`)} OR ${folded(sql`(a.process ->> 'executable_path')`)}
    OR a.device_id IN (SELECT device_id FROM devices WHERE tenant_id = ${tenantId}
      AND (${folded(sql`hostname`)} OR ${folded(sql`subscriber_id`)})))`;
}

/** The text of each order that is not by time. */
const SORT_TEXTS = {
  process: sql`lower(coalesce(a.application_name, a.process ->> 'name', ''))`,
  device: sql`lower(coalesce(d.hostname, ''))`,
  user: sql`lower(coalesce(d.subscriber_id, ''))`,
  policy: sql`coalesce(array_position(${sql.val(EXECUTION_POLICIES)}::text[], a.decision), 0)::text`,
};

/** Returns the order of the list, and the condition for events after the cursor's position: time, id and text. */
function orderOf(sort: ActivitySort, after: readonly string[] | undefined) {
  const keys = { at: sql`a.decided_at`, id: sql`a.activity_id` };
  if (sort === 'time' || sort === '-time') {
    return { ...timeOrder(sort, after, keys), text: sql`''` };
  }
  const newest = timeOrder('-time', after, keys);
  const isDescending = sort.startsWith('-');
  const text = SORT_TEXTS[sort.replace('-', '') as keyof typeof SORT_TEXTS];
  const order = sql`${text} ${isDescending ? sql`DESC` : sql`ASC`}, ${newest.order}`;
  if (after === undefined) return { order, text, isAfter: ANY };
  const isPast = isDescending ? sql`${text} < ${after[2]}` : sql`${text} > ${after[2]}`;
  return {
    order,
    text,
    isAfter: sql`(${isPast} OR (${text} = ${after[2]} AND ${newest.isAfter}))`,
  };
}

/** Returns events, newest first where no order is chosen. A search and an order by text read every event of the tenant. */
export function selectActivity(
  db: Db,
  tenantId: string,
  filter: ActivityFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedActivity[]> {
  const { order, isAfter, text } = orderOf(filter.sort ?? '-time', after);
  return rows(
    db,
    sql<ListedActivity>`
      SELECT ${COLUMNS}, ${text} AS sort_text FROM ${TABLES}
      WHERE ${listConditions(tenantId, filter)} AND ${isAfter}
      ORDER BY ${order} LIMIT ${limit}`,
  );
}

/** Returns how many events the list has with this filter; null where they are too many to count. */
export const countActivity = (
  db: Db,
  tenantId: string,
  filter: ActivityFilter,
): Promise<number | null> =>
  countRows(
    db,
    sql`SELECT 1 FROM activity a WHERE ${listConditions(tenantId, filter)}`,
    LOG_ROWS_COUNTED_MAX,
  );

/** Returns the counts of events by time and facet, stacked by policy. */
export const selectActivityHistogram = (db: Db, tenantId: string, filter: ActivityFilter) =>
  selectHistogram(db, {
    source: sql`FROM ${TABLES} WHERE ${scopeConditions(tenantId, filter)}`,
    at: sql`a.decided_at`,
    facets: facetsOf(tenantId, filter),
    series: 'decision',
    ...{ from: filter.from, to: filter.to },
  });

/** Returns an event of a device; null if it is unknown or older than `since`. */
export function selectOneActivity(
  db: Db,
  tenantId: string,
  which: { deviceId: string; activityId: string; since: Date | null },
): Promise<ActivityRecord | null> {
  return row(
    db,
    sql<ActivityRecord>`
      SELECT ${COLUMNS} FROM activity_ids i
      JOIN activity a ON a.tenant_id = i.tenant_id AND a.received_on = i.received_on
        AND a.activity_id = i.activity_id AND a.device_id = i.device_id
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      WHERE i.tenant_id = ${tenantId} AND i.activity_id = ${which.activityId}
        AND i.device_id = ${which.deviceId}
        AND ${which.since === null ? ANY : sql`a.received_at >= ${which.since}`}`,
  );
}

export interface RecentProcess {
  device_id: string;
  process: WireProcess;
  application_name: string | null;
  entity_id: string | null;
  /** How many decisions about it there were, and when the newest came. */
  count: number;
  last_at: Date;
}

/** A process as an override matches it. Its path identifies the file, because another file has another hash. */
const PROCESS = sql`device_id, process_name_folded, entity_id, application_name, process ->> 'executable_path'`;

/**
 * Distinct processes that devices decided about lately, for previews (not those that a guard rail keeps from being ended,
 * nor late reports of earlier activity): of these entities or (folded) names where `meant`
 * has some, and on the devices `among`; null: on all.
 */
export function selectRecentProcesses(
  db: Db,
  tenantId: string,
  asked: {
    since: Date;
    meant: { entityIds: readonly string[]; names: readonly string[] } | { sha256: string } | null;
    among: readonly string[] | null;
  },
  limit: number,
): Promise<RecentProcess[]> {
  const { since, meant, among } = asked;
  // Decisions hold no hash.
  const isNamed = meant !== null && 'names' in meant;
  return rows(
    db,
    sql<RecentProcess>`
      SELECT DISTINCT ON (${PROCESS})
        device_id, process, application_name, entity_id, received_at AS last_at,
        count(*) OVER (PARTITION BY ${PROCESS})::integer AS count
      FROM activity WHERE tenant_id = ${tenantId} AND received_at > ${since}
        AND received_on >= ${dayOf(since)} AND decided_at > ${since} AND outcome <> 'refused'
        AND ${among === null ? ANY : sql`device_id = ANY (${among}::uuid[])`}
        AND ${
          isNamed
            ? sql`(entity_id = ANY (${meant.entityIds}::text[])
                OR process_name_folded = ANY (${meant.names}::text[])
                OR ${mayFoldTo(sql`application_name`, meant.names)})`
            : ANY
        }
      ORDER BY ${PROCESS}, received_at DESC LIMIT ${limit}`,
  );
}

/** Deletes events, of the time range if it is given. Returns their number. */
export async function eraseActivity(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  within?: Span,
): Promise<number> {
  const records = await rows(
    tx,
    sql`
      DELETE FROM activity WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND ${receivedWithin(within)}
      RETURNING activity_id`,
  );
  return records.length;
}

/**
 * How often this override has ended something, or kept it from starting, since then. What a guard rail refused, what
 * could not be ended and what a device that only watches reports are no blocks. What `openBreakers` only reported are:
 * they stopped ending because it had become too much.
 */
export async function countBlocks(
  db: Db,
  tenantId: string,
  which: { overrideId: string; since: Date; openBreakers: readonly string[] },
): Promise<number> {
  const { overrideId, since, openBreakers } = which;
  const record = await row(
    db,
    sql<{ blocks: number }>`
      SELECT count(*)::integer AS blocks FROM activity
      WHERE tenant_id = ${tenantId} AND received_at > ${since} AND received_on >= ${dayOf(since)}
        AND override_id = ${overrideId} AND decision IN ('block', 'quarantine')
        AND (enforced OR (outcome = 'reported' AND device_id = ANY (${openBreakers}::uuid[])))`,
  );
  return record?.blocks ?? 0;
}
