// A proxy between an agent and its hub that injects network faults.
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * `refused`: nobody listens. `reset`: closed after the first bytes. `slow`, `truncated`: the answer. `silent`: none.
 */
export type Weather = 'clear' | 'refused' | 'reset' | 'slow' | 'truncated' | 'silent';

export interface FaultProxy {
  url: string;
  weather: Weather;
  /** Called at each new request or connection; may change the weather. */
  change(weather: Weather): Promise<void>;
  close(): Promise<void>;
}

const SLOW_MS = 1200;
const TRUNCATED_AFTER = 60;

/** Listens on a port of loopback and passes on to the other. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const server = net.createServer((client) => {
    const hub = net.connect(targetPort, '127.0.0.1');
    for (const socket of [client, hub]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        hub.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (proxy.weather === 'reset') client.resetAndDestroy();
      else hub.write(chunk);
    });
    hub.on('data', (chunk) => {
      if (proxy.weather === 'silent') return;
      if (proxy.weather === 'truncated') {
        client.write(chunk.subarray(0, TRUNCATED_AFTER), () => client.destroy());
      } else if (proxy.weather === 'slow') setTimeout(() => client.write(chunk), SLOW_MS);
      else client.write(chunk);
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${port}`,
    weather: 'clear',
    async change(weather) {
      const before = proxy.weather;
      proxy.weather = weather;
      if (weather === 'refused' && before !== 'refused') await shut();
      if (weather !== 'refused' && before === 'refused') await listen(port);
    },
    close: async () => {
      if (proxy.weather !== 'refused') await shut();
    },
  };
  return proxy;
}
