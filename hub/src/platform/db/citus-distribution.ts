// Distributes tables on Citus as placement.ts declares, and finds misplaced tables. A plain PostgreSQL is unaffected.
import { sql } from 'kysely';
import { withAdvisoryLock } from './advisory-lock.ts';
import { type Db, rows } from './database.ts';
import { ANCHOR, PLACEMENTS, type Placement } from './placement.ts';

/** Returns whether the extension is installed in this database, not merely available on the server. */
export async function isCitus(db: Db): Promise<boolean> {
  const extensions = await rows(db, sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return extensions.length > 0;
}

export interface Misplaced {
  table: string;
  declared: Placement;
  /** `elsewhere`: distributed by tenant, but not colocated with the other tables. */
  is: Placement | 'elsewhere';
}

/** Returns the existing tables whose placement differs from the declared placement. */
export async function misplacedTables(db: Db): Promise<Misplaced[]> {
  if (!(await isCitus(db))) return [];
  const tables = await rows(
    db,
    sql<{ name: string; is: Misplaced['is'] }>`
      SELECT c.relname AS name, CASE
          WHEN p.logicalrelid IS NULL THEN 'coordinator'
          WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'everywhere'
          WHEN p.partmethod = 'n' THEN 'coordinator'
          WHEN p.colocationid = a.colocationid OR a.colocationid IS NULL THEN 'tenant'
          ELSE 'elsewhere'
        END AS is
      FROM pg_class c
      LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
      LEFT JOIN pg_dist_partition a ON a.logicalrelid = to_regclass(${ANCHOR}) AND a.partmethod = 'h'
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace`,
  );
  const placements = new Map(tables.map((table) => [table.name, table.is]));
  return [...PLACEMENTS].flatMap(([table, declared]) => {
    const is = placements.get(table) ?? declared;
    return is === declared ? [] : [{ table, declared, is }];
  });
}

/**
 * Distributes tables that are still on the coordinator, with their rows. Returns their names. Each table is a separate
 * transaction, so an interrupted run can be repeated; concurrent calls are safe.
 */
export async function distribute(db: Db): Promise<string[]> {
  if ((await misplacedTables(db)).length === 0) return [];
  return withAdvisoryLock(db, 'distribution', async (connection) => {
    const distributed: string[] = [];
    for (const { table, declared, is } of await misplacedTables(connection)) {
      if (is !== 'coordinator') continue;
      await place(connection, table, declared);
      distributed.push(table);
    }
    return distributed;
  });
}

async function place(db: Db, table: string, declared: Placement): Promise<void> {
  if (declared === 'everywhere') {
    await sql`SELECT create_reference_table(${table})`.execute(db);
    return;
  }
  const colocation = table === ANCHOR ? 'none' : ANCHOR;
  await sql`
    SELECT create_distributed_table(${table}, 'tenant_id', colocate_with => ${colocation})`.execute(
    db,
  );
  // The local rows are copies now, and still occupy disk space.
  await sql`SELECT truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db);
}
