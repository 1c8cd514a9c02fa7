// The lists of a server, and how one is read: page by page, as the server gives it.
import { readable } from './items.ts';
import type { ListKind } from './server-messages.ts';
import type { Owner, Target } from './targets.ts';

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

export interface ListTarget extends Target {
  /** What is hidden when it changes is looked at each time: a server that changes it need not say so. */
  drift: 'flag' | 'hide';
}

/** How a list is asked for: `ask` sends one request and gives its result. */
export interface ListAsk {
  target: ListTarget;
  /** Whom to listen to for changes, where that is not as `target` is: it asks the login anew each time. */
  watched?: ListTarget;
  method: string;
  /** Who gets what is one's own: never only by what somebody is called. */
  whose: string;
  capabilities: Record<string, unknown>;
  ask(
    owner: Owner,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
  /** Told what the server lists, each time that it was asked, though nobody should wait for it any more. */
  came(items: readonly unknown[]): Promise<void>;
}

/** While nothing says how long a list holds. */
const KEPT_MS = 10 * 60_000;
const PAGES_MAX = 20;
const ITEMS_MAX = 20_000;

/** Page by page as the server gives it; how long it says that this holds. Throws RpcError. */
export async function everything(
  { method, ask }: Pick<ListAsk, 'method' | 'ask'>,
  owner: Owner,
  signal: AbortSignal,
): Promise<{ items: unknown[]; ttlMs: number }> {
  const { field = '', name = '' } = SPECS[method] ?? {};
  const items: unknown[] = [];
  let ttlMs = KEPT_MS;
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX && items.length < ITEMS_MAX; page++) {
    const result = await ask(owner, cursor === undefined ? {} : { cursor }, signal);
    items.push(...(Array.isArray(result[field]) ? (result[field] as unknown[]) : []));
    ttlMs = Math.min(ttlMs, typeof result.ttlMs === 'number' ? result.ttlMs : 0);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return { items: readable(items.slice(0, ITEMS_MAX), field, name), ttlMs };
}

/** The list as it is now, whatever is remembered. Throws RpcError. */
export async function listNow(
  asking: ListAsk,
  owner: Owner,
  signal: AbortSignal,
): Promise<unknown[]> {
  return (await everything(asking, owner, signal)).items;
}
