// Devices that reported a given alert code about themselves.
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { dayOf } from '../../../platform/db/time-span.ts';

/** Returns the devices that sent an alert with this code since `since`, each once. */
export async function selectDevicesWithCode(
  db: Db,
  tenantId: string,
  code: string,
  since: Date,
): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ device_id: string }>`
      SELECT DISTINCT device_id FROM alerts
      WHERE tenant_id = ${tenantId} AND received_at > ${since} AND received_on >= ${dayOf(since)}
        AND action = 'agent' AND code = ${code}`,
  );
  return records.map((row) => row.device_id);
}
