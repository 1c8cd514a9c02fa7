// Commands about keys of the management API and of the log export.
import type { Command } from 'commander';
import { addCommand, displayTable } from './command.ts';
import type { ExportKeyOptions, ManagementKeyOptions } from './operator-commands.ts';

const EXPIRES = 'lifetime, such as 30d, 12h or 45m (default: no expiration)';
const commands = () => import('./operator-commands.ts');

interface ListedKey {
  key_id: string;
  name: string;
  scope: string;
  status: string;
  expires_at: string | null;
  last_used_at: string | null;
}

const COLUMNS = {
  key: (row: ListedKey) => row.key_id,
  name: (row: ListedKey) => row.name,
  scope: (row: ListedKey) => row.scope,
  state: (row: ListedKey) => row.status,
  expires: (row: ListedKey) => row.expires_at?.slice(0, 10),
  'last used': (row: ListedKey) => row.last_used_at?.slice(0, 16),
};

/** Adds `key management|export|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('Issue and revoke keys of APIs');
  addCommand<ManagementKeyOptions>(key, {
    name: 'management',
    summary: 'Create a management key, and enable the management API for its tenant',
    examples: ['key management --tenant ID --name ci --scopes read --expires-in 30d'],
    environment: {
      LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true: the hub serves the management API, after a restart',
    },
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .requiredOption('--name <name>', 'what the key is for')
        .option('--scopes <list>', 'scopes, separated by commas (default: all)')
        .option('--expires-in <duration>', EXPIRES),
    load: async () => (await commands()).runKeyManagement,
  });
  addCommand<ExportKeyOptions>(key, {
    name: 'export',
    summary: 'Create a log-export key',
    examples: ['key export --tenant ID --all-apps', 'key export --tenant ID --all-backends'],
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .option('--app <name>', 'LLM requests of this app')
        .option('--all-apps', 'LLM requests of all apps')
        .option('--backend <id>', 'tool calls of this MCP backend')
        .option('--all-backends', 'tool calls of all MCP backends')
        .option('--name <name>', 'what the key is for')
        .option('--expires-in <duration>', EXPIRES),
    load: async () => (await commands()).runKeyExport,
  });
  addCommand<{ tenant?: string }>(key, {
    name: 'list',
    summary: 'List the log-export keys, without their secrets',
    examples: ['key list --tenant ID'],
    configure: (command) =>
      command.option('--tenant <tenant>', 'only keys of this tenant, by id or name'),
    display: displayTable('keys', COLUMNS, 'No log-export keys.'),
    load: async () => (await commands()).runKeyList,
  });
  addCommand<{ keyId: string; yes?: boolean }>(key, {
    name: 'revoke',
    summary: 'Revoke a log-export key immediately',
    examples: ['key revoke --key-id ID'],
    configure: (command) =>
      command
        .requiredOption('--key-id <id>', 'key by id, see "key list"')
        .option('-y, --yes', 'do not ask on a terminal'),
    load: async () => (await commands()).runKeyRevoke,
  });
}
