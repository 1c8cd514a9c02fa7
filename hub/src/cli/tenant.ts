// Commands about tenants.
import type { Command } from 'commander';
import { addCommand, destructive, displayTable } from './command.ts';
import type { DeleteOptions, RenameOptions, TenantOptions } from './tenant-actions.ts';

interface ListedTenant {
  tenant_id: string;
  name: string;
  created_at: string | Date;
  suspended_at: string | Date | null;
}

const COLUMNS = {
  tenant: (row: ListedTenant) => row.tenant_id,
  name: (row: ListedTenant) => row.name,
  state: (row: ListedTenant) => (row.suspended_at === null ? 'active' : 'suspended'),
  created: (row: ListedTenant) => new Date(row.created_at).toISOString().slice(0, 10),
};

const actions = () => import('./tenant-actions.ts');
const byTenant = (command: Command) =>
  command.requiredOption('--tenant <tenant>', 'tenant by id or name');

/** Adds `tenant create|list|rename|suspend|resume|delete`. */
export function addTenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('Create and administer tenants');
  addCommand<{ name: string; id?: string }>(tenant, {
    name: 'create',
    summary: 'Create a tenant',
    examples: ["tenant create --name 'Acme'"],
    creates: true,
    configure: (command) =>
      command
        .requiredOption('--name <name>', 'name of the tenant')
        .option('--id <uuid>', 'id of the tenant (default: a random UUID)'),
    load: async () => (await import('./operator-commands.ts')).runTenantCreate,
  });
  addCommand(tenant, {
    name: 'list',
    summary: 'List the tenants',
    examples: ['tenant list', 'tenant list --json'],
    display: displayTable('tenants', COLUMNS, 'No tenants. Create one with "init".'),
    load: async () => (await import('./operator-commands.ts')).runTenantList,
  });
  addCommand<RenameOptions>(tenant, {
    name: 'rename',
    summary: 'Rename a tenant',
    examples: ["tenant rename --tenant Acme --name 'Acme Inc.'"],
    configure: (command) =>
      byTenant(command).requiredOption('--name <name>', 'new name of the tenant'),
    load: async () => (await actions()).runTenantRename,
  });
  addSuspension(tenant);
}

function addSuspension(tenant: Command): void {
  addCommand<TenantOptions>(tenant, {
    name: 'suspend',
    summary: 'Refuse sign-in, device sync, gateways and exports of a tenant until it is resumed',
    examples: ['tenant suspend --tenant Acme', 'tenant suspend --tenant Acme --yes'],
    configure: (command) => destructive(byTenant(command)),
    load: async () => (await actions()).runTenantSuspend,
  });
  addCommand<TenantOptions>(tenant, {
    name: 'resume',
    summary: 'End the suspension of a tenant',
    examples: ['tenant resume --tenant Acme'],
    configure: byTenant,
    load: async () => (await actions()).runTenantResume,
  });
  addCommand<DeleteOptions>(tenant, {
    name: 'delete',
    summary: 'Delete a tenant with all its data; there is no way back but a backup',
    examples: [
      'tenant delete --tenant Acme --dry-run',
      'tenant delete --tenant Acme --confirm-name Acme --yes',
    ],
    configure: (command) =>
      destructive(byTenant(command)).option(
        '--confirm-name <name>',
        'name of the tenant; asked on a terminal',
      ),
    load: async () => (await actions()).runTenantDelete,
  });
}
