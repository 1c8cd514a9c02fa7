// Commands about alerts.
import { ALERT_STATES, type AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Command, Option } from 'commander';
import type { AlertSelection, ListAlertsOptions } from './alert-actions.ts';
import { addCommand, displayTable, ofTenant, paged } from './command.ts';

const COLUMNS = {
  alert: (row: AlertRow) => row.alert_id,
  occurred: (row: AlertRow) => row.occurred_at.slice(0, 16),
  severity: (row: AlertRow) => row.severity,
  state: (row: AlertRow) => row.state,
  device: (row: AlertRow) => row.hostname,
  message: (row: AlertRow) => row.message,
};

const actions = () => import('./alert-actions.ts');

/** Adds `alert list|acknowledge`. */
export function addAlertCommands(program: Command): void {
  const alert = program.command('alert').description('List and acknowledge alerts of devices');
  addCommand<ListAlertsOptions>(alert, {
    name: 'list',
    summary: 'List the open alerts of a tenant, newest first',
    examples: ['alert list --severity critical', 'alert list --state acknowledged --json'],
    configure: (command) =>
      paged(ofTenant(command))
        .addOption(new Option('--state <state>', 'state').choices(ALERT_STATES).default('open'))
        .addOption(new Option('--severity <severity>', 'only this severity').choices(SEVERITIES))
        .option('--device <id>', 'only alerts of this device, by id'),
    display: displayTable('alerts', COLUMNS, 'No alerts.'),
    load: async () => (await actions()).runAlertList,
  });
  addCommand<AlertSelection>(alert, {
    name: 'acknowledge <alert-id>',
    argument: 'id of the alert',
    summary: 'Acknowledge an alert',
    examples: ['alert acknowledge ID'],
    configure: ofTenant,
    load: async () => (await actions()).runAlertAcknowledge,
  });
}
