// SQL of the scan numbers of devices; read only for a number that is not above all earlier numbers.
import { sql } from 'kysely';
import { rows, type Tx } from '../../../platform/db/database.ts';
import type { ScanSequence } from './scan-sequence.ts';

/** Returns the scan number series of these locked devices before this transaction. */
export async function selectScanSequences(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, ScanSequence>> {
  const records = await rows(
    tx,
    sql<{
      device_id: string;
      highest: number | null;
      highest_started_at: Date | null;
      lower: number | null;
      lower_started_at: Date | null;
      lower_at: Date | null;
    }>`
      SELECT d.device_id, s.sent_seq AS highest, s.started_at AS highest_started_at,
        d.lower_scan AS lower, d.lower_scan_started_at AS lower_started_at,
        d.lower_scan_at AS lower_at
      FROM devices d
      LEFT JOIN LATERAL (
        SELECT sent_seq, started_at FROM scans
        WHERE tenant_id = ${tenantId} AND device_id = d.device_id
        ORDER BY seq DESC, started_at LIMIT 1) s ON true
      WHERE d.tenant_id = ${tenantId} AND d.device_id = ANY (${deviceIds}::uuid[])`,
  );
  return new Map(
    records.map((row) => [
      row.device_id,
      {
        highest:
          row.highest === null || row.highest_started_at === null
            ? null
            : { seq: row.highest, startedAt: row.highest_started_at },
        lowerSequence:
          row.lower === null || row.lower_started_at === null || row.lower_at === null
            ? null
            : { seq: row.lower, startedAt: row.lower_started_at, heardAt: row.lower_at },
      },
    ]),
  );
}

export interface ObservedScanSequence {
  deviceId: string;
  lower: NonNullable<ScanSequence['lowerSequence']>;
  duplicateDeviceIdDetected: boolean;
}

/** Remembers lower series, and since when two machines seem to use an id. */
export async function writeScanSequences(
  tx: Tx,
  tenantId: string,
  heard: readonly ObservedScanSequence[],
  now: Date,
): Promise<void> {
  const records = heard.map(({ deviceId, lower, duplicateDeviceIdDetected }) => ({
    device_id: deviceId,
    lower_scan: lower.seq,
    started_at: lower.startedAt,
    heard_at: lower.heardAt,
    is_two: duplicateDeviceIdDetected,
  }));
  await sql`
    UPDATE devices d SET lower_scan = r.lower_scan, lower_scan_started_at = r.started_at,
      lower_scan_at = r.heard_at,
      duplicate_since = CASE WHEN r.is_two THEN coalesce(d.duplicate_since, ${now}::timestamptz)
        ELSE d.duplicate_since END
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(device_id uuid,
      lower_scan bigint, started_at timestamptz, heard_at timestamptz, is_two boolean)
    WHERE d.tenant_id = ${tenantId} AND d.device_id = r.device_id`.execute(tx);
}
