// All SQL of alerts. Partitions are by receipt; the small table of ids decides what is new, also after midnight.

import { foldName } from '@gatewarden/shared/names.ts';
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import type { TimeSort } from '@gatewarden/shared/wire/console/time-sorts.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import {
  columnFacet,
  type Facet,
  facetConditions,
  periodConditions,
  selectHistogram,
} from '../../../platform/db/histogram.ts';
import { ANY, countRows, timeOrder } from '../../../platform/db/list-conditions.ts';
import { receivedWithin, type Span } from '../../../platform/db/time-span.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

/** Returns the new ids; a repeated alert is stored and notified once. */
export async function insertAlerts(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  alerts: readonly WireAlert[],
): Promise<string[]> {
  const stored = await rows(
    tx,
    sql<{ alert_id: string }>`
      WITH sent AS (
        SELECT * FROM json_to_recordset(${JSON.stringify(alerts)}::json) AS r(alert_id uuid,
          occurred_at timestamptz, severity text, action text, code text, application_name text,
          process jsonb, override_id uuid, outcome text, message text, queued boolean)
      ), fresh AS (
        INSERT INTO alert_ids (tenant_id, device_id, alert_id, received_on)
        SELECT ${key.tenantId}::uuid, ${key.deviceId}::uuid, alert_id, (now() AT TIME ZONE 'UTC')::date FROM sent
        ORDER BY alert_id
        ON CONFLICT (tenant_id, alert_id, device_id) DO NOTHING RETURNING alert_id
      )
      INSERT INTO alerts
        (tenant_id, received_on, alert_id, device_id, received_at, occurred_at, severity, action,
         code, application_name, process, override_id, outcome, message, queued)
      SELECT ${key.tenantId}::uuid, (now() AT TIME ZONE 'UTC')::date, sent.alert_id,
        ${key.deviceId}::uuid, now(), occurred_at, severity, action, code, application_name,
        nullif(process, 'null'::jsonb), override_id, outcome, message, queued
      FROM sent JOIN fresh ON fresh.alert_id = sent.alert_id
      RETURNING alert_id`,
  );
  return stored.map((record) => record.alert_id);
}

/** Returns the notification contents of these alerts, in the same order, without deleted alerts. */
export function selectSentAlerts(
  db: Db,
  tenantId: string,
  which: readonly { alert_id: string; device_id: string }[],
): Promise<SentAlert[]> {
  const wanted = which.map((record, place) => ({ ...record, place }));
  return rows(
    db,
    sql<SentAlert>`
      SELECT a.alert_id, a.device_id, coalesce(d.hostname, '') AS hostname,
        coalesce(d.subscriber_id, '') AS subscriber_id, a.occurred_at, a.received_at, a.severity,
        a.action, a.code, a.application_name, a.process, a.override_id, a.outcome, a.message
      FROM json_to_recordset(${JSON.stringify(wanted)}::json)
        AS w(alert_id uuid, device_id uuid, place integer)
      JOIN alert_ids i ON i.alert_id = w.alert_id AND i.device_id = w.device_id
      JOIN alerts a ON a.tenant_id = i.tenant_id AND a.received_on = i.received_on
        AND a.alert_id = i.alert_id AND a.device_id = i.device_id
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      WHERE i.tenant_id = ${tenantId} ORDER BY w.place`,
  );
}

export type SentAlert = Omit<
  AlertRecord,
  | 'queued'
  | 'acknowledged_at'
  | 'acknowledged_by'
  | 'assigned_to'
  | 'assigned_at'
  | 'resolution'
  | 'resolution_comment'
  | 'sort_key'
>;

export interface AlertRecord
  extends Omit<
    AlertRow,
    'occurred_at' | 'received_at' | 'acknowledged_at' | 'assigned_at' | 'state'
  > {
  occurred_at: Date;
  received_at: Date;
  acknowledged_at: Date | null;
  assigned_at: Date | null;
  sort_key: string;
}

const COLUMNS = sql`
  a.alert_id, a.device_id, coalesce(d.hostname, '') AS hostname,
  coalesce(d.subscriber_id, '') AS subscriber_id, a.occurred_at, a.received_at, a.severity,
  a.action, a.code, a.application_name, a.process, a.override_id, a.outcome, a.message, a.queued,
  a.acknowledged_at, a.acknowledged_by, a.assigned_to, a.assigned_at, a.resolution,
  a.resolution_comment, a.occurred_at::text AS sort_key`;

export interface AlertFilter {
  severity?: string;
  state?: 'open' | 'acknowledged';
  device_id?: string;
  /** The user of the devices, in any case. */
  subscriber_id?: string;
  /** An address; null: nobody's. */
  assignedTo?: string | null | undefined;
  /** Per day: alerts of a device about an application by a rule. */
  group?: { id: string; day: string };
  action?: string;
  /** The complete name of the app, or of the process if no app is known. */
  app?: string;
  from?: string;
  to?: string;
  sort?: TimeSort;
}

/** A cluster: alerts of a device about an application by a rule. */
const GROUP_ID = sql`md5(jsonb_build_array(a.device_id, a.action, a.code, a.application_name)::text)`;

/** The filters whose values are counted beside the list. */
const facetsOf = ({ severity, state, action, app }: AlertFilter): Record<string, Facet> => ({
  severity: columnFacet(sql`a.severity`, severity),
  state: {
    value: sql`CASE WHEN a.acknowledged_at IS NULL THEN 'open' ELSE 'acknowledged' END`,
    matches:
      state === undefined
        ? ANY
        : sql`a.acknowledged_at ${state === 'open' ? sql`IS NULL` : sql`IS NOT NULL`}`,
  },
  action: columnFacet(sql`a.action`, action),
  app: columnFacet(sql`coalesce(a.application_name, a.process ->> 'name')`, app),
});

const isMeant = (tenantId: string, filter: AlertFilter) =>
  sql`${isInScope(tenantId, filter)} AND ${facetConditions(facetsOf(filter))}`;

/** The conditions of all filters except the facets. */
function isInScope(tenantId: string, { group, ...filter }: AlertFilter) {
  return sql`a.tenant_id = ${tenantId} AND ${periodConditions(sql`a.occurred_at`, filter)}
    AND ${filter.device_id === undefined ? ANY : sql`a.device_id = ${filter.device_id}::uuid`}
    AND ${filter.subscriber_id === undefined ? ANY : isOfUser(tenantId, filter.subscriber_id)}
    AND ${isAssigned(filter.assignedTo)}
    AND ${group === undefined ? ANY : sql`a.received_on = ${group.day}::date AND ${GROUP_ID} = ${group.id}`}`;
}

const isOfUser = (tenantId: string, user: string) => sql`a.device_id IN (
  SELECT device_id FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL
    AND lower(subscriber_id COLLATE "C") = ${foldName(user)})`;

/** Returns alerts by the time of the event, newest first where no order is chosen. */
export function selectAlerts(
  db: Db,
  tenantId: string,
  filter: AlertFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<AlertRecord[]> {
  const keys = { at: sql`a.occurred_at`, id: sql`a.alert_id` };
  const { order, isAfter } = timeOrder(filter.sort, after, keys);
  return rows(
    db,
    sql<AlertRecord>`
      SELECT ${COLUMNS} FROM alerts a
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      WHERE ${isMeant(tenantId, filter)} AND ${isAfter}
      ORDER BY ${order} LIMIT ${limit}`,
  );
}

/** Returns the counts of alerts by time and facet, stacked by severity. */
export const selectAlertHistogram = (db: Db, tenantId: string, filter: AlertFilter) =>
  selectHistogram(db, {
    source: sql`FROM alerts a WHERE ${isInScope(tenantId, filter)}`,
    at: sql`a.occurred_at`,
    facets: facetsOf(filter),
    series: 'severity',
    ...{ from: filter.from, to: filter.to },
  });

/** Alerts that the list counts at most: a tenant may have millions. */
const COUNTED_MOST = 10_000;

/** Returns how many alerts the list has with this filter; null where they are too many to count. */
export const countAlerts = (
  db: Db,
  tenantId: string,
  filter: AlertFilter,
): Promise<number | null> =>
  countRows(db, sql`SELECT 1 FROM alerts a WHERE ${isMeant(tenantId, filter)}`, COUNTED_MOST);

export interface AlertGroupRecord extends AlertRecord {
  group: string;
  day: string;
  count: number;
  open: number;
  first_at: Date;
  last_at: Date;
  last_text: string;
}

/**
 * Clusters, by their newest alert in descending order. Day by day, as the partitions are: of a long history only those days are
 * gathered that fill the page. A position is the day, the time of its newest alert, and the group.
 */
export async function selectAlertGroups(
  db: Db,
  tenantId: string,
  filter: AlertFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<AlertGroupRecord[]> {
  const found: AlertGroupRecord[] = [];
  let position = after;
  let day = after?.[0] ?? (await selectNewestDay(db, tenantId, filter, null));
  while (day !== null) {
    found.push(
      ...(await selectGroupsOfDay(db, tenantId, filter, day, position, limit - found.length)),
    );
    if (found.length >= limit) return found;
    position = undefined;
    day = await selectNewestDay(db, tenantId, filter, day);
  }
  return found;
}

/** Returns the newest day with a matching alert before `before`. */
async function selectNewestDay(
  db: Db,
  tenantId: string,
  filter: AlertFilter,
  before: string | null,
): Promise<string | null> {
  const record = await row(
    db,
    sql<{ day: string }>`
      SELECT a.received_on::text AS day FROM alerts a
      WHERE ${isMeant(tenantId, filter)}
        AND ${before === null ? ANY : sql`a.received_on < ${before}::date AND a.received_at < ${before}::date::timestamp AT TIME ZONE 'UTC'`}
      ORDER BY a.received_at DESC LIMIT 1`,
  );
  return record?.day ?? null;
}

function selectGroupsOfDay(
  db: Db,
  tenantId: string,
  filter: AlertFilter,
  day: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<AlertGroupRecord[]> {
  const rest =
    after === undefined
      ? ANY
      : sql`(max(a.received_at) < ${after[1]}::timestamptz OR (max(a.received_at) = ${after[1]}::timestamptz AND ${GROUP_ID} > ${after[2]}))`;
  return rows(
    db,
    sql<AlertGroupRecord>`
      SELECT ${COLUMNS}, g."group", ${day}::text AS day, g.count, g.open, g.first_at, g.last_at,
        g.last_at::text AS last_text
      FROM (
        SELECT ${GROUP_ID} AS "group", a.device_id, count(*) AS count,
          count(*) FILTER (WHERE a.acknowledged_at IS NULL) AS open, min(a.received_at) AS first_at,
          max(a.received_at) AS last_at,
          (array_agg(a.alert_id ORDER BY a.received_at DESC, a.alert_id))[1] AS newest
        FROM alerts a WHERE ${isMeant(tenantId, filter)} AND a.received_on = ${day}::date
        GROUP BY a.device_id, a.action, a.code, a.application_name HAVING ${rest}
        ORDER BY max(a.received_at) DESC, 1 LIMIT ${limit}) g
      JOIN alerts a ON a.tenant_id = ${tenantId} AND a.received_on = ${day}::date
        AND a.alert_id = g.newest AND a.device_id = g.device_id
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      ORDER BY g.last_at DESC, g."group"`,
  );
}

function isAssigned(to: string | null | undefined) {
  if (to === undefined) return ANY;
  return to === null ? sql`a.assigned_to IS NULL` : sql`lower(a.assigned_to) = lower(${to})`;
}

/**
 * Gives the alert to somebody, or to nobody, where it still is whose it was; null where there is no such alert.
 * Without a device, every device's alert of this id.
 */
export async function assignAlert(
  tx: Tx,
  tenantId: string,
  which: { alertId: string; deviceId: string | null },
  to: string | null,
  before: string | null,
): Promise<{ alert: AlertRecord; isChanged: boolean } | null> {
  const { alertId, deviceId } = which;
  const ofDevice = deviceId === null ? ANY : sql`a.device_id = ${deviceId}::uuid`;
  const changed = await row(
    tx,
    sql`
      UPDATE alerts a
      SET assigned_to = ${to}, assigned_at = CASE WHEN ${to}::text IS NOT NULL THEN now() END
      WHERE a.tenant_id = ${tenantId} AND a.alert_id = ${alertId} AND ${ofDevice}
        AND a.assigned_to IS NOT DISTINCT FROM ${before} AND a.assigned_to IS DISTINCT FROM ${to}
        AND a.received_on IN (SELECT received_on FROM alert_ids
          WHERE tenant_id = ${tenantId} AND alert_id = ${alertId})
      RETURNING a.alert_id`,
  );
  const alert = await selectOneAlert(tx, tenantId, which);
  return alert === null ? null : { alert, isChanged: changed !== null };
}

/** Returns the newest alert with this id, of any device if none is named. */
export function selectOneAlert(
  db: Db,
  tenantId: string,
  { alertId, deviceId }: { alertId: string; deviceId: string | null },
): Promise<AlertRecord | null> {
  return row(
    db,
    sql<AlertRecord>`
      SELECT ${COLUMNS} FROM alerts a
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      WHERE a.tenant_id = ${tenantId} AND a.alert_id = ${alertId}
        AND ${deviceId === null ? ANY : sql`a.device_id = ${deviceId}::uuid`}
      ORDER BY a.received_at DESC LIMIT 1`,
  );
}

/**
 * The first person who acknowledges is recorded; null when there is no such alert. Without a device, every
 * device's alert of this id.
 */
export async function acknowledgeAlert(
  tx: Tx,
  tenantId: string,
  which: { alertId: string; deviceId: string | null },
  by: string,
): Promise<{ alert: AlertRecord; isFirst: boolean } | null> {
  const { alertId, deviceId } = which;
  const ofDevice = deviceId === null ? ANY : sql`a.device_id = ${deviceId}::uuid`;
  const changed = await row(
    tx,
    sql<{ alert_id: string }>`
      UPDATE alerts a SET acknowledged_at = now(), acknowledged_by = ${by}
      WHERE a.tenant_id = ${tenantId} AND a.alert_id = ${alertId} AND a.acknowledged_at IS NULL
        AND ${ofDevice} AND a.received_on IN (SELECT received_on FROM alert_ids
          WHERE tenant_id = ${tenantId} AND alert_id = ${alertId})
      RETURNING a.alert_id`,
  );
  const alert = await selectOneAlert(tx, tenantId, which);
  return alert === null ? null : { alert, isFirst: changed !== null };
}

/**
 * Acknowledges what is open of a group and came until then; gives how many those were. Times are shown in milliseconds and
 * stored in microseconds: alerts within the last microsecond count as seen.
 */
export async function acknowledgeGroup(
  tx: Tx,
  tenantId: string,
  filter: AlertFilter & Required<Pick<AlertFilter, 'group'>>,
  { by, until }: { by: string; until: string },
): Promise<number> {
  // Two statements: a sharded database cannot update rows by a subquery that reads the group's rows.
  const meant = await rows(
    tx,
    sql<{ alert_id: string; device_id: string; received_on: string }>`
      SELECT a.alert_id, a.device_id, a.received_on::text AS received_on FROM alerts a
      WHERE ${isMeant(tenantId, { ...filter, state: 'open' })}
        AND a.received_at < ${until}::timestamptz + interval '1 millisecond'`,
  );
  const done = await rows(
    tx,
    sql`
      UPDATE alerts a SET acknowledged_at = now(), acknowledged_by = ${by}
      FROM unnest(${meant.map((record) => record.alert_id)}::uuid[],
        ${meant.map((record) => record.device_id)}::uuid[],
        ${meant.map((record) => record.received_on)}::date[]) AS r(alert_id, device_id, received_on)
      WHERE a.tenant_id = ${tenantId} AND a.received_on = r.received_on
        AND a.alert_id = r.alert_id AND a.device_id = r.device_id AND a.acknowledged_at IS NULL
      RETURNING a.alert_id`,
  );
  return done.length;
}

/** Identifies an alert: two devices may use the same alert id. */
export interface AlertKey {
  alert_id: string;
  device_id: string;
}

/** An alert to resolve. Without `instead_of`, any earlier resolution is replaced. */
export interface AlertToResolve extends AlertKey {
  /** The resolution that the caller saw; null for none. */
  instead_of?: string | null;
}

/**
 * Resolves alerts in the name of `by`. Returns the alerts that changed: an alert that has this resolution and comment already
 * is not among them. Throws `precondition_failed` if an alert has another resolution than the caller saw.
 */
export async function resolveAlerts(
  tx: Tx,
  tenantId: string,
  alerts: readonly AlertToResolve[],
  { by, resolution, comment }: { by: string; resolution: string; comment: string | null },
): Promise<AlertKey[]> {
  // The partition keys are read first, so that a sharded database updates each partition directly.
  const stored = await rows(
    tx,
    sql<AlertKey & { received_on: string; is_any: boolean; instead_of: string | null }>`
      SELECT i.alert_id, i.device_id, i.received_on::text AS received_on, r.is_any, r.instead_of
      FROM alert_ids i
      JOIN unnest(${alerts.map((alert) => alert.alert_id)}::uuid[],
        ${alerts.map((alert) => alert.device_id)}::uuid[],
        ${alerts.map((alert) => alert.instead_of === undefined)}::boolean[],
        ${alerts.map((alert) => alert.instead_of ?? null)}::text[])
        AS r(alert_id, device_id, is_any, instead_of)
        ON r.alert_id = i.alert_id AND r.device_id = i.device_id
      WHERE i.tenant_id = ${tenantId}`,
  );
  const requested = sql`unnest(${stored.map((alert) => alert.alert_id)}::uuid[],
    ${stored.map((alert) => alert.device_id)}::uuid[],
    ${stored.map((alert) => alert.received_on)}::date[],
    ${stored.map((alert) => alert.is_any)}::boolean[],
    ${stored.map((alert) => alert.instead_of)}::text[])
    AS r(alert_id, device_id, received_on, is_any, instead_of)`;
  const differing = sql`a.tenant_id = ${tenantId} AND a.received_on = r.received_on
    AND a.alert_id = r.alert_id AND a.device_id = r.device_id
    AND (a.resolution, a.resolution_comment) IS DISTINCT FROM (${resolution}::text, ${comment}::text)`;
  const changed = await rows(
    tx,
    sql<AlertKey>`
      UPDATE alerts a SET resolution = ${resolution}, resolution_comment = ${comment},
        acknowledged_at = now(), acknowledged_by = ${by}
      FROM ${requested}
      WHERE ${differing} AND (r.is_any OR a.resolution IS NOT DISTINCT FROM r.instead_of)
      RETURNING a.alert_id, a.device_id`,
  );
  const overtaken = await row(
    tx,
    sql`SELECT a.alert_id FROM alerts a, ${requested} WHERE ${differing} LIMIT 1`,
  );
  if (overtaken !== null) throw new HubError('precondition_failed');
  return changed;
}

/** Deletes alerts, of the time range if it is given. Returns their number. */
export async function eraseAlerts(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  within?: Span,
): Promise<number> {
  const records = await rows(
    tx,
    sql`
      DELETE FROM alerts WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND ${receivedWithin(within)}
      RETURNING alert_id`,
  );
  return records.length;
}

/** How many are open, by severity, none left out that has some; each is counted to `most`. */
export function countOpenAlerts(
  db: Db,
  tenantId: string,
  most: number,
): Promise<{ severity: AlertRow['severity']; count: number }[]> {
  return rows(
    db,
    // One branch for each severity: a plan of its own, by the index of the open ones of that severity.
    sql<{ severity: AlertRow['severity']; count: number }>`
      SELECT severity, count(*) AS count FROM (${sql.join(
        SEVERITIES.map(
          (severity) => sql`(
            SELECT severity FROM alerts
            WHERE tenant_id = ${tenantId} AND acknowledged_at IS NULL AND severity = ${severity}
            LIMIT ${most})`,
        ),
        sql` UNION ALL `,
      )}) open
      GROUP BY severity`,
  );
}

/** Returns how many open alerts these devices have, counted to `most`. */
export async function countOpenAlertsOf(
  db: Db,
  tenantId: string,
  deviceIds: readonly string[],
  most: number,
): Promise<number> {
  if (deviceIds.length === 0) return 0;
  const counted = await row(
    db,
    sql<{ open: number }>`
      SELECT count(*)::integer AS open FROM (
        SELECT FROM alerts WHERE tenant_id = ${tenantId} AND acknowledged_at IS NULL
          AND device_id = ANY (${deviceIds}::uuid[]) LIMIT ${most}) open_alerts`,
  );
  return counted?.open ?? 0;
}

/** Returns the alerts that agents sent about themselves with this code in the last days, newest first. */
export function selectAlertsWithCode(
  db: Db,
  tenantId: string,
  code: string,
  days: number,
  limit: number,
): Promise<
  { alert_id: string; device_id: string; hostname: string; message: string; received_at: Date }[]
> {
  return rows(
    db,
    sql<{
      alert_id: string;
      device_id: string;
      hostname: string;
      message: string;
      received_at: Date;
    }>`
      SELECT a.alert_id, a.device_id, coalesce(d.hostname, '') AS hostname, a.message, a.received_at
      FROM alerts a
      LEFT JOIN devices d ON d.tenant_id = a.tenant_id AND d.device_id = a.device_id
      WHERE a.tenant_id = ${tenantId} AND a.code = ${code}
        AND a.received_at > now() - make_interval(days => ${days}::integer)
      ORDER BY a.received_at DESC, a.alert_id LIMIT ${limit}`,
  );
}
