// Lists whose membership has a number: a cursor made before the membership changed is `collection_changed`.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../db/database.ts';
import { type CursorSealer, listLimit, openListCursor, type Page, pageOf } from './cursors.ts';
import { HubError } from './errors.ts';

/** Somebody came to the collection or went, or changed by what it is filtered. */
export async function touchCollection(tx: Tx, tenantId: string, collection: string): Promise<void> {
  await sql`
    INSERT INTO collection_versions AS c (tenant_id, collection, n)
    VALUES (${tenantId}, ${collection}, 1)
    ON CONFLICT (tenant_id, collection) DO UPDATE SET n = c.n + 1`.execute(tx);
}

async function readVersion(db: Db, tenantId: string, collection: string): Promise<number> {
  const found = await row(
    db,
    sql<{ n: number }>`
      SELECT n FROM collection_versions
      WHERE tenant_id = ${tenantId} AND collection = ${collection}`,
  );
  return found?.n ?? 0;
}

/**
 * One page. `fetch` gives up to `limit` rows after the sort key. The number is read before the rows, so that a change
 * in between is noticed on the next page at the latest. Throws `invalid_cursor` and `collection_changed`.
 */
export async function collectionPage<Row, Item>(
  db: Db,
  spec: {
    cursors: CursorSealer;
    tenantId: string;
    collection: string;
    /** Other filters than the cursor was made with are an invalid cursor. */
    filters?: readonly unknown[];
    query: { limit?: string; cursor?: string };
    fetch(after: readonly string[] | undefined, limit: number): Promise<Row[]>;
    keyOf(row: NoInfer<Row>): readonly string[];
    /** How many of the rows a page may hold, at least one, where they are large. */
    fitting?(rows: readonly NoInfer<Row>[]): number;
    item(row: NoInfer<Row>): Item;
  },
): Promise<Page<Item>> {
  const binding = [spec.collection, spec.tenantId, ...(spec.filters ?? [])];
  const limit = listLimit(spec.query.limit);
  const position = openListCursor<[number, ...string[]]>(spec.cursors, binding, spec.query.cursor);
  const version = await readVersion(db, spec.tenantId, spec.collection);
  if (position !== undefined && position[0] !== version) throw new HubError('collection_changed');
  const fetched = await spec.fetch(position?.slice(1) as string[] | undefined, limit + 1);
  const size = Math.min(limit, spec.fitting?.(fetched) ?? limit);
  const page = pageOf(fetched, size, (last) =>
    spec.cursors.seal(binding, [version, ...spec.keyOf(last)]),
  );
  return { items: page.items.map(spec.item), next_cursor: page.next_cursor };
}
