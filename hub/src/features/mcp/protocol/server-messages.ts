// What servers say of their own accord, as the client of the gateway must read it: ids that lead back, URIs with their
// backend. And which of a client's answers and notices belong to which server. Pure.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { originalId, prefixUri, rewriteId } from './aggregated-names.ts';
import type { RpcId, RpcMessage } from './messages.ts';

interface Origin {
  backendId: string;
  slug: string;
}

/** A message of a server, that is not the answer to a request, as the client gets it. */
export function toClientMessage(
  message: RpcMessage,
  origin: Origin,
  isAggregated: boolean,
): RpcMessage {
  if (message.id != null) {
    const id = rewriteId(origin.backendId, message.id);
    return withProgressToken({ ...message, id }, (token) => rewriteId(origin.backendId, token));
  }
  const { method, params } = message;
  if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
    const requestId = rewriteId(origin.backendId, params.requestId as RpcId);
    return { ...message, params: { ...params, requestId } };
  }
  if (
    isAggregated &&
    method === 'notifications/resources/updated' &&
    typeof params?.uri === 'string'
  ) {
    return { ...message, params: { ...params, uri: prefixUri(origin.slug, params.uri) } };
  }
  return message;
}

function withProgressToken(message: RpcMessage, rename: (token: RpcId) => RpcId): RpcMessage {
  const meta = message.params?._meta;
  if (!isObject(meta) || meta.progressToken === undefined) return message;
  const progressToken = rename(meta.progressToken as RpcId);
  return { ...message, params: { ...message.params, _meta: { ...meta, progressToken } } };
}

/** Which server an answer or a notice of the client is for, and as that server knows it; null: for none in particular. */
export function toServerMessage(
  message: RpcMessage,
): { backendId: string; message: RpcMessage } | null {
  if (message.method === undefined) {
    const found = originalId(message.id as RpcId);
    return found === null
      ? null
      : { backendId: found.backendId, message: { ...message, id: found.id } };
  }
  if (message.method !== 'notifications/progress') return null;
  const found = originalId(message.params?.progressToken as RpcId);
  if (found === null) return null;
  const params = { ...message.params, progressToken: found.id };
  return { backendId: found.backendId, message: { ...message, params } };
}

export type ListKind = 'tools' | 'prompts' | 'resources';
const CHANGES: Record<string, ListKind> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};

/** Which list a server says has changed; null where it says something else. */
export function changedListKind(message: RpcMessage): ListKind | null {
  return CHANGES[message.method ?? ''] ?? null;
}

export function listChangedMessage(kind: ListKind): RpcMessage {
  return { jsonrpc: '2.0', method: `notifications/${kind}/list_changed` };
}

export interface ListenFilter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** What a `subscriptions/listen` asks for; null where it is none. */
export function parseListenFilter(
  params: Record<string, unknown> | undefined,
): ListenFilter | null {
  const asked = params?.notifications;
  if (!isObject(asked)) return null;
  const uris = asked.resourceSubscriptions;
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')))
    return null;
  return {
    ...(asked.toolsListChanged === true ? { toolsListChanged: true } : {}),
    ...(asked.promptsListChanged === true ? { promptsListChanged: true } : {}),
    ...(asked.resourcesListChanged === true ? { resourcesListChanged: true } : {}),
    ...(uris !== undefined && uris.length > 0
      ? { resourceSubscriptions: [...new Set(uris as string[])] }
      : {}),
  };
}

/** Whether somebody who asked for `filter` is told this. */
export function matchesFilter(message: RpcMessage, filter: ListenFilter): boolean {
  const kind = changedListKind(message);
  if (kind !== null) return filter[`${kind}ListChanged`] === true;
  if (message.method !== 'notifications/resources/updated') return false;
  return filter.resourceSubscriptions?.includes(String(message.params?.uri)) === true;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export function withSubscriptionId(message: RpcMessage, subscription: RpcId): RpcMessage {
  const meta = isObject(message.params?._meta) ? message.params._meta : {};
  return {
    ...message,
    params: { ...message.params, _meta: { ...meta, [SUBSCRIPTION]: subscription } },
  };
}

/** The same without the mark of the gateway's own subscription at a server. */
export function withoutSubscriptionId(message: RpcMessage): RpcMessage {
  const meta = message.params?._meta;
  if (!isObject(meta) || !(SUBSCRIPTION in meta)) return message;
  const { [SUBSCRIPTION]: _subscription, ...kept } = meta;
  const { _meta, ...rest } = message.params ?? {};
  const params = Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
  if (Object.keys(params).length > 0) return { ...message, params };
  const { params: _params, ...bare } = message;
  return bare;
}
