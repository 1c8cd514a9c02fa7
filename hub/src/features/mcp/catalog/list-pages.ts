// The kinds of lists, and reading a list of a server page by page.

import type { ListKind } from '../protocol/index.ts';
import type { SessionOwner, UpstreamTarget } from '../upstream/index.ts';
import { filterValidItems } from './items.ts';

export interface ListSpec {
  field: string;
  kind: ListKind | 'instructions';
  name: 'name' | 'uri' | 'uriTemplate' | 'text';
}
export const LISTS: Record<string, ListSpec> = {
  'tools/list': { field: 'tools', kind: 'tools', name: 'name' },
  'prompts/list': { field: 'prompts', kind: 'prompts', name: 'name' },
  'resources/list': { field: 'resources', kind: 'resources', name: 'uri' },
  'resources/templates/list': {
    field: 'resourceTemplates',
    kind: 'resources',
    name: 'uriTemplate',
  },
};

/** A method of the gateway only: instructions are cached like lists, as a list with a single text or none. */
export const INSTRUCTIONS = 'instructions/list';
export const SPECS: Record<string, ListSpec> = {
  ...LISTS,
  [INSTRUCTIONS]: { field: 'instructions', kind: 'instructions', name: 'text' },
};

export interface ListTarget extends UpstreamTarget {
  /** `hide`: the list is fetched each time, because a server may change a tool without notice. */
  drift: 'flag' | 'hide';
}

/** A request for a list. `fetchPage` sends the request for a page and returns its result. */
export interface ListRequest {
  target: ListTarget;
  /** The target for the watch of changes, with credentials that are loaded each time. */
  watchTarget?: ListTarget;
  method: string;
  /** The user, for lists that differ per user. Never a claimed name only. */
  userKey: string;
  capabilities: Record<string, unknown>;
  fetchPage(
    owner: SessionOwner,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
  /** Receives the items of each fetch, also if no request waits for them any more. */
  onItems(items: readonly unknown[]): Promise<void>;
}

/** Time to live of a list without `ttlMs`. */
const KEPT_MS = 10 * 60_000;
const PAGES_MAX = 20;
const ITEMS_MAX = 20_000;

/** Fetches all pages. `ttlMs` is the shortest time to live of the pages. Throws RpcError. */
export async function fetchAllPages(
  { method, fetchPage }: Pick<ListRequest, 'method' | 'fetchPage'>,
  owner: SessionOwner,
  signal: AbortSignal,
): Promise<{ items: unknown[]; ttlMs: number }> {
  const { field = '', name = '' } = SPECS[method] ?? {};
  const items: unknown[] = [];
  let ttlMs = KEPT_MS;
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX && items.length < ITEMS_MAX; page++) {
    const result = await fetchPage(owner, cursor === undefined ? {} : { cursor }, signal);
    items.push(...(Array.isArray(result[field]) ? (result[field] as unknown[]) : []));
    ttlMs = Math.min(ttlMs, typeof result.ttlMs === 'number' ? result.ttlMs : 0);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return { items: filterValidItems(items.slice(0, ITEMS_MAX), field, name), ttlMs };
}

/** Fetches the list without the cache. Throws RpcError. */
export async function fetchList(
  asking: ListRequest,
  owner: SessionOwner,
  signal: AbortSignal,
): Promise<unknown[]> {
  return (await fetchAllPages(asking, owner, signal)).items;
}
