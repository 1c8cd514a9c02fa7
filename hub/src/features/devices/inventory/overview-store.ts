// SQL of the overview's part of the inventory: devices by state and agent versions.
import { GOVERNANCE_STATES } from '@gatewarden/shared/wire/console/devices.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { IS_GAP, isStale, SEEN_TODAY } from './read-store.ts';

export interface DeviceHealth {
  devices: number;
  seen_today: number;
  stale: number;
  duplicates: number;
  applied: number;
  applying: number;
  diverged: number;
  unknown: number;
  coverage_gaps: number;
}

/** Counts of devices that are not retired. */
export async function countHealth(db: Db, tenantId: string): Promise<DeviceHealth> {
  const record = await row(
    db,
    sql<DeviceHealth>`
      SELECT count(*) AS devices, count(*) FILTER (WHERE ${SEEN_TODAY}) AS seen_today,
        count(*) FILTER (WHERE ${isStale(tenantId)}) AS stale, count(duplicate_since) AS duplicates,
        count(*) FILTER (WHERE governance_state = 'applied') AS applied,
        count(*) FILTER (WHERE governance_state = 'applying') AS applying,
        count(*) FILTER (WHERE governance_state = 'diverged') AS diverged,
        count(*) FILTER (WHERE governance_state = 'unknown') AS unknown,
        (SELECT count(DISTINCT c.device_id) FROM coverage c
          JOIN devices r ON r.tenant_id = c.tenant_id AND r.device_id = c.device_id
          WHERE c.tenant_id = ${tenantId} AND ${IS_GAP}
            AND r.retired_at IS NULL) AS coverage_gaps
      FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL`,
  );
  if (record === null) throw new Error('an aggregate without a row');
  return record;
}

const FLEET_STATES = [...GOVERNANCE_STATES, 'stale'] as const;
type FleetState = (typeof FLEET_STATES)[number];

/**
 * Devices of all tenants that are not retired, each in a single state: the current policies of a stale device are unknown.
 * Asked for by a scrape, which counts no statement.
 */
export async function countFleet(pool: pg.Pool): Promise<Readonly<Record<string, number>>> {
  const found = await pool.query<{ state: FleetState; devices: number }>(
    `SELECT CASE WHEN d.last_seen_at < now() - make_interval(hours => t.stale_after_hours) THEN 'stale'
        ELSE d.governance_state END AS state, count(*)::int AS devices
     FROM devices d JOIN tenants t ON t.tenant_id = d.tenant_id
     WHERE d.retired_at IS NULL
     GROUP BY 1`,
  );
  // A state that nobody is in is a nought and no gap: rules compare with it.
  const counted = new Map(found.rows.map(({ state, devices }) => [state, devices]));
  return Object.fromEntries(FLEET_STATES.map((state) => [state, counted.get(state) ?? 0]));
}

export interface AgentVersion {
  version: string;
  platform: Platform;
  arch: string;
  devices: number;
  seen_today: number;
}

/** Returns the agent versions of devices that are not retired, the most common first. */
export function countAgentVersions(
  db: Db,
  tenantId: string,
  most: number,
): Promise<AgentVersion[]> {
  return rows(
    db,
    sql<AgentVersion>`
      SELECT agent_version AS version, platform, arch, count(*) AS devices,
        count(*) FILTER (WHERE ${SEEN_TODAY}) AS seen_today
      FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL
      GROUP BY agent_version, platform, arch
      ORDER BY count(*) DESC, agent_version, platform, arch LIMIT ${most}`,
  );
}
