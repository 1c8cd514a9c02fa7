// A TCP proxy that cuts the next connection after a given number of bytes of its answers, and reports the cut.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Cuts after so many more bytes of answers, over all connections; resolves when it did. */
  cutAfter(bytes: number): Promise<void>;
  close(): void;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let reportCut: () => void = () => undefined;
  const cut = () => {
    left = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
    reportCut();
  };
  const server = createServer((client) => {
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
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      if (bytes.length < left) {
        left -= bytes.length;
        client.write(bytes);
      } else {
        client.write(bytes.subarray(0, left));
        cut();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes) {
      left = bytes;
      return new Promise((resolve) => {
        reportCut = resolve;
      });
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
