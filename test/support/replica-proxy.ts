// A load balancer before several hubs: requests go in turn to the hubs that report readiness, each on a connection of its
// own. An unreachable hub is passed over; a request that broke half-way is left to the client.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOKED_AT_MS = 100;

export interface ReplicaProxy {
  url: string;
  /** How many answers came from each target, in their order. */
  served: number[];
  /** Sends no new request to a target, ready or not; resolves when its running requests have been answered. */
  takeOut(target: string): Promise<void>;
  /** Resolves when the target reports that it is ready and gets requests. */
  putIn(target: string): Promise<void>;
  close(): Promise<void>;
}

interface Target {
  url: string;
  isIn: boolean;
  isReady: boolean;
  running: number;
}

export async function openReplicaProxy(urls: readonly string[]): Promise<ReplicaProxy> {
  const targets = urls.map((url): Target => ({ url, isIn: true, isReady: false, running: 0 }));
  const served = urls.map(() => 0);
  let turn = 0;
  const look = async (target: Target) => {
    target.isReady = await fetch(`${target.url}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.ok)
      .catch(() => false);
  };
  const looking = setInterval(() => {
    for (const target of targets) void look(target);
  }, LOOKED_AT_MS);
  const targetOf = (url: string): Target => {
    const found = targets.find((target) => target.url === url);
    if (found === undefined) throw new Error(`${url} is no target`);
    return found;
  };
  const server = createServer((incoming, outgoing) => {
    turn++;
    const open = targets.filter((target) => target.isIn && target.isReady);
    const inTurn = open.map((_, i) => open[(turn + i) % open.length] as Target);
    forward(incoming, outgoing, inTurn, (target) => {
      const i = targets.indexOf(target);
      served[i] = (served[i] ?? 0) + 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await Promise.all(targets.map(look));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    async takeOut(url) {
      const target = targetOf(url);
      target.isIn = false;
      while (target.running > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async putIn(url) {
      const target = targetOf(url);
      target.isIn = true;
      while (!target.isReady) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async close() {
      clearInterval(looking);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  targets: readonly Target[],
  onAnswer: (target: Target) => void,
): void {
  const [target, ...others] = targets;
  if (target === undefined) {
    outgoing.writeHead(503, { 'retry-after': '1' }).end();
    return;
  }
  target.running++;
  let isOver = false;
  const over = () => {
    if (!isOver) target.running--;
    isOver = true;
  };
  const upstream = request(new URL(incoming.url ?? '/', target.url), {
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
    agent: false,
  });
  upstream.on('response', (answer) => {
    onAnswer(target);
    const { connection: _hop, 'keep-alive': _alive, ...headers } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, headers);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  upstream.on('close', over);
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    over();
    // No byte of the request arrived there, so another hub may have it.
    if (error.code === 'ECONNREFUSED') forward(incoming, outgoing, others, onAnswer);
    else outgoing.destroy();
  });
  outgoing.on('close', () => upstream.destroy());
  upstream.on('socket', (socket) => {
    // Only what is connected gets the body: it can be read once.
    if (socket.connecting) socket.once('connect', () => incoming.pipe(upstream));
    else incoming.pipe(upstream);
  });
}
