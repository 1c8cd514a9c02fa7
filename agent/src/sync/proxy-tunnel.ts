// Tunnel through a proxy, opened with CONNECT (RFC 9110 §9.3.6). Node's own agent (`proxyEnv`, 24.21) cannot replace it:
// its listeners double with each piece of the proxy's answer (nodejs/node#62904), it trusts no private authority at a TLS
// proxy, and its NO_PROXY matches neither networks nor the hosts below a plain domain.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { codeOf, messageOf } from '../runtime/errors.ts';
import { http, loadHttps } from '../runtime/http-modules.ts';

/** Time limit of the proxy's complete answer: less than a request may take. */
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_STATUS_TEXT = 100;

/**
 * Returns an agent that connects through the proxy. Its `destroy` also ends connections that are being opened. `options.ca` applies to a TLS proxy, too.
 */
export function openTunnelledAgent(
  proxy: URL,
  options: AgentOptions,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Agent {
  const { Agent } = loadHttps();
  const closing = new AbortController();
  const timeoutText = `no whole answer within ${Math.round(timeoutMs / 1000)} s`;
  class TunnelledAgent extends Agent {
    override createConnection(
      to: RequestOptions,
      callback?: (error: Error | null, stream: Duplex) => void,
    ): undefined {
      const target = `${to.host?.includes(':') ? `[${to.host}]` : to.host}:${to.port ?? 443}`;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([closing.signal, timeout]);
      openTunnel(proxy, target, options.ca, signal).then(
        (socket) => callback?.(null, super.createConnection({ ...to, socket } as object) as Duplex),
        (error) => {
          // An unreachable or untrusted proxy is recognized by its error code; other errors concern the tunnel.
          const isOfTunnel = /^(ECONNRESET|EPIPE|HPE_.*)?$/.test(codeOf(error) ?? '');
          const reason = timeout.aborted ? timeoutText : messageOf(error);
          const failure =
            isOfTunnel || timeout.aborted
              ? new Error(`Failed to establish tunnel to ${target} via ${proxy.origin}: ${reason}`)
              : (error as Error);
          // The types require a stream, but Node ignores it after an error.
          callback?.(closing.signal.reason ?? failure, null as unknown as Duplex);
        },
      );
    }
    override destroy(): void {
      closing.abort(new Error('given up'));
      super.destroy();
    }
  }
  return new TunnelledAgent(options);
}

/** Resolves with the connection to `target` (`host:port`); rejects where the proxy answers with another status than 200. */
async function openTunnel(
  proxy: URL,
  target: string,
  ca: AgentOptions['ca'],
  signal: AbortSignal,
): Promise<Socket> {
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');
  const isTls = proxy.protocol === 'https:';
  const request = (isTls ? loadHttps() : http).request({
    method: 'CONNECT',
    host: proxyHost,
    // Node would take the name in the `host` header otherwise, which is the hub's.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: proxy.port || (isTls ? 443 : 80),
    path: target,
    headers: { host: target, ...credentialsOf(proxy) },
    agent: false,
    signal,
    ...(isTls && ca !== undefined ? { ca } : {}),
  });
  // The promise below reports the first error; without a listener a late error would end the process.
  request.on('error', () => undefined);
  request.end();
  const [response, socket, head] = (await once(request, 'connect')) as Parameters<OnConnect>;
  if (response.statusCode !== 200) {
    socket.destroy();
    // The proxy's own text is cut to a single short line of a log.
    const text = (response.statusMessage ?? '').slice(0, MAX_STATUS_TEXT);
    const line = `HTTP/${response.httpVersion} ${response.statusCode} ${text}`;
    throw new Error(line.replace(/\p{Cc}+/gu, ' ').trim());
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}

type OnConnect = (response: IncomingMessage, socket: Socket, head: Buffer) => void;

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeOrKeep(username)}:${decodeOrKeep(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text is not percent-encoded.
    return text;
  }
}
