// What every console route shares: the prefix, and lists with authenticated keyset cursors.
import type { FastifyRequest } from 'fastify';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { personOf } from '../auth/person.ts';
import { type Db, row } from '../db/database.ts';
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
  keyOf(row: NoInfer<Row>): readonly string[];
  /** How many of the rows a page may hold, at least one, where they are large. */
  fitting?(rows: readonly NoInfer<Row>[]): number;
  item(row: NoInfer<Row>): Item;
}

/** One page of a list. Throws `invalid_cursor`. */
export async function listPage<Row, Item>(spec: ListSpec<Row, Item>): Promise<Page<Item>> {
  const limit = listLimit(spec.query.limit);
  const position = openListCursor<string[]>(spec.cursors, spec.binding, spec.query.cursor);
  const fetched = await spec.fetch(position, limit + 1);
  const size = Math.min(limit, spec.fitting?.(fetched) ?? limit);
  const page = pageOf(fetched, size, (last) => spec.cursors.seal(spec.binding, spec.keyOf(last)));
  return { items: page.items.map(spec.item), next_cursor: page.next_cursor };
}

type ListRequest = FastifyRequest & { query: { limit?: string; cursor?: string } };

/** A list of the person's tenant. `by`: what else it is of. */
export type TenantList<Row, Item> = Pick<
  ListSpec<Row, Item>,
  'cursors' | 'keyOf' | 'fitting' | 'item'
> & {
  list: string;
  by?: readonly unknown[];
  fetch(tenantId: string, after: readonly string[] | undefined, limit: number): Promise<Row[]>;
};

/** A route that lists something of the person's tenant: one page, as it is answered. */
export async function answerList<Row, Item>(
  request: ListRequest,
  spec: TenantList<Row, Item>,
): Promise<Page<Item> & { request_id: string }> {
  const { tenantId } = personOf(request);
  const page = await listPage({
    ...spec,
    binding: [spec.list, tenantId, ...(spec.by ?? [])],
    query: request.query,
    fetch: (after, limit) => spec.fetch(tenantId, after, limit),
  });
  return { ...page, request_id: request.id };
}

/** A page of a list with its total. `count` returns null where counting would take long; later pages are not counted. */
export async function answerCountedList<Row, Item>(
  request: ListRequest,
  spec: TenantList<Row, Item> & { count(tenantId: string): Promise<number | null> },
): Promise<Page<Item> & { request_id: string; total: number | null }> {
  const { tenantId } = personOf(request);
  const [page, total] = await Promise.all([
    answerList(request, spec),
    request.query.cursor === undefined ? spec.count(tenantId) : null,
  ]);
  return { ...page, total };
}

/** Rows that a list counts at most. */
const COUNTED_MOST = 100_000;

/** Returns how many rows this query selects; null where there are more than `most`, which are not counted to the end. */
export async function countRows(
  db: Db,
  query: RawBuilder<unknown>,
  most = COUNTED_MOST,
): Promise<number | null> {
  const answer = await row(
    db,
    sql<{ total: number }>`
      SELECT count(*) AS total FROM (${query} LIMIT ${most + 1}) counted`,
  );
  const total = answer?.total ?? 0;
  return total > most ? null : total;
}

/** What a list is filtered by: its query without what only pages it. */
export function filterOf<Query extends { limit?: string; cursor?: string }>(
  query: Query,
): Omit<Query, 'limit' | 'cursor'> {
  const { limit: _limit, cursor: _cursor, ...filter } = query;
  return filter;
}

/** A filter as part of what a cursor is bound to. */
export const boundBy = (filter: object): readonly unknown[] => [Object.entries(filter).sort()];

/** `LIKE` pattern that finds the text anywhere, taken literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

/** `true`, for conditions that a filter leaves out. */
export const ANY: RawBuilder<boolean> = sql<boolean>`true`;

/**
 * What follows the cursor's position in a list that is ordered by `at` descending, then `id` ascending; everything
 * without one. `at` and `id` are columns as the code writes them.
 */
export function newestFirst(
  after: readonly string[] | undefined,
  at: string,
  id: string,
): RawBuilder<boolean> {
  if (after === undefined) return ANY;
  const [time, key] = [sql.ref(at), sql.ref(id)];
  return sql`(${time} < ${after[0]}::timestamptz
    OR (${time} = ${after[0]}::timestamptz AND ${key} > ${after[1]}::uuid))`;
}

/** Times of a row as the wire writes them. */
export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** How a token stands, as its row of a list says it. */
export function tokenStanding(token: {
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  expired: boolean;
}) {
  const status = token.expired ? ('expired' as const) : ('active' as const);
  return {
    status: token.revoked_at === null ? status : ('revoked' as const),
    created_at: token.created_at.toISOString(),
    expires_at: isoOrNull(token.expires_at),
    revoked_at: isoOrNull(token.revoked_at),
  };
}
