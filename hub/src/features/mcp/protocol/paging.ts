// A list that is longer than a page, page by page. Where it goes on is a place in one server's part: while somebody pages,
// another server may change its list, or be away, and nothing of the others is left out for it.
import { createHash } from 'node:crypto';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { RPC, RpcError } from './messages.ts';

const PAGE_ITEMS = 1_000;

/** What one server lists. */
export interface ListPart {
  slug: string;
  items: unknown[];
}

/** After which item of which server the page before ended, and how many of that server's were given. */
type PagePosition = [slug: string, given: number, last: string];

/** The page that the client asks for. `name`: by which field an item is known. Throws RpcError where its cursor is none of ours. */
export function paginate(
  { cursors, owner }: { cursors: CursorSealer; owner: { hash: Buffer } },
  method: string,
  { field, name }: { field: string; name: string },
  parts: readonly ListPart[],
  params: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const binding = ['mcp-list', owner.hash.toString('hex'), method];
  let from: PagePosition | null = null;
  // Some clients write null for what they leave out.
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
  // Where it stood most often, it stands still.
  if (given > 0 && itemMark(items[given - 1], name) === last) return given;
  const at = items.findIndex((item) => itemMark(item, name) === last);
  // It is gone: what came after it has moved up by one at least.
  return at === -1 ? Math.min(Math.max(given - 1, 0), items.length) : at + 1;
}

/** Addresses of resources may be long, and a cursor is short. */
function itemMark(item: unknown, name: string): string {
  const known = isObject(item) ? String(item[name]) : '';
  return createHash('sha256').update(known).digest('base64url').slice(0, 12);
}
