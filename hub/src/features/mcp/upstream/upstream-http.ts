// HTTP requests to MCP servers, with the credential, which is renewed after a 401. Errors distinguish an unreachable server
// from a lost connection.
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import type { OpenResponse, Outbound } from '../../../platform/http/outbound/outbound.ts';
import { raceAbort } from '../protocol/index.ts';
import {
  ConnectionLostError,
  ServerUnreachableError,
  timeoutError,
  type UpstreamTarget,
} from './targets.ts';

export interface UpstreamRequestSpec {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  signal: AbortSignal;
  body?: string;
  /** Timeout until the head of the response. Zero: only `signal` bounds the wait. */
  headMs: number;
}

export interface UpstreamHttp {
  /** Throws RpcError. */
  request(target: UpstreamTarget, spec: UpstreamRequestSpec): Promise<OpenResponse>;
  post(
    target: UpstreamTarget,
    message: object,
    spec: Pick<UpstreamRequestSpec, 'headers' | 'signal' | 'headMs'>,
  ): Promise<OpenResponse>;
}

/** A login may issue tokens forever that its server rejects. */
const RENEWALS_MAX = 2;

export function createUpstreamHttp(outbound: Outbound): UpstreamHttp {
  async function request(target: UpstreamTarget, spec: UpstreamRequestSpec): Promise<OpenResponse> {
    const { signal } = spec;
    // Credentials may come from a login that does not respond, and the client may disconnect before.
    let credentials = await raceAbort(target.credentials(), signal);
    for (let renewals = 0; ; renewals++) {
      const response = await requestAs(target, credentials, spec);
      const renew = renewals < RENEWALS_MAX ? target.renewCredentials : undefined;
      if (response.status !== 401 || renew === undefined) return response;
      response.body.destroy();
      credentials = await raceAbort(renew(credentials), signal);
    }
  }

  function requestAs(
    target: UpstreamTarget,
    credentials: Record<string, string>,
    { method, headers, signal, body, headMs }: UpstreamRequestSpec,
  ): Promise<OpenResponse> {
    return outbound
      .stream(target.url, {
        method,
        headers: {
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          // Compressed responses are not supported.
          'accept-encoding': 'identity',
          'user-agent': 'gatewarden-mcp-gateway',
          ...credentials,
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        signal,
        timeoutMs: headMs,
      })
      .catch((error: Error) => {
        if (signal.aborted) throw error;
        if (error.name === 'HeadersTimeoutError') throw timeoutError(target)();
        throw isLostConnection(error)
          ? new ConnectionLostError(target)
          : new ServerUnreachableError(target);
      });
  }

  return {
    request,
    post: (target, message, { headers, signal, headMs }) =>
      request(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        signal,
        body: stringifyLossless(message),
        headMs,
      }),
  };
}

/** Errors after the connection was established, which may concern this request only. */
const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isLostConnection(error: Error & { code?: string }): boolean {
  if (/before secure TLS connection/i.test(error.message)) return false;
  return LOST.has(error.code ?? '') || error.code?.startsWith('HPE_') === true;
}
