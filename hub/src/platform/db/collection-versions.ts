// SQL of the versions of lists, which several features share.
import { sql } from 'kysely';
import { type Db, row, type Tx } from './database.ts';

/** Increments the version: a member was added or removed, or a filtered property of a member changed. */
export async function touchCollection(tx: Tx, tenantId: string, collection: string): Promise<void> {
  await sql`
    INSERT INTO collection_versions AS c (tenant_id, collection, n)
    VALUES (${tenantId}, ${collection}, 1)
    ON CONFLICT (tenant_id, collection) DO UPDATE SET n = c.n + 1`.execute(tx);
}

/** Returns the version; 0 before the first change. */
export async function selectCollectionVersion(
  db: Db,
  tenantId: string,
  collection: string,
): Promise<number> {
  const record = await row(
    db,
    sql<{ n: number }>`
      SELECT n FROM collection_versions
      WHERE tenant_id = ${tenantId} AND collection = ${collection}`,
  );
  return record?.n ?? 0;
}
