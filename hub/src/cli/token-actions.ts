// `token create|list|revoke`.
import type { AgentTokenRow } from '@gatewarden/shared/wire/console/agent-tokens.ts';
import { findAgentToken, revokeAgentToken } from '../features/devices/enrollment/index.ts';
import { findNodeToken, listNodeTokens, revokeNodeToken } from '../features/nodes/tokens/index.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import { type ListOptions, withConsole } from './console.ts';
import {
  type CommandRun,
  runTokenAdmin,
  runTokenAgent,
  runTokenNode,
  withContext,
} from './operator-commands.ts';
import { requireConsent } from './terminal.ts';

export interface ListedToken {
  token_id: string;
  kind: 'agent' | 'node';
  name: string;
  status: string;
  created_at: string;
  expires_at: string | null;
}

export interface ListTokensOptions extends ListOptions {
  kind?: 'agent' | 'node';
}

export interface CreateTokenOptions {
  kind: 'agent' | 'node' | 'admin';
  tenant?: string;
  allTenants?: boolean;
  name?: string;
  expiresIn?: string;
  enrolOnly?: boolean;
  email?: string;
  role: string;
}

export interface RevokeOptions {
  tokenId: string;
  yes?: boolean;
  dryRun?: boolean;
}

/** Creates a token of the given kind, as `token agent`, `token node` and `token admin` do. */
export function runTokenCreate(run: CommandRun, options: CreateTokenOptions): Promise<object> {
  const { kind, name, email, tenant, role } = options;
  const requireOption = (option: string, value: string | undefined): string => {
    if (value === undefined) throw new UsageError(`--kind ${kind} requires ${option}`);
    return value;
  };
  if (kind === 'node')
    return runTokenNode(run, { ...options, name: requireOption('--name', name) });
  const tenantId = requireOption('--tenant', tenant);
  if (kind === 'admin') {
    return runTokenAdmin(run, { tenant: tenantId, role, email: requireOption('--email', email) });
  }
  return runTokenAgent(run, { ...options, tenant: tenantId, name: requireOption('--name', name) });
}

/** Returns the tokens of agents and gateway nodes that work for a tenant; tokens of single devices are left out. */
export async function runTokenList(run: CommandRun, options: ListTokensOptions): Promise<object> {
  const { kind } = options;
  const agents = async () => {
    if (kind === 'node') return { tokens: [], truncated: false };
    return withConsole(run, options, async (console) => {
      const page = await console.list<AgentTokenRow>('/agent-tokens', {}, options);
      const tokens = page.items.map((row): ListedToken => ({ ...row, kind: 'agent' }));
      return { tokens, truncated: page.truncated };
    });
  };
  const { tokens, truncated } = await agents();
  const nodes = kind === 'agent' ? [] : await nodeTokens(run, options);
  return { tokens: [...tokens, ...nodes], truncated };
}

function nodeTokens(run: CommandRun, options: ListTokensOptions): Promise<ListedToken[]> {
  return withContext(run, async ({ database: { db } }) => {
    const { findTenantNamed } = await import('./tenants.ts');
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    return (await listNodeTokens(db, tenantId)).map((row) => ({ ...row, kind: 'node' as const }));
  });
}

/** Revokes a token of an agent or of a gateway node after consent. Throws ConfigError if there is none with this id. */
export function runTokenRevoke(run: CommandRun, options: RevokeOptions): Promise<object> {
  return withContext(run, async ({ database: { db } }) => {
    const { tokenId } = options;
    const node = await findNodeToken(db, tokenId);
    const agent = node === null ? await findAgentToken(db, tokenId) : null;
    const kind = node === null ? 'agent' : 'node';
    const token = node ?? agent;
    if (token === null) throw new ConfigError(`there is no token ${tokenId}`);
    const { name } = token;
    if (options.dryRun === true) {
      return { dry_run: true, would_revoke: { token_id: tokenId, kind, name } };
    }
    await requireConsent(run.terminal, options, `Revoke the ${kind} token "${name}"?`);
    if (node !== null) await revokeNodeToken(db, tokenId);
    else await revokeAgentToken(db, tokenId);
    return { token_id: tokenId, revoked: true };
  });
}
