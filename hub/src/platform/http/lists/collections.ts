// Lists with a version of their membership. A cursor from an earlier version is rejected with `collection_changed`.
import { selectCollectionVersion } from '../../db/collection-versions.ts';
import type { Db } from '../../db/database.ts';
import { HubError } from '../errors/errors.ts';
import {
  type CursorSealer,
  cutPage,
  type ListPage,
  openListCursor,
  parseListLimit,
} from './cursors.ts';

/**
 * Returns a page. `fetch` returns up to `limit` rows after the sort key. The version is read before the rows, so that the
 * next page detects a change in between. Throws `invalid_cursor` and `collection_changed`.
 */
export async function loadCollectionPage<Row, Item>(
  db: Db,
  spec: {
    cursors: CursorSealer;
    tenantId: string;
    collection: string;
    /** A cursor is invalid with other filters than those it was created with. */
    filters?: readonly unknown[];
    query: { limit?: string; cursor?: string };
    fetch(after: readonly string[] | undefined, limit: number): Promise<Row[]>;
    keyOf(row: NoInfer<Row>): readonly string[];
    /** Returns how many large rows fit into a page, at least 1. */
    countFitting?(rows: readonly NoInfer<Row>[]): number;
    item(row: NoInfer<Row>): Item;
  },
): Promise<ListPage<Item>> {
  const binding = [spec.collection, spec.tenantId, ...(spec.filters ?? [])];
  const limit = parseListLimit(spec.query.limit);
  const position = openListCursor<[number, ...string[]]>(spec.cursors, binding, spec.query.cursor);
  const version = await selectCollectionVersion(db, spec.tenantId, spec.collection);
  if (position !== undefined && position[0] !== version) throw new HubError('collection_changed');
  const fetched = await spec.fetch(position?.slice(1) as string[] | undefined, limit + 1);
  const size = Math.min(limit, spec.countFitting?.(fetched) ?? limit);
  const page = cutPage(fetched, size, (last) =>
    spec.cursors.seal(binding, [version, ...spec.keyOf(last)]),
  );
  return { items: page.items.map(spec.item), next_cursor: page.next_cursor };
}
