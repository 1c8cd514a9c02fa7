// All SQL that reads the inventory for people: devices, a device's entities, products over all devices.
// Times in sort keys travel as text with microseconds, because a Date would cut them.

import { foldName } from '@gatewarden/shared/names.ts';
import type {
  ApplicationRow,
  ApplicationsQuery,
} from '@gatewarden/shared/wire/console/applications.ts';
import type { DeviceRow, DeviceState } from '@gatewarden/shared/wire/console/devices.ts';
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { outsideTenants } from '../../../platform/db/tenant-connections.ts';
import { ANY, containsPattern } from '../../../platform/http/console.ts';
import type { ToldEntity } from './launches.ts';

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

/** The tenant's limit is read once, not for each device. */
export const isStale = (tenantId: string) => sql<boolean>`
  last_seen_at < now() - make_interval(hours => (
    SELECT t.stale_after_hours FROM tenants t WHERE t.tenant_id = ${tenantId}))`;

const deviceColumns = (tenantId: string) => sql`
  device_id, hostname, platform, os_version, arch, agent_version, subscriber_id, first_seen_at,
  last_seen_at, entity_count, last_scan_at, governance_state, governance_since, governance_at,
  duplicate_since, claim, claimed_at, retired_at, version, ${isStale(tenantId)} AS stale, lower(hostname) AS sort_key`;

export const SEEN_TODAY = sql<boolean>`last_seen_at > now() - interval '1 day'`;

/** Of a row `c` of the coverage: the source was not read whole, though it is there and was to be read. */
export const IS_GAP = sql<boolean>`c.state NOT IN ('read', 'absent', 'skipped')`;

/** Of a product `p`. */
export const IS_FRESH = sql<boolean>`(p.device_count > 0 AND p.first_seen_at > now() - interval '7 days')`;

/** Retired ones are shown only where they are asked for. */
function inState(tenantId: string, state: DeviceState | undefined) {
  if (state === 'retired') return sql<boolean>`retired_at IS NOT NULL`;
  if (state === 'duplicate') {
    return sql<boolean>`retired_at IS NULL AND duplicate_since IS NOT NULL`;
  }
  if (state === 'stale') return sql<boolean>`retired_at IS NULL AND ${isStale(tenantId)}`;
  if (state === 'active') return sql<boolean>`retired_at IS NULL AND NOT (${isStale(tenantId)})`;
  return sql<boolean>`retired_at IS NULL`;
}

export function selectDevices(
  db: Db,
  tenantId: string,
  filter: {
    query?: string;
    platform?: string;
    governance?: string;
    state?: DeviceState;
    seen?: 'today';
    coverage?: 'gaps';
  },
  after: Position,
  limit: number,
): Promise<DeviceRecord[]> {
  const pattern = filter.query === undefined ? null : containsPattern(filter.query.toLowerCase());
  return rows(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)} FROM devices
      WHERE tenant_id = ${tenantId}
        AND ${pattern === null ? ANY : sql`(lower(hostname) LIKE ${pattern} OR lower(subscriber_id) LIKE ${pattern} OR device_id::text LIKE ${pattern})`}
        AND ${inState(tenantId, filter.state)}
        AND ${filter.platform === undefined ? ANY : sql`platform = ${filter.platform}`}
        AND ${filter.governance === undefined ? ANY : sql`governance_state = ${filter.governance}`}
        AND ${filter.seen === undefined ? ANY : SEEN_TODAY}
        AND ${filter.coverage === undefined ? ANY : sql`EXISTS (SELECT FROM coverage c WHERE c.tenant_id = devices.tenant_id AND c.device_id = devices.device_id AND ${IS_GAP})`}
        AND ${after === undefined ? ANY : sql`(lower(hostname), device_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY lower(hostname), device_id LIMIT ${limit}`,
  );
}

/** How many there are, and of them those that need a look. */
export async function countDevices(
  db: Db,
  tenantId: string,
): Promise<{ devices: number; stale: number; duplicates: number }> {
  const found = await row(
    db,
    sql<{ devices: number; stale: number; duplicates: number }>`
      SELECT count(*) AS devices, count(*) FILTER (WHERE ${isStale(tenantId)}) AS stale,
        count(duplicate_since) AS duplicates
      FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL`,
  );
  return found ?? { devices: 0, stale: 0, duplicates: 0 };
}

export function selectDevice(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<DeviceRecord | null> {
  return row(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)} FROM devices
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
      SELECT ${deviceColumns(tenantId)} FROM devices
      WHERE tenant_id = ${tenantId} AND ${isOf(person)}
        AND ${after === undefined ? ANY : sql`(lower(hostname), device_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY lower(hostname), device_id LIMIT ${limit}`,
  );
}

/** One of them; null where it is somebody else's, retired, or nowhere. */
export function selectPersonsDevice(
  db: Db,
  tenantId: string,
  person: string,
  deviceId: string,
): Promise<DeviceRecord | null> {
  return row(
    db,
    sql<DeviceRecord>`
      SELECT ${deviceColumns(tenantId)} FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND ${isOf(person)}`,
  );
}

const isOf = (person: string) =>
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

export function selectDeviceEntities(
  db: Db,
  tenantId: string,
  deviceId: string,
  filter: { query?: string; removed: boolean },
  after: Position,
  limit: number,
): Promise<EntityRecord[]> {
  const pattern = filter.query === undefined ? null : containsPattern(filter.query.toLowerCase());
  return rows(
    db,
    sql<EntityRecord>`
      SELECT encode(entity_id, 'hex') AS entity_id, kind, source, name, version, publisher,
        install_path, executables, instances, installed_at, first_seen_at,
        -- An unchanged entity is not written: the scan that saw it is the device's last one.
        CASE WHEN removed_at IS NULL THEN greatest(last_seen_at, (
          SELECT d.last_scan_at FROM devices d
          WHERE d.tenant_id = entities.tenant_id AND d.device_id = entities.device_id))
        ELSE last_seen_at END AS last_seen_at, removed_at, lower(name) AS sort_key
      FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND ${filter.removed ? ANY : sql`removed_at IS NULL`}
        AND ${pattern === null ? ANY : sql`lower(name) LIKE ${pattern}`}
        AND ${after === undefined ? ANY : sql`(lower(name), entity_id) > (${after[0]}, decode(${after[1]}, 'hex'))`}
      ORDER BY lower(name), entity_id LIMIT ${limit}`,
  );
}

export interface ProductRecord
  extends Omit<
    ApplicationRow,
    'first_seen_at' | 'last_seen_at' | 'approval_status' | 'drifted_at'
  > {
  drifted_at: Date | null;
  approval_status: ApplicationRow['approval_status'] | null;
  first_seen_at: Date;
  last_seen_at: Date;
  sort_key: string;
}

const PRODUCT_COLUMNS = sql`
  encode(p.entity_id, 'hex') AS entity_id, p.kind, p.source, p.platform, p.name, p.publisher,
  p.device_count, CASE WHEN f.at IS NULL THEN d.approval_status ELSE 'pending' END
    AS approval_status, f.at AS drifted_at, d.execution_policy, p.first_seen_at, p.last_seen_at,
  (SELECT coalesce(json_agg(json_build_object('version', nullif(v.version, ''),
      'device_count', v.device_count)), '[]'::json)
   FROM (SELECT version, device_count FROM product_versions
     WHERE tenant_id = p.tenant_id AND entity_id = p.entity_id
     ORDER BY device_count DESC, version DESC LIMIT 20) v) AS versions`;

const PRODUCT_TABLES = sql`
  products p LEFT JOIN product_decisions d
    ON d.tenant_id = p.tenant_id AND d.entity_id = p.entity_id
  LEFT JOIN LATERAL (SELECT min(o.since) AS at FROM product_drifts o
    WHERE o.tenant_id = p.tenant_id AND o.entity_id = p.entity_id) f ON true`;

/** Each sort: its key as text, its order, and what comes after a position. */
const SORTS = {
  name: {
    key: sql`p.name_folded`,
    order: sql`p.name_folded, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.name_folded, p.entity_id) > (${at[0]}, decode(${at[1]}, 'hex'))`,
  },
  '-device_count': {
    key: sql`p.device_count::text`,
    order: sql`p.device_count DESC, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.device_count < ${at[0]}::integer OR (p.device_count = ${at[0]}::integer AND p.entity_id > decode(${at[1]}, 'hex')))`,
  },
  '-first_seen_at': {
    key: sql`p.first_seen_at::text`,
    order: sql`p.first_seen_at DESC, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.first_seen_at < ${at[0]}::timestamptz OR (p.first_seen_at = ${at[0]}::timestamptz AND p.entity_id > decode(${at[1]}, 'hex')))`,
  },
} as const;

/** Nobody's decision is pending, so any other status begins with the decisions, of which there are few. */
function hasStatus(status: ApplicationRow['approval_status'] | undefined) {
  if (status === undefined) return ANY;
  if (status === 'pending') {
    return sql<boolean>`(d.entity_id IS NULL OR f.at IS NOT NULL OR d.approval_status = 'pending')`;
  }
  return sql<boolean>`(d.approval_status = ${status} AND f.at IS NULL)`;
}

const WORDS_MAX = 8;

/** Each word in the name, the publisher or the source, in any order; those beyond the eighth are not looked for. */
function hasWords(query: string | undefined) {
  const words = foldName(query ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return ANY;
  return sql<boolean>`(${sql.join(
    words.slice(0, WORDS_MAX).map((word) => {
      const pattern = containsPattern(word);
      return sql`(p.name_folded LIKE ${pattern} OR lower(p.publisher) LIKE ${pattern}
        OR p.source LIKE ${pattern})`;
    }),
    sql` AND `,
  )})`;
}

/** Products that are on a device now, or were and are decided about. */
export function selectProducts(
  db: Db,
  tenantId: string,
  filter: Static<typeof ApplicationsQuery>,
  after: Position,
  limit: number,
): Promise<ProductRecord[]> {
  const sort = SORTS[filter.sort ?? 'name'];
  const status = filter.approval_status;
  const ask = () =>
    rows(
      db,
      sql<ProductRecord>`
      SELECT ${PRODUCT_COLUMNS}, ${sort.key} AS sort_key FROM ${PRODUCT_TABLES}
      WHERE p.tenant_id = ${tenantId} AND (p.device_count > 0 OR d.entity_id IS NOT NULL)
        AND ${hasWords(filter.query)}
        AND ${filter.drifted === undefined ? ANY : sql`f.at IS NOT NULL`}
        AND ${filter.fresh === undefined ? ANY : IS_FRESH}
        AND ${filter.kind === undefined ? ANY : sql`p.kind = ${filter.kind}`}
        AND ${hasStatus(status)}
        AND ${after === undefined ? ANY : sort.after(after)}
      ORDER BY ${sort.order} LIMIT ${limit}`,
    );
  // From behind row security PostgreSQL does not use what it knows of a text, and would read every row for a search.
  return filter.query === undefined ? ask() : outsideTenants(ask);
}

export function selectProduct(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<ProductRecord | null> {
  return row(
    db,
    sql<ProductRecord>`
      SELECT ${PRODUCT_COLUMNS}, '' AS sort_key FROM ${PRODUCT_TABLES}
      WHERE p.tenant_id = ${tenantId} AND p.entity_id = decode(${entityId}, 'hex')`,
  );
}

export async function selectExecutables(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ path: string }>`
      SELECT DISTINCT jsonb_array_elements_text(executables) AS path FROM (
        SELECT executables FROM entities WHERE tenant_id = ${tenantId}
          AND entity_id = decode(${entityId}, 'hex') AND removed_at IS NULL LIMIT 50) e
      ORDER BY path LIMIT 64`,
  );
  return found.map((one) => one.path);
}

/** What the first 50 devices told of a product. */
export function selectTold(db: Db, tenantId: string, entityId: string): Promise<ToldEntity[]> {
  return rows(
    db,
    sql<ToldEntity>`
      SELECT details, instances FROM entities
      WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
        AND removed_at IS NULL
      ORDER BY device_id LIMIT 50`,
  );
}

export interface ProductDeviceRecord {
  device_id: string;
  hostname: string;
  subscriber_id: string;
  version: string | null;
  install_path: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
}

export function selectProductDevices(
  db: Db,
  tenantId: string,
  entityId: string,
  after: Position,
  limit: number,
): Promise<ProductDeviceRecord[]> {
  return rows(
    db,
    sql<ProductDeviceRecord>`
      SELECT e.device_id, d.hostname, d.subscriber_id, e.version, e.install_path, e.first_seen_at,
        d.last_seen_at
      FROM entities e JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.removed_at IS NULL
        AND ${after === undefined ? ANY : sql`e.device_id > ${after[0]}::uuid`}
      ORDER BY e.device_id LIMIT ${limit}`,
  );
}
