// SQL of the time and state in which devices were last seen.
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';

export interface Sighting {
  tenant_id: string;
  device_id: string;
  last_seen_at: string;
  /** Null if the request did not report the state. */
  governance_state: string | null;
}

/** The columns that are written for a device. */
export interface GatheredSighting extends Sighting {
  /** The newest poll with this state, and the first in the current series of polls with it. */
  governance_at: string | null;
  governance_since: string | null;
}

/** So many devices are held at once: batches that wait for them wait no longer than a blink. */
const SIGHTED_AT_ONCE = 500;

/**
 * Writes what polls reported since the last write. `governance_since` moves only when the state changes; what another hub process
 * heard later stays, whoever writes first. Rows are locked in the order in which batches lock theirs.
 */
export async function updateSightings(db: Db, sightings: GatheredSighting[]): Promise<void> {
  for (const [tenantId, ofTenant] of Map.groupBy(sightings, (sighting) => sighting.tenant_id)) {
    const ordered = ofTenant.toSorted((a, b) => (a.device_id < b.device_id ? -1 : 1));
    for (let from = 0; from < ordered.length; from += SIGHTED_AT_ONCE) {
      const some = ordered.slice(from, from + SIGHTED_AT_ONCE);
      await transact(db, async (tx) => {
        await lockInOrder(
          tx,
          tenantId,
          some.map((sighting) => sighting.device_id),
        );
        await writeSightings(tx, tenantId, some);
      });
    }
  }
}

async function lockInOrder(tx: Tx, tenantId: string, deviceIds: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM devices WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
    ORDER BY device_id FOR NO KEY UPDATE`.execute(tx);
}

async function writeSightings(
  tx: Tx,
  tenantId: string,
  sightings: readonly GatheredSighting[],
): Promise<void> {
  await sql`
    UPDATE devices d SET
      last_seen_at = greatest(d.last_seen_at, s.last_seen_at),
      governance_since = CASE WHEN s.governance_at IS NULL OR d.governance_at > s.governance_at
          OR (d.governance_state = s.governance_state AND d.governance_since IS NOT NULL)
        THEN d.governance_since ELSE s.governance_since END,
      governance_state = CASE WHEN s.governance_at IS NULL OR d.governance_at > s.governance_at
        THEN d.governance_state ELSE s.governance_state END,
      governance_at = greatest(d.governance_at, s.governance_at)
    FROM json_to_recordset(${JSON.stringify(sightings)}::json)
      AS s(device_id uuid, last_seen_at timestamptz, governance_state text,
        governance_at timestamptz, governance_since timestamptz)
    WHERE d.tenant_id = ${tenantId} AND d.device_id = s.device_id`.execute(tx);
}
