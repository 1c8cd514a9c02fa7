// Dependencies of app alerts.
import type { Logger } from 'pino';
import type { MailConfig } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { Peers } from '../../../platform/peers.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { AlertLevel } from './failure-state.ts';

/** An app whose configuration enables alerts, with its channels. */
export interface AlertingApp {
  tenant_id: string;
  app_id: string;
  name: string;
  alerting: {
    app_level?: Partial<AlertLevel>;
    provider_level?: Partial<AlertLevel>;
    channels?: {
      emails?: string[];
      webhooks?: { id: string; type?: 'vendorL' | 'generic' }[];
    };
  };
}

export interface AppAlertDeps {
  db: Db;
  log: Logger;
  metrics: Metrics;
  outbound: Outbound;
  mail: MailConfig | null;
  peers: Peers;
  /** Returns the enabled apps of all tenants that have alerts. */
  alertingApps(): Promise<AlertingApp[]>;
  /** Returns the current URL of an app's webhook; null if the webhook was removed. Throws UnsealError. */
  webhookOf(
    tenantId: string,
    appId: string,
    webhookId: string,
  ): Promise<{ url: string; type: 'vendorL' | 'generic' } | null>;
}

export interface AppAlerts {
  /** Evaluates every app with alerts; safe to run in any process, at any time. */
  evaluate(now: Date): Promise<void>;
  /** Queues deliveries that are due and whose job was lost. */
  sweep(): Promise<void>;
  deleteOld(): Promise<void>;
}
