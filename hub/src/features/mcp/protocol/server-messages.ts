// Requests and notifications of servers, rewritten for clients: ids that contain the backend, URIs with its prefix. Also the
// reverse for responses of clients, and filters of listen streams. Pure.
import type { RequestId, SubscriptionFilter } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { originalId, prefixUri, rewriteId } from './aggregated-names.ts';
import type { RpcMessage } from './messages.ts';

interface Origin {
  backendId: string;
  slug: string;
}

/** Returns a server's request or notification as the client receives it. */
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
    const requestId = rewriteId(origin.backendId, params.requestId as RequestId);
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

function withProgressToken(
  message: RpcMessage,
  rename: (token: RequestId) => RequestId,
): RpcMessage {
  const meta = message.params?._meta;
  if (!isObject(meta) || meta.progressToken === undefined) return message;
  const progressToken = rename(meta.progressToken as RequestId);
  return { ...message, params: { ...message.params, _meta: { ...meta, progressToken } } };
}

/** Returns the backend of a client's response or notification, with the server's own id; null: it concerns no backend. */
export function toServerMessage(
  message: RpcMessage,
): { backendId: string; message: RpcMessage } | null {
  if (message.method === undefined) {
    const found = originalId(message.id as RequestId);
    return found === null
      ? null
      : { backendId: found.backendId, message: { ...message, id: found.id } };
  }
  if (message.method !== 'notifications/progress') return null;
  const found = originalId(message.params?.progressToken as RequestId);
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

/** Returns the list that a notification reports as changed, or null. */
export function changedListKind(message: RpcMessage): ListKind | null {
  return CHANGES[message.method ?? ''] ?? null;
}

export function listChangedMessage(kind: ListKind): RpcMessage {
  return { jsonrpc: '2.0', method: `notifications/${kind}/list_changed` };
}

/** Returns the filter of a `subscriptions/listen` request; null: invalid. */
export function parseListenFilter(
  params: Record<string, unknown> | undefined,
): SubscriptionFilter | null {
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

/** Returns whether the message passes the filter. */
export function matchesFilter(message: RpcMessage, filter: SubscriptionFilter): boolean {
  const kind = changedListKind(message);
  if (kind !== null) return filter[`${kind}ListChanged`] === true;
  if (message.method !== 'notifications/resources/updated') return false;
  return filter.resourceSubscriptions?.includes(String(message.params?.uri)) === true;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export function withSubscriptionId(message: RpcMessage, subscription: RequestId): RpcMessage {
  const meta = isObject(message.params?._meta) ? message.params._meta : {};
  return {
    ...message,
    params: { ...message.params, _meta: { ...meta, [SUBSCRIPTION]: subscription } },
  };
}

/** Removes the id of the gateway's own subscription. */
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
