// A gate between an agent and its hub: while it is closed, connections are refused as if the hub was away.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HubGate {
  /** The hub's address behind the gate. */
  url: string;
  close(): void;
  open(): void;
  stop(): void;
}

/** Opens a gate to the hub at this address. */
export async function openHubGate(target: string): Promise<HubGate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    stop() {
      server.close();
      cut();
    },
  };
}
