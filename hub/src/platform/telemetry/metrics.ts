// Prometheus metrics of a hub process.
// Main types: `Metrics` (updated by features), `MetricSources` (read at a scrape).
// Invariants: no label is a tenant or a device, because their number is unbounded; a scrape never waits long for the
// database. Depends on @prometheus-io/client.
// Start reading at `createMetrics`.
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type pg from 'pg';
import type { StatementCounter } from '../db/database.ts';

export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'route' | 'method' | 'status'>;
  ingestItems: Counter<'kind' | 'result'>;
  /** Late rows by the node's name, which the operator chose. There are few nodes. */
  lateLogRows: Counter<'kind' | 'node'>;
  openStreams: Gauge;
  mcpStreams: Gauge;
  /** Tool calls by backend and tool, both from a bounded set, and by outcome. */
  mcpCalls: Counter<'backend' | 'tool' | 'outcome'>;
  mcpCallSeconds: Histogram<'backend' | 'tool'>;
  alertDeliveries: Counter<'kind' | 'outcome'>;
  alertDeliverySeconds: Histogram<'kind'>;
  toolCallsLost: Counter;
  /** Sign-ins at the embedded login provider: succeeded, failed, or limited (rejected without checking the password). */
  signIns: Counter<'outcome'>;
}

/** Notification channels: of tenants and of apps. */
const DELIVERY_KINDS = ['webhook', 'chat', 'email', 'app_webhook', 'app_email'];
const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed'];

/** Cache time of the device counts, which cost more than the rest of a scrape. */
const DEVICES_CACHE_MS = 30_000;

/** Timeout of a database query for a scrape. */
const QUERY_TIMEOUT_MS = 2_000;

export interface MetricSources {
  counter: StatementCounter;
  pools: readonly pg.Pool[];
  bodyBytes(): number;
  utilization(): number;
  /** Free disk space of an embedded database; null for an operator's own database. */
  freeBytes?(): Promise<number | null>;
  /** Log collectors and their lag. */
  collectors?(): Promise<{ key: string; scope: string; seconds: number }[]>;
  /** Last restore test; null before the first test. */
  lastProof?(): Promise<{ at: Date; failed: readonly string[] } | null>;
  /** Number of devices of all tenants by state. */
  devices?(): Promise<Readonly<Record<string, number>>>;
}

/** Returns the registry and the metrics that features update. Gauges of `sources` are read at each scrape. */
export function createMetrics(version: string, sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registerProcessMetrics(registers, version, sources);
  registerDatabaseMetrics(registers, sources);
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
      help: 'Log rows that arrived later than the export lag after their timestamp, by gateway node: a collector may have skipped them.',
      labelNames: ['kind', 'node'] as const,
      registers,
    }),
    openStreams: new Gauge({
      name: 'gatewarden_event_streams',
      help: 'Event streams of open console pages.',
      registers,
    }),
    mcpStreams: new Gauge({
      name: 'gatewarden_mcp_streams',
      help: 'Event streams that MCP clients keep open.',
      registers,
    }),
    mcpCalls: new Counter({
      name: 'gatewarden_mcp_tool_calls_total',
      help: 'Tool calls through this gateway by backend id, tool and outcome: answered, tool_error, failed, blocked or input_required. A tool has its own label after its first success, up to 1,000 labels; others count as "other".',
      labelNames: ['backend', 'tool', 'outcome'] as const,
      registers,
    }),
    mcpCallSeconds: new Histogram({
      name: 'gatewarden_mcp_tool_call_duration_seconds',
      help: 'Time from a tool call to the end of its response, by backend id and tool, with the labels of gatewarden_mcp_tool_calls_total.',
      labelNames: ['backend', 'tool'] as const,
      buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      registers,
    }),
    alertDeliveries: startAtZero(
      new Counter({
        name: 'gatewarden_alert_deliveries_total',
        help: 'Attempts to deliver an alert to a notification channel: delivered, retried (another attempt follows) or failed (no further attempt).',
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

/** Registers metrics of this process. */
function registerProcessMetrics(
  registers: Registry[],
  version: string,
  sources: MetricSources,
): void {
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
    help: 'Free disk space of the embedded database; absent for an external database.',
    registers,
    async collect() {
      const free = (await sources.freeBytes?.().catch(() => null)) ?? null;
      // `reset` would leave a zero, which means a full disk.
      if (free === null) this.remove();
      else this.set(free);
    },
  });
  new Gauge({
    name: 'gatewarden_event_loop_utilization_ratio',
    help: 'Share of a core that this process is busy; above 0.6 devices are advised to poll less often.',
    registers,
    collect() {
      this.set(sources.utilization());
    },
  });
}

/** Registers metrics that query the database at a scrape. */
function registerDatabaseMetrics(registers: Registry[], sources: MetricSources): void {
  const collectors = withTimeout(async () => (await sources.collectors?.()) ?? []);
  new Gauge({
    name: 'gatewarden_export_behind_seconds',
    help: 'Lag of the collector of a log-export key (its fingerprint).',
    labelNames: ['key', 'scope'] as const,
    registers,
    async collect() {
      // Without a database the values are unknown, and the other metrics are still reported.
      const lags = (await collectors()) ?? [];
      this.reset();
      for (const { key, scope, seconds } of lags) this.set({ key, scope }, seconds);
    },
  });
  const lastProof = withTimeout(async () => (await sources.lastProof?.()) ?? null);
  new Gauge({
    name: 'gatewarden_last_proof_timestamp_seconds',
    help: 'Time of the last restore test (doctor --prove) by its result: proved or failed; absent before the first.',
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
  const devices = withTimeout(
    withCache(async () => (await sources.devices?.()) ?? {}, DEVICES_CACHE_MS),
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
}

/**
 * Limits the time of a query, and returns null without an answer. Prometheus waits ten seconds for a scrape, and a delayed
 * scrape would lose all other metrics. A query is not repeated before the previous query is answered.
 */
function withTimeout<T>(query: () => Promise<T>): () => Promise<T | null> {
  let pending: Promise<T | null> | null = null;
  return () => {
    pending ??= query()
      .catch(() => null)
      .finally(() => {
        pending = null;
      });
    return Promise.race([pending, sleep(QUERY_TIMEOUT_MS, null, { ref: false })]);
  };
}

/** Caches the result of a query, so that the rate of scrapes does not affect the database. */
function withCache<T>(query: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let cached: { at: number; result: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (cached !== null && now - cached.at < maxAgeMs) return cached.result;
    const entry = { at: now, result: query() };
    cached = entry;
    // A failed query is repeated at the next scrape.
    entry.result.catch(() => {
      if (cached === entry) cached = null;
    });
    return entry.result;
  };
}

/** Initializes a counter with zero. Prometheus sees no increase in a counter that first appears with 1. */
function startAtZero(counter: Counter<'kind' | 'outcome'>): Counter<'kind' | 'outcome'> {
  for (const kind of DELIVERY_KINDS) {
    for (const outcome of DELIVERY_OUTCOMES) counter.inc({ kind, outcome }, 0);
  }
  return counter;
}
