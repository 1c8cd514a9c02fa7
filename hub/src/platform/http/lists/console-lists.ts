// Lists of the console API: keyset pagination with authenticated cursors.
// Main types: `ListSpec` (any list), `TenantList` (a list of the caller's tenant).
// Invariants: a cursor is bound to its collection, tenant and filters; a page has at most `limit` rows.
// Depends on cursors.ts and the authenticated person.
// Start reading at `loadPage`.
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../auth/person.ts';
import {
  type CursorSealer,
  cutPage,
  type ListPage,
  openListCursor,
  parseListLimit,
} from './cursors.ts';

export const CONSOLE_API = '/console/api/v1';

export interface ListSpec<Row, Item> {
  cursors: CursorSealer;
  /** Collection, tenant and filters. A cursor with another binding is invalid. */
  binding: readonly unknown[];
  query: { limit?: string; cursor?: string };
  /** Fetches rows after the position. `limit` is one more than the page size. */
  fetch(position: readonly string[] | undefined, limit: number): Promise<Row[]>;
  /** Returns the sort key of a row, as text that PostgreSQL parses exactly. */
  keyOf(row: NoInfer<Row>): readonly string[];
  /** Returns how many large rows fit into a page, at least 1. */
  countFitting?(rows: readonly NoInfer<Row>[]): number;
  item(row: NoInfer<Row>): Item;
}

/** Returns a page of a list. Throws `invalid_cursor`. */
export async function loadListPage<Row, Item>(spec: ListSpec<Row, Item>): Promise<ListPage<Item>> {
  const limit = parseListLimit(spec.query.limit);
  const position = openListCursor<string[]>(spec.cursors, spec.binding, spec.query.cursor);
  const fetched = await spec.fetch(position, limit + 1);
  const size = Math.min(limit, spec.countFitting?.(fetched) ?? limit);
  const page = cutPage(fetched, size, (last) => spec.cursors.seal(spec.binding, spec.keyOf(last)));
  return { items: page.items.map(spec.item), next_cursor: page.next_cursor };
}

type ListRequest = FastifyRequest & { query: { limit?: string; cursor?: string } };

/** A list of the caller's tenant. `by`: further parts of the cursor's binding, such as filters. */
export type TenantList<Row, Item> = Pick<
  ListSpec<Row, Item>,
  'cursors' | 'keyOf' | 'countFitting' | 'item'
> & {
  list: string;
  by?: readonly unknown[];
  fetch(tenantId: string, after: readonly string[] | undefined, limit: number): Promise<Row[]>;
};

/** Returns a page of the caller's tenant as the response body. Throws `invalid_cursor`. */
export async function loadPage<Row, Item>(
  request: ListRequest,
  spec: TenantList<Row, Item>,
): Promise<ListPage<Item> & { request_id: string }> {
  const { tenantId } = personOf(request);
  const page = await loadListPage({
    ...spec,
    binding: [spec.list, tenantId, ...(spec.by ?? [])],
    query: request.query,
    fetch: (after, limit) => spec.fetch(tenantId, after, limit),
  });
  return { ...page, request_id: request.id };
}

/** Returns a page of a list with its total. `count` returns null where counting would take long; later pages are not counted. */
export async function loadCountedPage<Row, Item>(
  request: ListRequest,
  spec: TenantList<Row, Item> & { count(tenantId: string): Promise<number | null> },
): Promise<ListPage<Item> & { request_id: string; total: number | null }> {
  const { tenantId } = personOf(request);
  const [page, total] = await Promise.all([
    loadPage(request, spec),
    request.query.cursor === undefined ? spec.count(tenantId) : null,
  ]);
  return { ...page, total };
}

/** Returns the filters of a query: its parameters without those of pagination. */
export function extractFilter<Query extends { limit?: string; cursor?: string }>(
  query: Query,
): Omit<Query, 'limit' | 'cursor'> {
  const { limit: _limit, cursor: _cursor, ...filter } = query;
  return filter;
}

/** Returns a filter as a part of a cursor's binding, independent of parameter order. */
export const filterBinding = (filter: object): readonly unknown[] => [
  Object.entries(filter).sort(),
];

/** Formats a time of a row for the wire. */
export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** Returns the status and times of a token for its row in a list. */
export function tokenStatus(token: {
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
