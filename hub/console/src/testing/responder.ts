// Network of a component test: answers `fetch` in the process, by method and path below the tenant, and records what was sent.
// A request without a responder is answered 404 and fails the test (`setup.ts`), so that no read goes unnoticed.
import { tenantPath } from '../api/client.ts';

export const TENANT_ID = '01900000-0000-7000-8000-000000000001';

export interface SentRequest {
  /** `POST /overrides`: below the tenant, without the query. */
  target: string;
  query: Record<string, string>;
  /** Names in lower case. */
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON that a test asserts on
  body: any;
}

export interface HttpReply {
  status: number;
  body: unknown;
}

type Responder = (request: SentRequest) => HttpReply | Promise<HttpReply>;

const responders = new Map<string, Responder>();
const sent: SentRequest[] = [];
const unexpected: string[] = [];

/** Answers requests such as `GET /alerts` from now on; takes the place of an earlier responder of that target. */
export function respond(target: string, responder: Responder): void {
  responders.set(target, responder);
}

/** Answers with this JSON and status 200. */
export function respondWith(target: string, body: unknown): void {
  respond(target, () => ({ status: 200, body }));
}

/** Returns the reply of a page of a list. */
export function listReply(items: readonly unknown[], nextCursor: string | null = null): HttpReply {
  return { status: 200, body: { items, next_cursor: nextCursor, request_id: 'r-list' } };
}

/** Returns a refusal in the hub's error format; its request id is `r-<code>`. */
export function refusal(status: number, code: string, message: string): HttpReply {
  return { status, body: { error: { code, message }, request_id: `r-${code}` } };
}

/** Fails as a connection that breaks before the answer. */
export function loseAnswer(): never {
  throw new TypeError('fetch failed');
}

/** Returns the requests that were sent to the target, oldest first. */
export function sentTo(target: string): SentRequest[] {
  return sent.filter((request) => request.target === target);
}

/** Returns the targets of requests without a responder, and forgets every responder and request. */
export function resetResponders(): string[] {
  responders.clear();
  sent.length = 0;
  return unexpected.splice(0);
}

/** Installs the responders as `fetch` of this process. */
export function installResponders(): void {
  globalThis.fetch = (async (url: string, init: RequestInit = {}) => {
    const request = sentRequest(url, init);
    sent.push(request);
    const responder = responders.get(request.target);
    if (responder === undefined) unexpected.push(request.target);
    const { status, body } = await (responder?.(request) ??
      refusal(404, 'not_found', `no responder for ${request.target}`));
    init.signal?.throwIfAborted();
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  }) as typeof fetch;
}

function sentRequest(url: string, { method = 'GET', headers = {}, body }: RequestInit) {
  const { pathname, searchParams } = new URL(url, 'https://hub.example');
  const prefix = tenantPath(TENANT_ID);
  const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname;
  return {
    target: `${method} ${path}`,
    query: Object.fromEntries(searchParams),
    headers: headers as Record<string, string>,
    body: typeof body === 'string' ? JSON.parse(body) : undefined,
  };
}
