// Composes a gateway node: configuration, spool, upload, and the server. Start reading here.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigFollower } from './config/follower.ts';
import { SealedCopy } from './config/sealed-copy.ts';
import type { GatewaySettings } from './config/settings.ts';
import { createServer } from './entry/server.ts';
import { Spool } from './logs/spool.ts';
import { LogUploader } from './logs/uploader.ts';
import type { GatewayNode } from './node.ts';
import { LimitCounters } from './policy/index.ts';
import { Metrics } from './telemetry/metrics.ts';
import type { Tracing } from './telemetry/request-trace.ts';
import { createUpstreamClient } from './upstream/client.ts';
import { createGuardianClient } from './upstream/guardian-client.ts';

export interface RunningGateway {
  /** The address under which the node listens. */
  url: string;
  /** Refuses new connections, waits for running requests, sends the spool, and ends. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** Seconds that the hub may keep a poll of the configuration open. */
  waitSeconds?: number;
  /** Milliseconds for which log rows are collected before they are sent. */
  collectMs?: number;
}

/** Starts a node and resolves when it listens. Without a configuration it answers 503 until the first snapshot. */
export async function startGateway(
  settings: GatewaySettings,
  log: Logger,
  { waitSeconds, collectMs }: GatewayOptions = {},
): Promise<RunningGateway> {
  const { hubUrl, nodeToken, dataDir } = settings;
  const spool = new Spool({ folder: join(dataDir, 'spool'), bytesMax: settings.spoolBytesMax });
  const upstream = createUpstreamClient(settings.allowedPrivateNetworks);
  const guardian = settings.guardian === null ? null : createGuardianClient(settings.guardian);
  const tracing = await loadTracing(settings, log);
  const instance = randomUUID();
  const follower = new ConfigFollower({
    ...{ instance, hasModelChecks: guardian !== null },
    ...{ hubUrl, nodeToken, log, copy: new SealedCopy(dataDir, nodeToken) },
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
  });
  const uploader = new LogUploader({
    ...{ hubUrl, nodeToken, spool, log },
    ...(collectMs === undefined ? {} : { collectMs }),
  });
  const metrics = new Metrics();
  addGauges(metrics, spool, uploader, follower);
  const node: GatewayNode = {
    ...{
      settings,
      log,
      upstream,
      guardian,
      tracing,
      spool,
      metrics,
      counters: new LimitCounters(Date.now),
    },
    snapshot: () => follower.snapshot,
  };
  let isDraining = false;
  const { listener, close } = await createServer(node, {
    isReady: () => !isDraining && follower.snapshot !== null,
    state: () => follower.state,
  });
  await follower.start();
  uploader.start();
  const url = await listener.listen(settings.host, settings.port);
  log.info({ event: 'ready', url, instance }, 'The gateway node listens.');
  return {
    url,
    async stop() {
      isDraining = true;
      await Promise.race([listener.drain(), delay(settings.shutdownGraceMs)]);
      listener.destroy();
      await close();
      await follower.stop();
      await Promise.race([uploader.stop(), delay(settings.shutdownGraceMs)]);
      await upstream.close();
      await guardian?.close();
      await tracing?.stop();
      spool.close();
    },
  };
}

/** The libraries of tracing are loaded only if the operator configured a collector. */
async function loadTracing({ tracing }: GatewaySettings, log: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import('./telemetry/tracing.ts');
  return startTracing(tracing, log);
}

function addGauges(
  metrics: Metrics,
  spool: Spool,
  uploader: LogUploader,
  follower: ConfigFollower,
): void {
  const add = (name: string, type: 'gauge' | 'counter', help: string, read: () => number) =>
    metrics.addRead({ name, type, help, read });
  add(
    'gateway_spool_rows',
    'gauge',
    'Log rows on disk that the hub has not acknowledged.',
    () => spool.rows,
  );
  add(
    'gateway_spool_dropped_rows_total',
    'counter',
    'Log rows dropped by a full spool.',
    () => spool.dropped,
  );
  add(
    'gateway_uploaded_rows_total',
    'counter',
    'Log rows that the hub acknowledged.',
    () => uploader.uploaded,
  );
  add(
    'gateway_rejected_rows_total',
    'counter',
    'Log rows that the hub refused.',
    () => uploader.rejected,
  );
  add('gateway_configuration_current', 'gauge', '1 while the configuration follows the hub.', () =>
    Number(follower.state === 'following'),
  );
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
