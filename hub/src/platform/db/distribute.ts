// On Citus: puts each table where placement.ts says, and tells which are not there. On a plain PostgreSQL both do nothing.
import { sql } from 'kysely';
import { withAdvisoryLock } from './alone.ts';
import { type Db, rows } from './database.ts';
import { ANCHOR, PLACEMENTS, type Placement } from './placement.ts';

/** True where the extension is installed in this database: its being available on the server says nothing. */
export async function isCitus(db: Db): Promise<boolean> {
  const found = await rows(db, sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return found.length > 0;
}

export interface Misplaced {
  table: string;
  declared: Placement;
  /** `elsewhere`: with its tenant, but not beside the other tables. */
  is: Placement | 'elsewhere';
}

/** Tables that are not where they are declared to be; those that this database has not yet are none of them. */
export async function misplacedTables(db: Db): Promise<Misplaced[]> {
  if (!(await isCitus(db))) return [];
  const found = await rows(
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
  const placed = new Map(found.map((one) => [one.name, one.is]));
  return [...PLACEMENTS].flatMap(([table, declared]) => {
    const is = placed.get(table) ?? declared;
    return is === declared ? [] : [{ table, declared, is }];
  });
}

/**
 * Distributes what stands on the coordinator yet and is declared to stand elsewhere, with its rows; gives the tables.
 * Each is a transaction of its own, so a broken-off run goes on where it was; many may call at once.
 */
export async function distribute(db: Db): Promise<string[]> {
  if ((await misplacedTables(db)).length === 0) return [];
  return withAdvisoryLock(db, 'distribution', async (one) => {
    const done: string[] = [];
    for (const { table, declared, is } of await misplacedTables(one)) {
      if (is !== 'coordinator') continue;
      await place(one, table, declared);
      done.push(table);
    }
    return done;
  });
}

async function place(db: Db, table: string, declared: Placement): Promise<void> {
  if (declared === 'everywhere') {
    await sql`SELECT create_reference_table(${table})`.execute(db);
    return;
  }
  const beside = table === ANCHOR ? 'none' : ANCHOR;
  await sql`
    SELECT create_distributed_table(${table}, 'tenant_id', colocate_with => ${beside})`.execute(db);
  // What was copied to the workers still takes its room here.
  await sql`SELECT truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db);
}
