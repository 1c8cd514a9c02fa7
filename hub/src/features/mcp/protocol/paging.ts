// Pagination of merged lists. A cursor is a position in the list of a server, so that a change or failure of another server
// between two pages omits no item.
import { createHash } from 'node:crypto';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { RPC, RpcError } from './messages.ts';

const PAGE_ITEMS = 1_000;

/** The list of a server. */
export interface ListPart {
  slug: string;
  items: unknown[];
}

/** The last item of the previous page: its server, the number of items of that server so far, and a mark of the item. */
type PagePosition = [slug: string, given: number, last: string];

/** Returns the requested page. `name` is the field that identifies an item. Throws RpcError for an invalid cursor. */
export function paginate(
  { cursors, owner }: { cursors: CursorSealer; owner: { hash: Buffer } },
  method: string,
  { field, name }: { field: string; name: string },
  parts: readonly ListPart[],
  params: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const binding = ['mcp-list', owner.hash.toString('hex'), method];
  let from: PagePosition | null = null;
  // Some clients send null for an omitted cursor.
  if (params?.cursor != null) {
    const opened = cursors.open(binding, String(params.cursor));
    if (!Array.isArray(opened)) throw new RpcError(RPC.invalidParams, 'Invalid cursor.');
    from = opened as PagePosition;
  }
  const left = parts
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    .flatMap(({ slug, items }) => {
      const begin = startIndex(slug, items, name, from);
      return items.slice(begin).map((item, i) => ({ slug, item, given: begin + i + 1 }));
    });
  const page = left.slice(0, PAGE_ITEMS);
  const last = page.at(-1);
  const isMore = last !== undefined && left.length > PAGE_ITEMS;
  const place: PagePosition | null = isMore
    ? [last.slug, last.given, itemMark(last.item, name)]
    : null;
  return {
    [field]: page.map((item) => item.item),
    ...(place === null ? {} : { nextCursor: cursors.seal(binding, place) }),
  };
}

function startIndex(
  slug: string,
  items: readonly unknown[],
  name: string,
  from: PagePosition | null,
) {
  if (from === null || slug > from[0]) return 0;
  if (slug < from[0]) return items.length;
  const [, given, last] = from;
  // Usually the item has the same position as before.
  if (given > 0 && itemMark(items[given - 1], name) === last) return given;
  const at = items.findIndex((item) => itemMark(item, name) === last);
  // The item was removed, so the following items moved up by at least one position.
  return at === -1 ? Math.min(Math.max(given - 1, 0), items.length) : at + 1;
}

/** Returns a short hash of the item's identifier, because URIs may be long. */
function itemMark(item: unknown, name: string): string {
  const known = isObject(item) ? String(item[name]) : '';
  return createHash('sha256').update(known).digest('base64url').slice(0, 12);
}
