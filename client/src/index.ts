// A typed client of the tenant management API: every path, parameter, body and answer has the type that the hub's
// OpenAPI document gives it. It adds what each call needs and decides nothing.
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';

export type { components, paths };

export interface ManagementClientOptions {
  /** The origin of the hub. */
  baseUrl: string;
  /** A management key for the resource routes, or a tenant administrator's JWT for the administrator routes. */
  token: string;
  /** Another way to send requests; the runtime's own `fetch` where it is left out. */
  fetch?: (request: Request) => Promise<Response>;
}

export type ManagementClient = Client<paths>;

/** An answer other than 2xx, as the hub put it. */
export class ManagementError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  /** Of `operation_pending`: what `/operations/{operation_id}` knows about it. */
  readonly operationId: string | null;
  /** The seconds of `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const { error, request_id } = (body ?? {}) as {
      error?: { code?: string; message?: string; operation_id?: string };
      request_id?: string;
    };
    super(error?.message ?? `The hub answered ${response.status}.`);
    this.name = 'ManagementError';
    this.status = response.status;
    this.code = error?.code ?? 'unknown';
    this.requestId = request_id ?? '';
    this.operationId = error?.operation_id ?? null;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
  }
}

/**
 * A client for one tenant. Sends the token with every request, and with every POST an `Idempotency-Key` where the caller
 * gave none. Answers come as openapi-fetch gives them: `{data, error, response}`; `must` turns an error into a throw.
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  client.use(credentials(options.token));
  return client;
}

function credentials(token: string): Middleware {
  return {
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', crypto.randomUUID());
      }
      return request;
    },
  };
}

/** The data of an answer, with its ETag. Throws ManagementError for an answer that is no success. */
export async function must<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<{ data: NonNullable<Data>; etag: string | null }> {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined || data === null) {
    throw new ManagementError(response, error);
  }
  return { data, etag: response.headers.get('etag') };
}
