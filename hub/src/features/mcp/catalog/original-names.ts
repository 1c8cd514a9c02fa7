// Restores the server's own name of a tool or prompt from a mapped name.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { RpcMessage } from '../protocol/index.ts';
import { exposedName, isMappedName, mayBelongTo, prefixName } from '../protocol/index.ts';
import type { Backend } from '../upstream/index.ts';
import { listRequest } from './list-requests.ts';
import type { ServerLists } from './lists.ts';

type NameContext = Parameters<typeof listRequest>[0] & {
  isAggregated: boolean;
  backends: readonly Backend[];
  lists: ServerLists;
};

const LIST_OF: Record<string, string> = {
  'tools/call': 'tools/list',
  'prompts/get': 'prompts/list',
  'completion/complete': 'prompts/list',
};

/** Returns the message with the server's own name instead of a mapped name. Throws RpcError. */
export async function restoreOriginalName(
  context: NameContext,
  message: RpcMessage,
): Promise<RpcMessage> {
  const list = LIST_OF[message.method ?? ''];
  const { params } = message;
  if (list === undefined || params === undefined) return message;
  const { ref } = params;
  if (message.method === 'completion/complete') {
    const name = isObject(ref) ? await originalName(context, list, ref.name) : null;
    return name === null
      ? message
      : { ...message, params: { ...params, ref: { ...(ref as object), name } } };
  }
  const name = await originalName(context, list, params.name);
  return name === null ? message : { ...message, params: { ...params, name } };
}

/** Returns null for a name that is not mapped, or that no server lists. */
async function originalName(
  context: NameContext,
  list: string,
  mapped: unknown,
): Promise<string | null> {
  if (typeof mapped !== 'string' || !isMappedName(mapped)) return null;
  for (const backend of context.backends) {
    const original = await nameFrom(context, backend, list, mapped);
    if (original !== null) return original;
  }
  return null;
}

/** Returns the name in the list of a backend that is mapped to this name, or null. */
async function nameFrom(
  context: NameContext,
  backend: Backend,
  list: string,
  mapped: string,
): Promise<string | null> {
  const slug = context.isAggregated ? backend.slug : null;
  if (slug !== null && !mayBelongTo(slug, mapped)) return null;
  for (const item of await context.lists.get(listRequest(context, backend, list))) {
    const name = isObject(item) ? String(item.name) : '';
    if (exposedName(slug, name) === mapped) return slug === null ? name : prefixName(slug, name);
  }
  return null;
}
