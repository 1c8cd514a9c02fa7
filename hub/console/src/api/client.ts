// The HTTP client of the console: JSON requests and responses; each error is an ApiError with its request id.
import type { ErrorBody } from '@gatewarden/shared/wire/common.ts';
import { type QueryParams, withQuery } from './query-string.ts';

const API = '/console/api/v1';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Seconds of `Retry-After`; 0 without the header. */
  readonly retryAfterMs: number;

  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    retryAfterMs = 0,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** An edit conflict that the console detected itself. */
export class Overtaken extends Error {}

export const isOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || isStatus(error, 412);

interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  csrfToken: string;
  body?: unknown;
  /** The version that the user saw, verbatim. */
  ifMatch?: string;
  /** The idempotency key: repeated requests with the same key create a single record. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export const SESSION_PATH = `${API}/session`;

export const tenantPath = (tenantId: string): string =>
  `${API}/tenants/${encodeURIComponent(tenantId)}`;

export async function readJson<T>(
  path: string,
  params: QueryParams,
  signal?: AbortSignal,
): Promise<T> {
  const read = await answer<T | undefined>(withQuery(path, params), {
    headers: { accept: 'application/json' },
    ...(signal ? { signal } : {}),
  });
  // Only a proxy responds to a read without a body.
  if (read === undefined) throw notUnderstood(200);
  return read;
}

export function writeJson<T>(path: string, write: Write): Promise<T> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-csrf-token': write.csrfToken,
  };
  if (write.body !== undefined) headers['content-type'] = 'application/json';
  if (write.ifMatch !== undefined) headers['if-match'] = write.ifMatch;
  if (write.idempotencyKey !== undefined) headers['idempotency-key'] = write.idempotencyKey;
  return answer<T>(path, {
    method: write.method,
    headers,
    ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
    ...(write.signal ? { signal: write.signal } : {}),
  });
}

async function answer<T>(url: string, init: RequestInit): Promise<T> {
  const { response, text } = await whole(url, init);
  const parsed = parse(text);
  if (!response.ok) {
    const refusal = asErrorBody(parsed);
    throw new ApiError(
      response.status,
      refusal?.error.code ?? `http_${response.status}`,
      refusal?.error.message ?? response.statusText,
      refusal?.request_id ?? response.headers.get('x-request-id'),
      Math.max(0, Number(response.headers.get('retry-after')) * 1000) || 0,
    );
  }
  if (parsed === undefined && text !== '') {
    throw notUnderstood(response.status);
  }
  return parsed as T;
}

/** Returns the body; throws for an incomplete response. */
async function whole(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, { ...init, credentials: 'same-origin' });
    return { response, text: await response.text() };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, 'unreachable', 'The server didn’t respond.', null);
  }
}

const notUnderstood = (status: number) =>
  new ApiError(status, 'not_json', 'The response couldn’t be read.', null);

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asErrorBody(parsed: unknown): ErrorBody | null {
  if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return null;
  const { error } = parsed;
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return parsed as ErrorBody;
}
