// Tunnel through a proxy, opened with CONNECT. Node's own proxy agent (24.21) adds a listener for each piece of the
// answer, so that an answer in forty pieces ends the process, and waits a minute whatever timeout a request has.
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { codeOf, messageOf } from '../runtime/errors.ts';
import { http, loadHttps } from '../runtime/http-modules.ts';

/** For all of the proxy's answer: less than a request may take. */
const PATIENCE_MS = 20_000;
const MAX_STATUS_TEXT = 100;

/** Given a socket to go on with, or why there is none. */
type Opened = (error: Error | null, socket: Socket | null) => void;

/** Each connection of this agent leads through the proxy; `destroy` gives up those that are asked for, too. */
export function openTunnelledAgent(
  proxy: URL,
  options: AgentOptions,
  patienceMs = PATIENCE_MS,
): Agent {
  const { Agent } = loadHttps();
  const asking = new Set<ClientRequest>();
  class TunnelledAgent extends Agent {
    override createConnection(
      to: RequestOptions,
      opened?: (error: Error | null, stream: Duplex) => void,
    ): undefined {
      const asked = askForTunnel(proxy, to, { ca: options.ca, patienceMs }, (error, socket) => {
        asking.delete(asked);
        // Nobody reads the stream of a failed request.
        if (socket === null) opened?.(error, null as unknown as Duplex);
        // The callback is for sockets that are created later; this socket exists.
        else opened?.(null, super.createConnection({ ...to, socket } as RequestOptions) as Duplex);
      });
      asking.add(asked);
    }
    override destroy(): void {
      for (const asked of asking) asked.destroy(new Error('given up'));
      super.destroy();
    }
  }
  return new TunnelledAgent(options);
}

function askForTunnel(
  proxy: URL,
  to: RequestOptions,
  { ca, patienceMs }: { ca: AgentOptions['ca']; patienceMs: number },
  opened: Opened,
): ClientRequest {
  const host = to.host ?? '';
  const target = `${host.includes(':') ? `[${host}]` : host}:${to.port ?? 443}`;
  const way = `tunnel to ${target} via ${proxy.origin}`;
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');
  const isTls = proxy.protocol === 'https:';
  const request = (isTls ? loadHttps() : http).request({
    method: 'CONNECT',
    host: proxyHost,
    // Else Node takes the name in the header, which is the hub's.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: proxy.port || (isTls ? 443 : 80),
    path: target,
    headers: { host: target, ...credentialsOf(proxy) },
    agent: false,
    ...(isTls && ca !== undefined ? { ca } : {}),
  });
  let isResolved = false;
  const resolveOnce: Opened = (error, socket) => {
    clearTimeout(patience);
    if (isResolved) return;
    isResolved = true;
    opened(error, socket);
  };
  const fail = (why: string) => {
    resolveOnce(new Error(`Failed to establish ${way}: ${why}`), null);
    request.destroy();
  };
  const patience = setTimeout(
    () => fail(`no whole answer within ${Math.round(patienceMs / 1000)} s`),
    patienceMs,
  );
  request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
    // After `connect` the socket has no owner: its receiver reports errors from then on.
    if (response.statusCode !== 200) {
      socket.destroy();
      return fail(statusOf(response));
    }
    if (head.length > 0) socket.unshift(head);
    resolveOnce(null, socket);
  });
  request.once('response', (response: IncomingMessage) => fail(statusOf(response)));
  request.on('error', (error) => {
    // An unreachable or untrusted proxy is recognized by its error code; other errors concern the tunnel.
    const isOfTunnel = /^(ECONNRESET|EPIPE|HPE_.*)$/.test(codeOf(error) ?? '');
    if (isOfTunnel) fail(messageOf(error));
    else resolveOnce(error, null);
  });
  request.end();
  return request;
}

/** The proxy's own text is cut to a single line of a log. */
function statusOf({ httpVersion, statusCode, statusMessage }: IncomingMessage): string {
  const text = (statusMessage ?? '').slice(0, MAX_STATUS_TEXT).replace(/\p{Cc}+/gu, ' ');
  return `HTTP/${httpVersion} ${statusCode} ${text}`.trim();
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${plain(username)}:${plain(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, whatever it looks like.
    return text;
  }
}
