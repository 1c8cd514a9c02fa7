// A request as it arrived, before its body was read.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientApi } from './operations.ts';

export interface Incoming {
  id: string;
  api: ClientApi;
  request: IncomingMessage;
  /** Headers with names in lower case; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  clientIp: string;
  /** Path and query as the client sent them. */
  url: string;
  /** Parameters of the path: `model`, and `*` for the part behind a fixed prefix. */
  params: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** A monotonic time in milliseconds, for latencies. */
  startedAt: number;
}

/** Returns the description of a request with an id of its own. */
export function describeIncoming(
  api: ClientApi,
  request: IncomingMessage,
  clientIp: string,
  params: Readonly<Record<string, string>>,
): Incoming {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 has pseudo-headers such as `:path` among its headers.
    if (value === undefined || name.startsWith(':')) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    id: randomUUID(),
    api,
    request,
    headers,
    clientIp: clientIp.replace(/^::ffff:(?=\d+\.)/, ''),
    url: request.url ?? '/',
    params,
    receivedAt: Date.now(),
    startedAt: performance.now(),
  };
}
