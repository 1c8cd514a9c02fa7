// Configuration as code: dump, diff and apply of a tenant's gateway configuration, and imports of catalogs.
import type { Command } from 'commander';
import { addCommand } from './command.ts';
import type { TenantFileOptions } from './configuration-files.ts';

const ENVIRONMENT = {
  GATEWARDEN_MANAGEMENT_KEY: 'management key for --url',
  NODE_EXTRA_CA_CERTS: 'file with a private certificate authority (PEM), for --url',
};

const isRemote = ({ url }: TenantFileOptions) => url !== undefined;

/** Adds the commands about configuration files. */
export function addConfigurationCommands(program: Command): void {
  addCommand<TenantFileOptions>(program, {
    name: 'dump',
    summary: "Print a tenant's gateway configuration as YAML",
    examples: ['dump --tenant ID >tenant.yaml', 'dump --url https://hub.example.com >tenant.yaml'],
    environment: ENVIRONMENT,
    isRemote,
    configure: ofFile,
    // The file contains the configuration only.
    display: (answer) => (answer as { file: string }).file.replace(/\n$/, ''),
    load: async () => (await import('./configuration-files.ts')).runDump,
  });
  addCommand<TenantFileOptions & { file: string; exitCode?: boolean }>(program, {
    name: 'diff <file>',
    argument: 'tenant file (YAML)',
    summary: 'Show what applying a configuration file would change',
    examples: ['diff tenant.yaml --tenant ID', 'diff tenant.yaml --tenant ID --exit-code'],
    environment: ENVIRONMENT,
    isRemote,
    configure: (command) =>
      ofFile(command).option('--exit-code', 'exit with 1 if there is a difference'),
    display: displayDifference,
    load: async () => (await import('./configuration-files.ts')).runDiff,
  });
  addCommand<TenantFileOptions & { file: string; dryRun?: boolean }>(program, {
    name: 'apply <file>',
    argument: 'tenant file (YAML)',
    summary: 'Change a tenant to match a configuration file',
    examples: ['apply tenant.yaml --tenant ID --dry-run', 'apply tenant.yaml --tenant ID'],
    environment: ENVIRONMENT,
    isRemote,
    configure: (command) =>
      ofFile(command).option('--dry-run', 'show the changes, and change nothing'),
    display: displayDifference,
    load: async () => (await import('./configuration-files.ts')).runApply,
  });
  const catalog = program.command('catalog').description('Import catalogs of the management API');
  addCommand<{ file: string; tenant: string }>(catalog, {
    name: 'import <file>',
    argument: 'catalog file (JSON)',
    summary:
      'Import smart groups, definitions, categories, legacy apps and policy authority of a tenant',
    examples: ['catalog import catalog.json --tenant ID'],
    configure: (command) => command.requiredOption('--tenant <tenant>', 'tenant by id or name'),
    load: async () => (await import('./operator-commands.ts')).runCatalogImport,
  });
}

function ofFile(command: Command): Command {
  return command
    .option('--tenant <tenant>', 'tenant of this installation, by id or name')
    .option('--url <origin>', 'a hub over the network, instead of this installation');
}

async function displayDifference(answer: object): Promise<string> {
  if ('changes' in answer)
    return (await import('./configuration-files.ts')).readableDifference(answer);
  const { applied = [] } = answer as { applied?: { resource: string; result: string }[] };
  if (applied.length === 0) return 'Nothing to change';
  return applied.map(({ resource, result }) => `${resource}: ${result}`).join('\n');
}
