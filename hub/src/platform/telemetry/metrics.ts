// Prometheus metrics. Never a tenant or device as a label: their number has no bound.
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type pg from 'pg';
import type { StatementCounter } from '../db/database.ts';

export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'route' | 'method' | 'status'>;
  ingestItems: Counter<'kind' | 'result'>;
  /** By node: its name, which the operator gave; there are few. */
  lateLogRows: Counter<'kind' | 'node'>;
  openStreams: Gauge;
  mcpStreams: Gauge;
  alertDeliveries: Counter<'kind' | 'outcome'>;
  alertDeliverySeconds: Histogram<'kind'>;
  toolCallsLost: Counter;
  /** Sign-ins at the embedded login provider: succeeded, failed, or limited (refused without a look at the password). */
  signIns: Counter<'outcome'>;
}

/** What alerts go by: routes of their own, and the channels of apps. */
const DELIVERY_KINDS = ['webhook', 'chat', 'email', 'app_webhook', 'app_email'];
const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed'];

/** All devices are counted, which costs more than the rest of a scrape. */
const DEVICES_FOR_MS = 30_000;

/** What is asked of the database for a scrape has so long. */
const ANSWERS_WITHIN_MS = 2_000;

export function createMetrics(
  version: string,
  sources: {
    counter: StatementCounter;
    pools: readonly pg.Pool[];
    bodyBytes(): number;
    utilization(): number;
    /** Left on the disk of an embedded database; null for one of the operator's own. */
    freeBytes?(): Promise<number | null>;
    /** Collectors that are there, and how far behind each is. */
    collectors?(): Promise<{ key: string; scope: string; seconds: number }[]>;
    /** Null before the first. */
    lastProof?(): Promise<{ at: Date; failed: readonly string[] } | null>;
    /** How many devices of all tenants are in which state. */
    devices?(): Promise<Readonly<Record<string, number>>>;
  },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'gatewarden_build_info',
    help: 'Version of the running hub; always 1.',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1);
  new Counter({
    name: 'gatewarden_db_statements_total',
    help: 'SQL statements sent by this process.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.counter.count);
    },
  });
  new Gauge({
    name: 'gatewarden_db_pool_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const counts = { idle: 0, used: 0, waiting: 0 };
      for (const pool of sources.pools) {
        counts.idle += pool.idleCount;
        counts.used += pool.totalCount - pool.idleCount;
        counts.waiting += pool.waitingCount;
      }
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'gatewarden_process_resident_memory_bytes',
    help: 'Resident memory of this process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'gatewarden_body_bytes',
    help: 'Bytes of request bodies in flight, as sent and, for devices, inflated.',
    registers,
    collect() {
      this.set(sources.bodyBytes());
    },
  });
  new Gauge({
    name: 'gatewarden_database_disk_free_bytes',
    help: 'Free space on the disk of the embedded database; absent if the database is a server of its own.',
    registers,
    async collect() {
      const free = (await sources.freeBytes?.().catch(() => null)) ?? null;
      // `reset` would leave a nought, which is a full disk.
      if (free === null) this.remove();
      else this.set(free);
    },
  });
  new Gauge({
    name: 'gatewarden_event_loop_utilization_ratio',
    help: 'Share of a core that this process is busy; from 0.6 on devices are asked to poll less often.',
    registers,
    collect() {
      this.set(sources.utilization());
    },
  });
  const collectors = promptly(async () => (await sources.collectors?.()) ?? []);
  new Gauge({
    name: 'gatewarden_export_behind_seconds',
    help: 'How far the collector of a log-export key (its fingerprint) is behind what it could read.',
    labelNames: ['key', 'scope'] as const,
    registers,
    async collect() {
      // Without a database nothing is known, and the other metrics matter all the more.
      const found = (await collectors()) ?? [];
      this.reset();
      for (const { key, scope, seconds } of found) this.set({ key, scope }, seconds);
    },
  });
  const lastProof = promptly(async () => (await sources.lastProof?.()) ?? null);
  new Gauge({
    name: 'gatewarden_last_proof_timestamp_seconds',
    help: 'Time of the last doctor --prove, by its result: proved or failed; absent before the first.',
    labelNames: ['result'] as const,
    registers,
    async collect() {
      const last = await lastProof();
      this.reset();
      if (last === null) return;
      this.set(
        { result: last.failed.length === 0 ? 'proved' : 'failed' },
        last.at.getTime() / 1000,
      );
    },
  });
  const devices = promptly(
    remembered(async () => (await sources.devices?.()) ?? {}, DEVICES_FOR_MS),
  );
  new Gauge({
    name: 'gatewarden_devices',
    help: 'Devices of all tenants that are not retired, by state: applied, applying, diverged, unknown or stale. Every hub process reports the same numbers.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const counts = (await devices()) ?? {};
      this.reset();
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'gatewarden_http_request_duration_seconds',
      help: 'Time from a request to the end of its response.',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    ingestItems: new Counter({
      name: 'gatewarden_ingest_items_total',
      help: 'Items received from devices and gateway nodes, by kind and result.',
      labelNames: ['kind', 'result'] as const,
      registers,
    }),
    lateLogRows: new Counter({
      name: 'gatewarden_late_log_rows_total',
      help: 'Log rows that arrived later than the export lag after their timestamp, by gateway node: a collector may have passed them already.',
      labelNames: ['kind', 'node'] as const,
      registers,
    }),
    openStreams: new Gauge({
      name: 'gatewarden_event_streams',
      help: 'Event streams of open pages.',
      registers,
    }),
    mcpStreams: new Gauge({
      name: 'gatewarden_mcp_streams',
      help: 'Open event streams of MCP clients.',
      registers,
    }),
    alertDeliveries: fromNought(
      new Counter({
        name: 'gatewarden_alert_deliveries_total',
        help: 'Attempts to deliver an alert to a notification channel: delivered, retried (another attempt follows) or failed (given up).',
        labelNames: ['kind', 'outcome'] as const,
        registers,
      }),
    ),
    signIns: new Counter({
      name: 'gatewarden_sign_ins_total',
      help: 'Sign-ins at the embedded login provider by outcome: succeeded, failed (wrong e-mail or password) or limited (too many attempts).',
      labelNames: ['outcome'] as const,
      registers,
    }),
    toolCallsLost: new Counter({
      name: 'gatewarden_mcp_tool_call_rows_lost_total',
      help: 'Tool calls through this gateway whose log row could not be written.',
      registers,
    }),
    alertDeliverySeconds: new Histogram({
      name: 'gatewarden_alert_delivery_seconds',
      help: 'Time from storing an alert to its delivery to a notification channel.',
      labelNames: ['kind'] as const,
      buckets: [0.1, 0.5, 1, 5, 30, 300, 3_600, 36_000, 360_000],
      registers,
    }),
  };
}

/**
 * Null where the database does not answer, or not soon: Prometheus waits ten seconds for a scrape, and one that is held up
 * would take all other metrics away just then. No second question before the first is answered.
 */
function promptly<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let asked: Promise<T | null> | null = null;
  return () => {
    asked ??= ask()
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    return Promise.race([asked, sleep(ANSWERS_WITHIN_MS, null, { ref: false })]);
  };
}

/** One question at a time, and its answer for a while: whoever scrapes, and however often, the database is asked this rarely. */
function remembered<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last !== null && now - last.at < forMs) return last.answer;
    const asked = { at: now, answer: ask() };
    last = asked;
    // What failed is asked again with the next scrape.
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    return asked.answer;
  };
}

/** A counter that first appears as one has not risen for Prometheus: the first alert given up would be no alarm. */
function fromNought(counter: Counter<'kind' | 'outcome'>): Counter<'kind' | 'outcome'> {
  for (const kind of DELIVERY_KINDS) {
    for (const outcome of DELIVERY_OUTCOMES) counter.inc({ kind, outcome }, 0);
  }
  return counter;
}
