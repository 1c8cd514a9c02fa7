// All SQL that reads devices and a device's entities for people; products: product-read-store.ts.
// Times in sort keys travel as text with microseconds, because a Date would cut them.

import type {
  DeviceRow,
  DeviceSort,
  DeviceState,
} from '@gatewarden/shared/wire/console/devices.ts';
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { ANY, containsPattern, countRows } from '../../../platform/db/list-conditions.ts';
import { foldedText, foldPiece } from '../../../platform/db/name-folding.ts';
import {
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';

type Position = readonly string[] | undefined;

export interface DeviceRecord
  extends Omit<
    DeviceRow,
    | 'first_seen_at'
    | 'last_seen_at'
    | 'last_scan_at'
    | 'governance'
    | 'duplicate_since'
    | 'claim'
    | 'retired_at'
  > {
  first_seen_at: Date;
  last_seen_at: Date;
  last_scan_at: Date | null;
  governance_state: DeviceRow['governance']['state'];
  governance_since: Date | null;
  duplicate_since: Date | null;
  claim: Omit<NonNullable<DeviceRow['claim']>, 'at'> | null;
  claimed_at: Date | null;
  retired_at: Date | null;
  governance_at: Date | null;
  /** Counts what people did with it. */
  version: number;
  sort_key: string;
}

/** The tenant's limit is read and the time reckoned once, not for each device. */
export const isStale = (tenantId: string) => sql<boolean>`
  last_seen_at < (SELECT now() - make_interval(hours => t.stale_after_hours)
    FROM tenants t WHERE t.tenant_id = ${tenantId})`;

const deviceColumns = (tenantId: string) => sql`
  device_id, hostname, platform, os_version, arch, agent_version, subscriber_id, first_seen_at,
  last_seen_at, entity_count, last_scan_at, governance_state, governance_since, governance_at,
  duplicate_since, claim, claimed_at, retired_at, version, ${isStale(tenantId)} AS stale`;
const BY_HOSTNAME = sql`lower(hostname) AS sort_key`;

/** Each order of the device list: its key as text, its order, and what comes after a position. */
const DEVICE_ORDERS = {
  hostname: {
    key: sql`lower(hostname)`,
    order: sql`lower(hostname), device_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(lower(hostname), device_id) > (${at[0]}, ${at[1]}::uuid)`,
  },
  '-last_seen_at': {
    key: sql`last_seen_at::text`,
    order: sql`last_seen_at DESC, device_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(last_seen_at < ${at[0]}::timestamptz OR (last_seen_at = ${at[0]}::timestamptz AND device_id > ${at[1]}::uuid))`,
  },
  '-first_seen_at': {
    key: sql`first_seen_at::text`,
    order: sql`first_seen_at DESC, device_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(first_seen_at < ${at[0]}::timestamptz OR (first_seen_at = ${at[0]}::timestamptz AND device_id > ${at[1]}::uuid))`,
  },
  '-entity_count': {
    key: sql`entity_count::text`,
    order: sql`entity_count DESC, device_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(entity_count < ${at[0]}::integer OR (entity_count = ${at[0]}::integer AND device_id > ${at[1]}::uuid))`,
  },
} as const;

export const SEEN_TODAY = sql<boolean>`last_seen_at > (SELECT now() - interval '1 day')`;

/** Condition on a row `c` of the coverage: the source exists and was to be read, but was not read completely. */
export const IS_GAP = sql<boolean>`c.state NOT IN ('read', 'absent', 'skipped')`;

/** Condition on an app `p`. */
export const IS_FRESH = sql<boolean>`(p.device_count > 0 AND p.first_seen_at > now() - interval '7 days')`;

/** Condition that name, user or id of a device contains the pattern. Ids are slow to search, and most words cannot be an id. */
function isNamed(piece: string) {
  const pattern = containsPattern(piece);
  const isOfId = /^[0-9a-f-]+$/.test(piece) ? sql`device_id::text LIKE ${pattern}` : sql`false`;
  return sql<boolean>`(${foldedText(sql`hostname`)} LIKE ${pattern} OR ${foldedText(sql`subscriber_id`)} LIKE ${pattern} OR ${isOfId})`;
}

/**
 * Retired ones are shown only where they are asked for. `staleHours`: the tenant's limit as a number, so that PostgreSQL
 * knows whether few or most are stale, and reads a few by their time.
 */
function inState(tenantId: string, state: DeviceState | undefined, staleHours: number) {
  if (state === 'retired') return sql<boolean>`retired_at IS NOT NULL`;
  if (state === 'duplicate') {
    return sql<boolean>`retired_at IS NULL AND duplicate_since IS NOT NULL`;
  }
  if (state === 'stale') {
    return sql<boolean>`retired_at IS NULL AND last_seen_at < now() - make_interval(hours => ${staleHours}::integer)`;
  }
  if (state === 'active') return sql<boolean>`retired_at IS NULL AND NOT (${isStale(tenantId)})`;
  return sql<boolean>`retired_at IS NULL`;
}

/** Returns the host name and the user of a device, also of a retired device; null where the tenant has no such device. */
export function selectDeviceName(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<{ hostname: string; subscriber_id: string } | null> {
  return row(
    db,
    sql`SELECT hostname, subscriber_id FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
}

export interface DeviceFilter {
  query?: string;
  platform?: string;
  governance?: string;
  state?: DeviceState;
  seen?: 'today';
  coverage?: 'gaps';
  sort?: DeviceSort;
}

/** Conditions of the list of devices, on columns of `devices`. */
async function deviceConditions(db: Db, tenantId: string, filter: DeviceFilter) {
  const staleHours = filter.state === 'stale' ? await selectStaleHours(db, tenantId) : 0;
  return sql`tenant_id = ${tenantId}
    AND ${inState(tenantId, filter.state, staleHours)}
    AND ${filter.platform === undefined ? ANY : sql`platform = ${filter.platform}`}
    AND ${filter.governance === undefined ? ANY : sql`governance_state = ${filter.governance}`}
    AND ${filter.seen === undefined ? ANY : SEEN_TODAY}
    AND ${filter.coverage === undefined ? ANY : sql`EXISTS (SELECT FROM coverage c WHERE c.tenant_id = devices.tenant_id AND c.device_id = devices.device_id AND ${IS_GAP})`}`;
}

export async function selectDevices(
  db: Db,
  tenantId: string,
  filter: DeviceFilter,
  after: Position,
  limit: number,
): Promise<DeviceRecord[]> {
  const piece = filter.query === undefined ? null : foldPiece(filter.query);
  const sort = DEVICE_ORDERS[filter.sort ?? 'hostname'];
  const own = sql`${await deviceConditions(db, tenantId, filter)}
    AND ${after === undefined ? ANY : sort.after(after)}`;
  const { order } = sort;
  const ask = (scope: SearchScope) =>
    rows(
      db,
      sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)}, ${sort.key} AS sort_key
      FROM ${scopeRows(scope, SEARCHED_DEVICES, { alias: 'devices', own, order })} devices
      WHERE ${own} AND ${piece === null ? ANY : isNamed(piece)}
      ORDER BY ${order} LIMIT ${limit}`,
    );
  if (piece === null) return ask({ in: 'all' });
  const search = { list: SEARCHED_DEVICES, tenantId, pieces: [piece], limit };
  return searchPage(db, search, ask);
}

/** Returns how many devices the list has with this filter; null where they are too many to count. */
export async function countListedDevices(
  db: Db,
  tenantId: string,
  filter: DeviceFilter,
): Promise<number | null> {
  const { query } = filter;
  const own = await deviceConditions(db, tenantId, filter);
  const named = query === undefined ? ANY : isNamed(foldPiece(query));
  return countRows(db, sql`SELECT 1 FROM devices WHERE ${own} AND ${named}`);
}

async function selectStaleHours(db: Db, tenantId: string): Promise<number> {
  const record = await row(
    db,
    sql<{ hours: number }>`
      SELECT stale_after_hours AS hours FROM tenants WHERE tenant_id = ${tenantId}`,
  );
  return record?.hours ?? 0;
}

/** The columns that `isNamed` reads. */
export const SEARCHED_DEVICES: SearchedList = {
  table: 'devices',
  id: 'device_id',
  texts: [foldedText(sql`t.hostname`), foldedText(sql`t.subscriber_id`), sql`t.device_id::text`],
  // Devices are written in many places, also by the previous release during an upgrade.
  isPending: sql`searched_as IS DISTINCT FROM hashtextextended(hostname || E'\\n' || subscriber_id, 0)`,
  markIndexed: sql`searched_as = hashtextextended(hostname || E'\\n' || subscriber_id, 0)`,
};

/** How many there are, and of them those that need a look. */
export async function countDevices(
  db: Db,
  tenantId: string,
): Promise<{ devices: number; stale: number; duplicates: number }> {
  const record = await row(
    db,
    sql<{ devices: number; stale: number; duplicates: number }>`
      SELECT count(*) AS devices, count(*) FILTER (WHERE ${isStale(tenantId)}) AS stale,
        count(duplicate_since) AS duplicates
      FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL`,
  );
  return record ?? { devices: 0, stale: 0, duplicates: 0 };
}

export function selectDevice(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<DeviceRecord | null> {
  return row(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)}, ${BY_HOSTNAME} FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
}

/** The devices of a person: those whose subscriber is this e-mail address, folded. By name. */
export function selectPersonsDevices(
  db: Db,
  tenantId: string,
  person: string,
  after: Position,
  limit: number,
): Promise<DeviceRecord[]> {
  return rows(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)}, ${BY_HOSTNAME} FROM devices
      WHERE tenant_id = ${tenantId} AND ${isOf(person)}
        AND ${after === undefined ? ANY : sql`(lower(hostname), device_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY lower(hostname), device_id LIMIT ${limit}`,
  );
}

/** Returns how many different apps are on these devices now. */
export async function countAppsOn(
  db: Db,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<number> {
  if (deviceIds.length === 0) return 0;
  const counted = await row(
    db,
    sql<{ apps: number }>`
      SELECT count(DISTINCT entity_id)::integer AS apps FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
        AND removed_at IS NULL`,
  );
  return counted?.apps ?? 0;
}

/** Returns a device of the user; null if it belongs to another user, is retired, or does not exist. */
export function selectPersonsDevice(
  db: Db,
  tenantId: string,
  person: string,
  deviceId: string,
): Promise<DeviceRecord | null> {
  return row(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)}, ${BY_HOSTNAME} FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND ${isOf(person)}`,
  );
}

/** Returns the condition that a device belongs to the user with this folded name, and is not retired. */
export const isOf = (person: string) =>
  sql<boolean>`(lower(subscriber_id COLLATE "C") = ${person} AND retired_at IS NULL)`;

export function selectCoverage(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<WireCoverage[]> {
  return rows(
    db,
    sql<WireCoverage>`
      SELECT source, nullif(owner, '') AS owner, state, entities, reason FROM coverage
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} ORDER BY source, owner`,
  );
}

export interface EntityRecord {
  entity_id: string;
  kind: never;
  source: string;
  name: string;
  version: string | null;
  publisher: string | null;
  install_path: string | null;
  executables: string[];
  instances: never[];
  installed_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  removed_at: Date | null;
  sort_key: string;
}

/** Returns the locations of an application: its installation, its programs and its configuration files. */
export const hasPath = (pattern: string) => sql`(${foldedText(sql`install_path`)} LIKE ${pattern}
  OR EXISTS (SELECT 1 FROM jsonb_array_elements_text(executables) path
    WHERE ${foldedText(sql`path`)} LIKE ${pattern})
  OR EXISTS (SELECT 1 FROM jsonb_array_elements(instances) instance
    WHERE ${foldedText(sql`(instance ->> 'path')`)} LIKE ${pattern}))`;

/** Returns the apps on the device; a search reads names, publishers and paths. */
export function selectDeviceEntities(
  db: Db,
  tenantId: string,
  deviceId: string,
  filter: { query?: string; removed: boolean },
  after: Position,
  limit: number,
): Promise<EntityRecord[]> {
  const pattern = filter.query === undefined ? null : containsPattern(foldPiece(filter.query));
  return rows(
    db,
    sql<EntityRecord>`
      SELECT encode(entity_id, 'hex') AS entity_id, kind, source, name, version, publisher,
        install_path, executables, instances, installed_at, first_seen_at,
        -- An unchanged entity is not written, so the device's last scan has seen it.
        CASE WHEN removed_at IS NULL THEN greatest(last_seen_at, (
          SELECT d.last_scan_at FROM devices d
          WHERE d.tenant_id = entities.tenant_id AND d.device_id = entities.device_id))
        ELSE last_seen_at END AS last_seen_at, removed_at, lower(name) AS sort_key
      FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND ${filter.removed ? ANY : sql`removed_at IS NULL`}
        AND ${pattern === null ? ANY : sql`(${foldedText(sql`name`)} LIKE ${pattern} OR ${foldedText(sql`publisher`)} LIKE ${pattern} OR ${hasPath(pattern)})`}
        AND ${after === undefined ? ANY : sql`(lower(name), entity_id) > (${after[0]}, decode(${after[1]}, 'hex'))`}
      ORDER BY lower(name), entity_id LIMIT ${limit}`,
  );
}
