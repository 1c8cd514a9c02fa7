// Commands about tokens of administrators, agents and gateway nodes.
import { ROLES } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Command, Option } from 'commander';
import { addCommand, destructive, displayTable, ofTenant, paged } from './command.ts';
import type { AgentTokenOptions, NodeTokenOptions } from './operator-commands.ts';
import type { ListedToken, ListTokensOptions, RevokeOptions } from './token-actions.ts';

const EXPIRES = 'lifetime, such as 30d, 12h or 45m (default: no expiration)';
const NAME = 'what the token is for';
const commands = () => import('./operator-commands.ts');
const actions = () => import('./token-actions.ts');

const COLUMNS = {
  token: (row: ListedToken) => row.token_id,
  kind: (row: ListedToken) => row.kind,
  name: (row: ListedToken) => row.name,
  state: (row: ListedToken) => row.status,
  created: (row: ListedToken) => row.created_at.slice(0, 10),
  expires: (row: ListedToken) => row.expires_at?.slice(0, 10),
};

/** Adds `token create|list|revoke|explain`, and `token admin|agent|node` for each kind. */
export function addTokenCommands(program: Command): void {
  const token = program
    .command('token')
    .description('Issue and revoke tokens of administrators, agents and gateway nodes');
  addCreation(token);
  addKinds(token);
  addCommand<ListTokensOptions>(token, {
    name: 'list',
    summary: 'List the tokens of agents and gateway nodes, without their secrets',
    examples: ['token list', 'token list --kind agent --json'],
    configure: (command) =>
      paged(ofTenant(command)).addOption(
        new Option('--kind <kind>', 'only tokens of this kind').choices(['agent', 'node']),
      ),
    display: displayTable('tokens', COLUMNS, 'No tokens.'),
    load: async () => (await actions()).runTokenList,
  });
  addCommand<RevokeOptions>(token, {
    name: 'revoke',
    summary: "Revoke an agent's or a gateway node's token",
    examples: ['token revoke --token-id ID', 'token revoke --token-id ID --yes'],
    configure: (command) =>
      destructive(command.requiredOption('--token-id <id>', 'token by id, see "token list"')),
    load: async () => (await actions()).runTokenRevoke,
  });
  addCommand(token, {
    name: 'explain',
    summary: "Explain which tenants an administrator's token (on standard input) may access",
    examples: ['token explain <token'],
    environment: { LOGIN_ISSUER: 'login provider that signs the tokens' },
    load: async () => (await import('./explain-token.ts')).runTokenExplain,
  });
}

function addCreation(token: Command): void {
  addCommand<import('./token-actions.ts').CreateTokenOptions>(token, {
    name: 'create',
    summary: 'Create a token; its secret is printed once',
    examples: [
      'token create --kind agent --tenant ID --name laptops --expires-in 30d --enrol-only',
      'token create --kind node --name gateway-1 --all-tenants',
      'token create --kind admin --tenant ID --email ada@acme.example',
    ],
    configure: (command) =>
      command
        .addOption(
          new Option('--kind <kind>', 'who uses the token')
            .choices(['agent', 'node', 'admin'])
            .makeOptionMandatory(),
        )
        .option('--tenant <tenant>', 'tenant by id or name')
        .option('--all-tenants', 'node: serve all tenants')
        .option('--name <name>', `agent, node: ${NAME}`)
        .option('--expires-in <duration>', `agent: ${EXPIRES}`)
        .option('--enrol-only', 'agent: the token can only enroll devices; use it in installers')
        .option('--email <email>', 'admin: e-mail address in the token')
        .option('--role <role>', `admin: ${ROLES.join(', ')}`, 'Admin'),
    load: async () => (await actions()).runTokenCreate,
  });
}

function addKinds(token: Command): void {
  addCommand<{ tenant: string; email: string; role: string }>(token, {
    name: 'admin',
    summary: "Create an administrator's JWT that is valid for one hour",
    examples: ['token admin --tenant ID --email ada@acme.example'],
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .requiredOption('--email <email>', 'e-mail address in the token')
        .option('--role <role>', ROLES.join(', '), 'Admin'),
    load: async () => (await commands()).runTokenAdmin,
  });
  addCommand<AgentTokenOptions>(token, {
    name: 'agent',
    summary: 'Create a token with which agents enroll',
    examples: ['token agent --tenant ID --name laptops --expires-in 30d --enrol-only'],
    configure: (command) =>
      command
        .requiredOption('--tenant <tenant>', 'tenant by id or name')
        .requiredOption('--name <name>', NAME)
        .option('--expires-in <duration>', EXPIRES)
        .option('--enrol-only', 'the token can only enroll devices; use it in installers'),
    load: async () => (await commands()).runTokenAgent,
  });
  addCommand<NodeTokenOptions>(token, {
    name: 'node',
    summary: 'Create a token of a gateway node',
    examples: ['token node --name gateway-1 --tenant ID', 'token node --name g --all-tenants'],
    configure: (command) =>
      command
        .requiredOption('--name <name>', NAME)
        .option('--tenant <tenant>', 'tenant that the node serves, by id or name')
        .option('--all-tenants', 'the node serves all tenants'),
    load: async () => (await commands()).runTokenNode,
  });
}
