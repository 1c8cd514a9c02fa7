// The HTTP client of providers: pooled connections, timeouts, and failures with a code. Bodies are never buffered here.
import type { Readable } from 'node:stream';
import type { Network } from '@gatewarden/shared/address-rules.ts';
import { Agent, request, fetch as undiciFetch } from 'undici';
import { AddressRefused, createGuardedConnector } from './address-rules.ts';

export interface UpstreamRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** An address that the operator named in the environment is not subject to the address rules. */
  isOperatorAddress: boolean;
}

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export type UpstreamFailureCode =
  | 'address_refused'
  | 'connection_failed'
  | 'timeout'
  | 'client_disconnected';

/** A provider gave no answer. The message is for the client and names neither addresses nor credentials. */
export class UpstreamFailure extends Error {
  readonly code: UpstreamFailureCode;

  constructor(code: UpstreamFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface SendOptions {
  signal: AbortSignal;
  /** Milliseconds until the head of the answer, and between two parts of its body. */
  timeoutMs: number;
}

export interface UpstreamClient {
  /** Sends a request and resolves with the head of the answer. Throws UpstreamFailure. */
  send(upstream: UpstreamRequest, options: SendOptions): Promise<UpstreamAnswer>;
  /** A `fetch` under the same address rules, for token services. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

const AGENT_OPTIONS = {
  pipelining: 1,
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 300_000,
} as const;

/** Returns a client that applies the address rules to every provider. */
export function createUpstreamClient(allowed: readonly Network[]): UpstreamClient {
  const guarded = new Agent({ ...AGENT_OPTIONS, connect: createGuardedConnector(allowed) });
  const unguarded = new Agent(AGENT_OPTIONS);
  return {
    async send({ method, url, headers, body, isOperatorAddress }, { signal, timeoutMs }) {
      try {
        const answer = await request(url, {
          method: method as 'POST',
          headers,
          body,
          signal,
          dispatcher: isOperatorAddress ? unguarded : guarded,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        return { status: answer.statusCode, headers: answer.headers, body: answer.body };
      } catch (error) {
        throw describeFailure(error, signal);
      }
    },
    // undici's Response and Node's own Response differ in type only.
    fetch: ((input: string, init: object) =>
      undiciFetch(input, { ...init, dispatcher: guarded })) as unknown as typeof globalThis.fetch,
    async close() {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns an error of undici or of a socket as a failure with a code. */
export function describeFailure(error: unknown, signal: AbortSignal): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (signal.aborted) {
    return new UpstreamFailure('client_disconnected', 'The client closed the connection.', error);
  }
  const { code, cause } = error as { code?: string; cause?: unknown };
  const refused = [error, cause].find((part) => part instanceof AddressRefused);
  if (refused !== undefined) {
    return new UpstreamFailure('address_refused', `The provider's URL ${refused.message}.`, error);
  }
  if (TIMEOUT_CODES.has(code ?? '')) {
    return new UpstreamFailure('timeout', 'The provider did not answer in time.', error);
  }
  return new UpstreamFailure('connection_failed', 'The provider could not be reached.', error);
}
