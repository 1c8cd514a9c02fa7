// Dependencies of app alerts.
import type { Logger } from 'pino';
import type { Db } from '../../../platform/db/database.ts';
import type { NotificationService } from '../../notifications/channels/index.ts';
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

export interface AppAlertDeps extends Pick<NotificationService, 'notifyOfAppAlert'> {
  db: Db;
  log: Logger;
  /** Returns the enabled apps of all tenants that have alerts. */
  alertingApps(): Promise<AlertingApp[]>;
}

export interface AppAlerts {
  /** Evaluates every app with alerts; safe to run in any process, at any time. */
  evaluate(now: Date): Promise<void>;
}
