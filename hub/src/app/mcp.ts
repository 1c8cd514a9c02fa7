// Composes the MCP gateway: its OAuth server, what opens its URLs, and the pages that administer it.
import { randomBytes } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import {
  deleteRulesOf,
  isGroupNamed,
  type Policy,
  registerAccessPolicies,
  registerMcpAccess,
} from '../features/mcp/access-policies/index.ts';
import {
  registerApiTokens,
  registerOAuthTokens,
  selectBackendsWithApiTokens,
} from '../features/mcp/access-tokens/index.ts';
import {
  type BackendRow,
  isShared,
  type ProductsWith,
  registerBackendPages,
} from '../features/mcp/backends/index.ts';
import { registerApprovals } from '../features/mcp/call-approvals/index.ts';
import { type CallLog, registerGateway } from '../features/mcp/calls/index.ts';
import { fetchCurrentInstructions, fetchCurrentTools } from '../features/mcp/catalog/index.ts';
import { registerGuardrails } from '../features/mcp/guardrails/index.ts';
import { mayBeScheme, mayBeTarget, registerOAuth } from '../features/mcp/oauth/index.ts';
import {
  isAvailableTo,
  registerOwnCalls,
  registerSelfService,
} from '../features/mcp/self-service/index.ts';
import { isAllowedAddress, registerMcpSettings } from '../features/mcp/settings/index.ts';
import { registerToolPins } from '../features/mcp/tool-pinning/index.ts';
import { registerCallTrace, type TraceDeps } from '../features/mcp/trace/index.ts';
import type { Backend } from '../features/mcp/upstream/index.ts';
import {
  type Asking,
  type CredentialDeps,
  credentialsFor,
  DiscoveryError,
  deleteGrantsOf,
  deleteSecretsOf,
  forgetSecretEverywhere,
  registerOAuthCallback,
  registerOAuthConnections,
  registerUserKeys,
} from '../features/mcp/upstream-auth/index.ts';
import { nodeNamed } from '../features/nodes/tokens/index.ts';
import { type GroupDependents, registerPeopleGroups } from '../features/people/groups/index.ts';
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
import { type McpGateway, namespaceOf } from './mcp-door.ts';

export interface McpParts {
  config: Config;
  origin: string;
  database: Database;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  mcpDoor: McpGateway;
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
    check: parts.mcpDoor.tokenCheck,
    pkce: parts.config.mcpPkce,
    membershipsOf: (emailFolded, on = db) => selectMemberships(on, emailFolded),
    namespaceOf: (params, isRoot) => namespaceOf(parts.mcpDoor, params, isRoot),
    loginsOf: (backendId) => loginsOf(parts.mcpDoor, backendId),
  });
  registerOAuthCallback(app, { ...parts, db, grants: parts.mcpDoor.oauthConnections });
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
      const policy = await parts.mcpDoor.accessPolicies.of(caller.tenantId);
      const asking = { ...caller, email: foldName(caller.email) };
      return meant.map((backend) => gatewayBackend(credentials, asking, backend, policy));
    },
  });
}

const credentialDeps = ({ mcpDoor, sealer, origin }: McpParts): CredentialDeps => ({
  sealer,
  origin,
  connections: mcpDoor.userKeys,
  grants: mcpDoor.oauthConnections,
  isLetIn: mcpDoor.tokenCheck.hasAccess,
  reaches: async (tenantId, backendId, email) =>
    (await mcpDoor.accessPolicies.of(tenantId)).reaches(backendId, email),
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
    evaluateAccess: (tool) => policy.decide(row.backend_id, tool, email),
    hasAnyAccess: () => policy.reaches(row.backend_id, email),
    ...credentialsFor(deps, caller, row),
  };
}

/** The logins that a passthrough server names. */
async function loginsOf({ finder, serverMetadata }: McpGateway, backendId: string) {
  const found = await finder.find(backendId);
  if (found === null) return null;
  const { version, url } = found;
  const resource = await serverMetadata.of({ backendId, version, url }).catch((error: unknown) => {
    if (!(error instanceof DiscoveryError)) throw error;
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
  const { tokenCheck, finder, userKeys, oauthConnections, accessPolicies, guardrails, pins } =
    parts.mcpDoor;
  registerBackendPages(scope, {
    db,
    sealer,
    cursors,
    checkUrl: parts.outbound.check,
    finder,
    productsWith: parts.productsWith,
    async onDeleted(tx, tenantId, backendId) {
      for (const userId of await deleteGrantsOf(tx, tenantId, backendId)) {
        await oauthConnections.invalidateEverywhere(tx, { tenantId, backendId, userId });
      }
      await deleteRulesOf(tx, tenantId, backendId);
      await accessPolicies.forgetEverywhere(tx, tenantId);
    },
    async onMoved(tx, tenantId, backendId) {
      const users = await deleteSecretsOf(tx, tenantId, backendId);
      for (const userId of users) {
        await forgetSecretEverywhere(tx, { tenantId, backendId, userId });
      }
      return users.length;
    },
  });
  registerOAuthConnections(scope, {
    ...parts,
    db,
    grants: oauthConnections,
    isForThem: (person, backend) => isAvailableTo(parts.mcpDoor, person, backend),
  });
  registerSelfService(scope, { ...parts.mcpDoor, origin: parts.origin });
  registerMcpSettings(scope, {
    db,
    forget: tokenCheck.invalidateSettings,
    mayBeScheme,
    mayBeTarget,
  });
  registerApiTokens(scope, { db, cursors, check: tokenCheck });
  registerOAuthTokens(scope, { db, cursors, check: tokenCheck });
  registerUserKeys(scope, { db, sealer, cursors, connections: userKeys });
  registerAccessPolicies(scope, { db, cursors, rules: accessPolicies });
  registerMcpAccess(scope, {
    db,
    cursors,
    rules: accessPolicies,
    toolsKnown: (tenantId, { backend_id: backendId }) => pins.knownTools({ tenantId, backendId }),
    isMember: async (tenantId, email) =>
      (await selectMemberships(db, email)).some((membership) => membership.tenant_id === tenantId),
    isAllowedDomain: async (tenantId, email, as) =>
      isAllowedAddress(await tokenCheck.settings(tenantId), email, as),
    withApiTokens: (tenantId) => selectBackendsWithApiTokens(db, tenantId),
  });
  registerPeopleGroups(scope, { db, cursors, ...usesOfGroups(parts.mcpDoor) });
  registerGuardrails(scope, { db, cursors, rules: guardrails });
  registerApprovals(scope, {
    db,
    sealer,
    cursors,
    minutesOf: async (tenantId, ruleId) => {
      const set = await guardrails.get(tenantId);
      return set?.approvals.find((approval) => approval.ruleId === ruleId)?.validMinutes ?? null;
    },
  });
  const chain: TraceDeps = {
    db,
    rules: accessPolicies,
    pins,
    nodeNamed: (tenantId, nodeId) => nodeNamed(db, tenantId, nodeId),
  };
  registerCallTrace(scope, chain);
  registerOwnCalls(scope, { db, cursors, chain });
  registerToolPins(scope, {
    db,
    pins,
    askServer: (caller, backendId) => askServer(parts, caller, backendId),
  });
}

/** What the gateway makes of groups of people, for those who change them. */
export const usesOfGroups = ({ accessPolicies }: McpGateway): GroupDependents => ({
  isInUse: isGroupNamed,
  publishChange: accessPolicies.forgetEverywhere,
  invalidate: accessPolicies.forget,
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
    breaker: mcpDoor.breaker,
    userKey: caller.userId ?? 'administrator',
  };
  const signal = AbortSignal.timeout(30_000);
  try {
    const tools = await fetchCurrentTools(asked, backend, signal);
    return { tools, instructions: await fetchCurrentInstructions(asked, backend, signal) };
  } catch (error) {
    throw new HubError('mcp_server_unavailable', (error as Error).message);
  }
}
