// What every console route shares: the prefix, and lists with authenticated keyset cursors.
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { type CursorSealer, listLimit, openListCursor, type Page, pageOf } from './cursors.ts';

export const CONSOLE_API = '/console/api/v1';

export interface ListSpec<Row, Item> {
  cursors: CursorSealer;
  /** Collection, tenant and filters: a cursor of another list, tenant or filter does not open. */
  binding: readonly unknown[];
  query: { limit?: string; cursor?: string };
  /** Fetches one row more than the page holds, after the position. */
  fetch(position: readonly string[] | undefined, limit: number): Promise<Row[]>;
  /** The sort key of a row, as text that PostgreSQL reads back exactly. */
  keyOf(row: Row): readonly string[];
  item(row: Row): Item;
}

/** One page of a list. Throws `invalid_cursor`. */
export async function listPage<Row, Item>(spec: ListSpec<Row, Item>): Promise<Page<Item>> {
  const limit = listLimit(spec.query.limit);
  const position = openListCursor<string[]>(spec.cursors, spec.binding, spec.query.cursor);
  const fetched = await spec.fetch(position, limit + 1);
  const page = pageOf(fetched, limit, (last) => spec.cursors.seal(spec.binding, spec.keyOf(last)));
  return { items: page.items.map(spec.item), next_cursor: page.next_cursor };
}

/** `LIKE` pattern that finds the text anywhere, taken literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

/** `true`, for conditions that a filter leaves out. */
export const ANY: RawBuilder<boolean> = sql<boolean>`true`;

/** Times of a row as the wire writes them. */
export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
