// All SQL of the notices about keys that end.
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';

export interface Notice {
  key_id: string;
  ends_at: string;
  days: number;
}

/** Those of these that were not told before; from now on they are. */
export function storeNotices(
  tx: Tx,
  tenantId: string,
  notices: readonly Notice[],
): Promise<Notice[]> {
  return rows(
    tx,
    sql<Notice>`
      INSERT INTO key_notices (tenant_id, key_id, ends_at, days)
      SELECT ${tenantId}, key_id, ends_at, days
      FROM json_to_recordset(${JSON.stringify(notices)}::json)
        AS n (key_id uuid, ends_at timestamptz, days int)
      ON CONFLICT DO NOTHING
      RETURNING key_id, ends_at::text AS ends_at, days`,
  );
}

/** Of keys that ended a month ago. */
export async function deleteOldNotices(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM key_notices WHERE ends_at < ${now}::timestamptz - interval '30 days'`.execute(
    db,
  );
}
