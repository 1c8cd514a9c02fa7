// SQL of notices about expiring keys.
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';

export interface Notice {
  key_id: string;
  ends_at: string;
  days: number;
}

/** Stores the notices that were not sent before, and returns them: each notice is returned to a single caller. */
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

/** Deletes the notices of keys that expired a month ago. */
export async function deleteOldNotices(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM key_notices WHERE ends_at < ${now}::timestamptz - interval '30 days'`.execute(
    db,
  );
}
