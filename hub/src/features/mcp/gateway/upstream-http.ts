// HTTP requests to MCP servers: with what lets the gateway in, renewed where the server refuses it, and with errors that say
// whether the server can be reached.
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import type { OpenResponse, Outbound } from '../../../platform/http/outbound/outbound.ts';
import { ConnectionLost, late, ServerUnreachable, type Target } from './targets.ts';
import { waited } from './together.ts';

export interface UpstreamRequestSpec {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  signal: AbortSignal;
  body?: string;
  /** Until the head of the answer. Zero: `signal` alone bounds it. */
  headMs: number;
}

export interface UpstreamHttp {
  /** Throws RpcError. */
  request(target: Target, spec: UpstreamRequestSpec): Promise<OpenResponse>;
  post(
    target: Target,
    message: object,
    spec: Pick<UpstreamRequestSpec, 'headers' | 'signal' | 'headMs'>,
  ): Promise<OpenResponse>;
}

/** A login may give tokens without end that its server never takes. */
const RENEWED_MAX = 2;

export function createUpstreamHttp(outbound: Outbound): UpstreamHttp {
  async function request(target: Target, spec: UpstreamRequestSpec): Promise<OpenResponse> {
    const { signal } = spec;
    // They may have to be fetched from a login that does not answer, and the client may go meanwhile.
    let credentials = await waited(target.credentials(), signal);
    for (let times = 0; ; times++) {
      const answer = await requestAs(target, credentials, spec);
      const after = times < RENEWED_MAX ? target.credentialsAfter : undefined;
      if (answer.status !== 401 || after === undefined) return answer;
      answer.body.destroy();
      credentials = await waited(after(credentials), signal);
    }
  }

  function requestAs(
    target: Target,
    credentials: Record<string, string>,
    { method, headers, signal, body, headMs }: UpstreamRequestSpec,
  ): Promise<OpenResponse> {
    return outbound
      .stream(target.url, {
        method,
        headers: {
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          // Nothing here unpacks an answer.
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
        if (error.name === 'HeadersTimeoutError') throw late(target)();
        throw isLostConnection(error) ? new ConnectionLost(target) : new ServerUnreachable(target);
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

/** These come after a connection was made, so they may be about this one request. */
const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isLostConnection(error: Error & { code?: string }): boolean {
  if (/before secure TLS connection/i.test(error.message)) return false;
  return LOST.has(error.code ?? '') || error.code?.startsWith('HPE_') === true;
}
