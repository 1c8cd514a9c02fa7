// Commands about sample data.
import type { Command } from 'commander';
import { addCommand, destructive } from './command.ts';
import type { LoadSampleOptions, RemoveSampleOptions } from './sample-data-actions.ts';

const actions = () => import('./sample-data-actions.ts');
const byTenant = (command: Command) =>
  command.requiredOption('--tenant <tenant>', 'tenant by id or name');

/** Adds `sample-data load|remove`. */
export function addSampleDataCommands(program: Command): void {
  const group = program
    .command('sample-data')
    .description('Fill an empty tenant with sample data, and empty it again');
  addCommand<LoadSampleOptions>(group, {
    name: 'load',
    summary: 'Fill an empty tenant with devices, policies, alerts and 15 days of gateway logs',
    examples: ['sample-data load --tenant Demo', 'sample-data load --tenant Demo --json'],
    configure: (command) =>
      byTenant(command).option('--url <url>', 'address of the running hub (default: its own)'),
    load: async () => (await actions()).runSampleDataLoad,
  });
  addCommand<RemoveSampleOptions>(group, {
    name: 'remove',
    summary: 'Delete all devices, policies, alerts, logs and gateway configuration of a tenant',
    examples: ['sample-data remove --tenant Demo', 'sample-data remove --tenant Demo --yes'],
    configure: (command) => destructive(byTenant(command)),
    load: async () => (await actions()).runSampleDataRemove,
  });
}
