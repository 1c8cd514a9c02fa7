// `alert list|acknowledge`, by the routes of the console.
import type { AlertAnswer, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { type ListOptions, withConsole } from './console.ts';
import type { CommandRun } from './operator-commands.ts';

export interface ListAlertsOptions extends ListOptions {
  state?: string;
  severity?: string;
  device?: string;
}

export interface AlertSelection {
  tenant?: string;
  alertId: string;
}

/** Returns the alerts of a tenant, newest first. */
export function runAlertList(run: CommandRun, options: ListAlertsOptions): Promise<object> {
  const { state, severity, device } = options;
  return withConsole(run, options, async (console) => {
    const { items, truncated } = await console.list<AlertRow>(
      '/alerts',
      { state, severity, device_id: device },
      options,
    );
    return { alerts: items, truncated };
  });
}

/** Acknowledges an alert as the operator. */
export function runAlertAcknowledge(
  run: CommandRun,
  { tenant, alertId }: AlertSelection,
): Promise<object> {
  return withConsole(run, { tenant }, async (console) => {
    const path = `/alerts/${encodeURIComponent(alertId)}/acknowledge`;
    const { alert } = await console.send<AlertAnswer>('POST', path);
    const { alert_id, state, acknowledged_by, acknowledged_at } = alert;
    return { alert_id, state, acknowledged_by, acknowledged_at };
  });
}
