// Composes the MCP gateway: its OAuth server, what opens its URLs, and the pages that administer it.
import { randomBytes } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { registerApprovals } from '../features/mcp/approvals/index.ts';
import {
  type BackendRow,
  isShared,
  type ProductsWith,
  registerBackendPages,
} from '../features/mcp/backends/index.ts';
import { registerCallRules } from '../features/mcp/call-rules/index.ts';
import {
  deleteSecretsOf,
  forgetSecretEverywhere,
  registerConnections,
} from '../features/mcp/connections/index.ts';
import {
  type Asking,
  type CredentialDeps,
  credentialsFor,
} from '../features/mcp/credentials/index.ts';
import {
  type Backend,
  type CallLog,
  instructionsNow,
  registerGateway,
  toolsOf,
} from '../features/mcp/gateway/index.ts';
import {
  DiscoveryFailed,
  deleteGrantsOf,
  registerGrantCallback,
  registerGrants,
} from '../features/mcp/grants/index.ts';
import { mayBeScheme, mayBeTarget, registerOAuth } from '../features/mcp/oauth/index.ts';
import { isForThem, registerMcpOwn, registerOwnCalls } from '../features/mcp/own/index.ts';
import { registerToolPins } from '../features/mcp/pins/index.ts';
import {
  deleteRulesOf,
  isGroupNamed,
  type Policy,
  registerMcpAccess,
  registerMcpRules,
} from '../features/mcp/rules/index.ts';
import { isAllowedAddress, registerMcpSettings } from '../features/mcp/settings/index.ts';
import { registerMcpTokens, selectBackendsWithApiTokens } from '../features/mcp/tokens/index.ts';
import { type ChainDeps, registerToolCallWhy } from '../features/mcp/why/index.ts';
import { nodeNamed } from '../features/nodes/tokens/index.ts';
import { type GroupUses, registerPeopleGroups } from '../features/people/groups/index.ts';
import {
  type SessionCookie,
  type SignIn,
  selectMemberships,
} from '../features/people/identity/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/db/database.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import type { CursorSealer } from '../platform/http/lists/cursors.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';
import type { App } from '../platform/http/server/app.ts';
import { type McpDoor, namespaceOf } from './mcp-door.ts';

export interface McpParts {
  config: Config;
  origin: string;
  database: Database;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  mcpDoor: McpDoor;
  callLog: CallLog;
}

/** What MCP clients reach. */
export async function registerMcp(
  app: App,
  parts: McpParts & { cookie: SessionCookie; signIn: SignIn },
): Promise<void> {
  const { db } = parts.database;
  await registerOAuth(app, {
    db,
    origin: parts.origin,
    sealer: parts.sealer,
    cookie: parts.cookie,
    signIn: parts.signIn,
    check: parts.mcpDoor.check,
    pkce: parts.config.mcpPkce,
    membershipsOf: (emailFolded, on = db) => selectMemberships(on, emailFolded),
    namespaceOf: (params, isRoot) => namespaceOf(parts.mcpDoor, params, isRoot),
    loginsOf: (backendId) => loginsOf(parts.mcpDoor, backendId),
  });
  registerGrantCallback(app, { ...parts, db, grants: parts.mcpDoor.grants });
  const { callLog } = parts;
  const { finder } = parts.mcpDoor;
  const credentials = credentialDeps(parts);
  await registerGateway(app, {
    db,
    origin: parts.origin,
    ...parts.mcpDoor,
    cursors: parts.cursors,
    callLog,
    namespaceOf: (params) => namespaceOf(parts.mcpDoor, params, false),
    backendsOf: async (caller, backendId) => {
      const meant = (await finder.enabled(caller.tenantId)).filter((backend) =>
        // A client has one token: at the aggregated URL it is ours, and is for nobody else.
        backendId === null ? backend.auth.kind !== 'passthrough' : backend.backend_id === backendId,
      );
      const policy = await parts.mcpDoor.rules.of(caller.tenantId);
      const asking = { ...caller, email: foldName(caller.email) };
      return meant.map((backend) => gatewayBackend(credentials, asking, backend, policy));
    },
  });
}

const credentialDeps = ({ mcpDoor, sealer, origin }: McpParts): CredentialDeps => ({
  sealer,
  origin,
  connections: mcpDoor.connections,
  grants: mcpDoor.grants,
  isLetIn: mcpDoor.check.isLetIn,
  reaches: async (tenantId, backendId, email) =>
    (await mcpDoor.rules.of(tenantId)).reaches(backendId, email),
});

/** A backend as the gateway speaks with it for this caller. */
function gatewayBackend(
  deps: CredentialDeps,
  caller: Asking,
  row: BackendRow,
  policy: Policy,
): Backend {
  const email = caller.email === '' ? null : caller.email;
  return {
    tenantId: caller.tenantId,
    backendId: row.backend_id,
    slug: row.slug,
    name: row.name,
    url: row.url,
    version: row.version,
    timeouts: {
      idleMs: row.idle_timeout_seconds * 1000,
      totalMs: row.total_timeout_seconds * 1000,
    },
    tools: row.tools,
    drift: row.drift,
    isShared: isShared(row.auth),
    email,
    ruled: (tool) => policy.decide(row.backend_id, tool, email),
    reaches: () => policy.reaches(row.backend_id, email),
    ...credentialsFor(deps, caller, row),
  };
}

/** The logins that a passthrough server names. */
async function loginsOf({ finder, serverMetadata }: McpDoor, backendId: string) {
  const found = await finder.find(backendId);
  if (found === null) return null;
  const { version, url } = found;
  const resource = await serverMetadata.of({ backendId, version, url }).catch((error: unknown) => {
    if (!(error instanceof DiscoveryFailed)) throw error;
    throw new HubError('mcp_server_silent');
  });
  return resource === null
    ? null
    : { servers: resource.authorization_servers, scopes: resource.scopes };
}

/** Below the console's gate. */
export function registerMcpPages(
  scope: App,
  parts: McpParts & { cookie: SessionCookie; productsWith: ProductsWith },
): void {
  const { db } = parts.database;
  const { sealer, cursors } = parts;
  const { check, finder, connections, grants, rules, callRules, pins } = parts.mcpDoor;
  registerBackendPages(scope, {
    db,
    sealer,
    cursors,
    checkUrl: parts.outbound.check,
    finder,
    productsWith: parts.productsWith,
    async onDeleted(tx, tenantId, backendId) {
      for (const userId of await deleteGrantsOf(tx, tenantId, backendId)) {
        await grants.forgetEverywhere(tx, { tenantId, backendId, userId });
      }
      await deleteRulesOf(tx, tenantId, backendId);
      await rules.forgetEverywhere(tx, tenantId);
    },
    async onMoved(tx, tenantId, backendId) {
      const users = await deleteSecretsOf(tx, tenantId, backendId);
      for (const userId of users) {
        await forgetSecretEverywhere(tx, { tenantId, backendId, userId });
      }
      return users.length;
    },
  });
  registerGrants(scope, {
    ...parts,
    db,
    grants,
    isForThem: (person, backend) => isForThem(parts.mcpDoor, person, backend),
  });
  registerMcpOwn(scope, { ...parts.mcpDoor, origin: parts.origin });
  registerMcpSettings(scope, { db, forget: check.forgetSettings, mayBeScheme, mayBeTarget });
  registerMcpTokens(scope, { db, cursors, check });
  registerConnections(scope, { db, sealer, cursors, connections });
  registerMcpRules(scope, { db, cursors, rules });
  registerMcpAccess(scope, {
    db,
    cursors,
    rules,
    toolsKnown: (tenantId, { backend_id: backendId }) => pins.known({ tenantId, backendId }),
    isMember: async (tenantId, email) =>
      (await selectMemberships(db, email)).some((membership) => membership.tenant_id === tenantId),
    isAllowedDomain: async (tenantId, email, as) =>
      isAllowedAddress(await check.settings(tenantId), email, as),
    withApiTokens: (tenantId) => selectBackendsWithApiTokens(db, tenantId),
  });
  registerPeopleGroups(scope, { db, cursors, ...usesOfGroups(parts.mcpDoor) });
  registerCallRules(scope, { db, cursors, rules: callRules });
  registerApprovals(scope, {
    db,
    sealer,
    cursors,
    minutesOf: async (tenantId, ruleId) => {
      const set = await callRules.of(tenantId);
      return set?.approvals.find((approval) => approval.ruleId === ruleId)?.validMinutes ?? null;
    },
  });
  const chain: ChainDeps = {
    db,
    rules,
    pins,
    nodeNamed: (tenantId, nodeId) => nodeNamed(db, tenantId, nodeId),
  };
  registerToolCallWhy(scope, chain);
  registerOwnCalls(scope, { db, cursors, chain });
  registerToolPins(scope, {
    db,
    pins,
    askServer: (caller, backendId) => askServer(parts, caller, backendId),
  });
}

/** What the gateway makes of groups of people, for those who change them. */
export const usesOfGroups = ({ rules }: McpDoor): GroupUses => ({
  isInUse: isGroupNamed,
  changed: rules.forgetEverywhere,
  forget: rules.forget,
});

/** As the administrator who asks, with a session of its own. */
async function askServer(
  parts: McpParts,
  caller: { tenantId: string; userId: string | null },
  backendId: string,
): Promise<{ tools: unknown[]; instructions: string | null }> {
  const { mcpDoor } = parts;
  const found = (await mcpDoor.finder.enabled(caller.tenantId)).find(
    (row) => row.backend_id === backendId,
  );
  if (found === undefined) throw new HubError('not_found');
  const backend = gatewayBackend(
    // The console let them in, by a sign-in of its own.
    { ...credentialDeps(parts), isLetIn: async () => true, reaches: async () => true },
    { ...caller, upstreamToken: null, email: '' },
    found,
    // Who approves the tools has to see all of them.
    { decide: () => ({ allowed: true, why: 'no_rule', rule: null }), reaches: () => true },
  );
  const asked = {
    owner: { hash: randomBytes(32), capabilities: {}, logLevel: null },
    upstreams: mcpDoor.upstreams,
    guard: mcpDoor.guard,
    whose: caller.userId ?? 'administrator',
  };
  const signal = AbortSignal.timeout(30_000);
  try {
    const tools = await toolsOf(asked, backend, signal);
    return { tools, instructions: await instructionsNow(asked, backend, signal) };
  } catch (error) {
    throw new HubError('mcp_server_unavailable', (error as Error).message);
  }
}
