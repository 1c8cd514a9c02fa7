// A hub with real targets, and the steps that tests of notification channels share.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { expect } from 'vitest';
import { aDevice, anAlert } from './builders.ts';
import { cloneDatabase, deviceCall, hubConfig, startTestHub, type TestHub } from './hub.ts';
import { type HttpSink, openHttpSink, openSmtpSink, reaching, type SmtpSink } from './sinks.ts';

export const SOON = { timeout: 60_000 };

export interface BenchChannel {
  id: string;
  path: string;
  secret: string;
}

export interface ChannelBench {
  hub: TestHub;
  sink: HttpSink;
  smtp: SmtpSink;
  device: ReturnType<typeof aDevice>;
  create(body: object): Promise<BenchChannel>;
  /** Creates a webhook channel to this path of the sink. */
  webhook(path: string, over?: object): Promise<BenchChannel>;
  raise(over?: Partial<WireAlert>): Promise<WireAlert>;
  // biome-ignore lint/suspicious/noExplicitAny: the hub itself has checked its answers against their schemas
  deliveries(path: string, query?: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  channelAt(path: string): Promise<any>;
  /** Waits until the newest delivery of the channel matches. */
  becomes(path: string, expected: object): Promise<void>;
  /** Resets the sinks and deletes all channels. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openChannelBench(): Promise<ChannelBench> {
  const sink = await openHttpSink();
  const smtp = await openSmtpSink();
  const hub = await startTestHub(reaching(hubConfig(await cloneDatabase()), smtp));
  const device = aDevice();
  const bench: ChannelBench = {
    hub,
    sink,
    smtp,
    device,
    async create(body) {
      const created = await hub.console('POST', '/alert-routes', {
        body: { name: 'Channel', ...body },
      });
      expect(created.status).toBe(201);
      const { route_id: id } = created.body.route;
      return { id, path: `/alert-routes/${id}`, secret: created.body.secret };
    },
    webhook: (path, over = {}) =>
      bench.create({ kind: 'webhook', url: `${sink.url}${path}`, ...over }),
    async raise(over = {}) {
      const alert = anAlert(over);
      const body = { device, alerts: [alert] };
      expect((await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body })).status).toBe(202);
      return alert;
    },
    deliveries: async (path, query = '') =>
      (await hub.console('GET', `${path}/deliveries${query}`)).body.items,
    channelAt: async (path) => (await hub.console('GET', path)).body.route,
    becomes: async (path, expected) => {
      await expect
        .poll(async () => (await bench.deliveries(path))[0], SOON)
        .toMatchObject(expected);
    },
    async reset() {
      sink.answer = (response) => response.writeHead(204).end();
      sink.received.length = 0;
      smtp.mails.length = 0;
      smtp.refused.clear();
      for (const { route_id, version } of (await hub.console('GET', '/alert-routes')).body.items) {
        const headers = { 'if-match': version };
        await hub.console('DELETE', `/alert-routes/${route_id}`, { headers });
      }
    },
    async close() {
      await hub.stop();
      await sink.close();
      await smtp.close();
    },
  };
  return bench;
}
