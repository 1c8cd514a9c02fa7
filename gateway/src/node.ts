// The parts of a running node that a request uses.
import type { Logger } from 'pino';
import type { ConfigSnapshot } from './config/documents.ts';
import type { GatewaySettings } from './config/settings.ts';
import type { Spool } from './logs/spool.ts';
import type { LimitCounters } from './policy/index.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Tracing } from './telemetry/request-trace.ts';
import type { UpstreamClient } from './upstream/client.ts';
import type { GuardianClient } from './upstream/guardian-client.ts';

export interface GatewayNode {
  settings: GatewaySettings;
  log: Logger;
  upstream: UpstreamClient;
  /** Null: settings that need a model are not enforced. */
  guardian: GuardianClient | null;
  /** Null: nothing is traced. */
  tracing: Tracing | null;
  spool: Spool;
  counters: LimitCounters;
  metrics: Metrics;
  /** The current configuration; null while there is none. */
  snapshot(): ConfigSnapshot | null;
}
