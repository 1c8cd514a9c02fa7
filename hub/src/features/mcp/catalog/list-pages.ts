// The lists of a server, and how one is read: page by page, as the server gives it.

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

/** No method of MCP: the instructions of a server are remembered as its lists are, as a list of one text or none. */
export const INSTRUCTIONS = 'instructions/list';
export const SPECS: Record<string, ListSpec> = {
  ...LISTS,
  [INSTRUCTIONS]: { field: 'instructions', kind: 'instructions', name: 'text' },
};

export interface ListTarget extends UpstreamTarget {
  /** What is hidden when it changes is looked at each time: a server that changes it need not say so. */
  drift: 'flag' | 'hide';
}

/** How a list is asked for: `ask` sends one request and gives its result. */
export interface ListRequest {
  target: ListTarget;
  /** Whom to listen to for changes, where that is not as `target` is: it asks the login anew each time. */
  watchTarget?: ListTarget;
  method: string;
  /** Who gets what is one's own: never only by what somebody is called. */
  userKey: string;
  capabilities: Record<string, unknown>;
  fetchPage(
    owner: SessionOwner,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
  /** Told what the server lists, each time that it was asked, though nobody should wait for it any more. */
  onItems(items: readonly unknown[]): Promise<void>;
}

/** While nothing says how long a list holds. */
const KEPT_MS = 10 * 60_000;
const PAGES_MAX = 20;
const ITEMS_MAX = 20_000;

/** Page by page as the server gives it; how long it says that this holds. Throws RpcError. */
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

/** The list as it is now, whatever is remembered. Throws RpcError. */
export async function fetchList(
  asking: ListRequest,
  owner: SessionOwner,
  signal: AbortSignal,
): Promise<unknown[]> {
  return (await fetchAllPages(asking, owner, signal)).items;
}
