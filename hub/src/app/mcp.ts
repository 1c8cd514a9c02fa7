// Composes the routes of the MCP gateway: its OAuth server, the MCP URLs, and its administration in the console.
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
import { type CallLog, createCallMetrics, registerGateway } from '../features/mcp/calls/index.ts';
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
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { type McpGateway, namespaceOf } from './mcp-gateway.ts';

export interface McpParts {
  config: Config;
  origin: string;
  database: Database;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  mcpGateway: McpGateway;
  callLog: CallLog;
  metrics: Metrics;
}

/** Registers the routes of MCP clients: the OAuth server and the MCP URLs. */
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
    check: parts.mcpGateway.tokenCheck,
    pkce: parts.config.mcpPkce,
    membershipsOf: (emailFolded, on = db) => selectMemberships(on, emailFolded),
    namespaceOf: (params, isRoot) => namespaceOf(parts.mcpGateway, params, isRoot),
    loginsOf: (backendId) => loginsOf(parts.mcpGateway, backendId),
  });
  registerOAuthCallback(app, { ...parts, db, grants: parts.mcpGateway.oauthConnections });
  const { callLog } = parts;
  const { finder } = parts.mcpGateway;
  const credentials = credentialDeps(parts);
  await registerGateway(app, {
    db,
    origin: parts.origin,
    ...parts.mcpGateway,
    cursors: parts.cursors,
    callLog,
    callMetrics: createCallMetrics(parts.metrics),
    namespaceOf: (params) => namespaceOf(parts.mcpGateway, params, false),
    backendsOf: async (caller, backendId) => {
      const enabled = await finder.enabled(caller.tenantId);
      const addressed = enabled.filter((backend) =>
        // A passthrough server needs a token of its own login, but a client sends a single token, which is the gateway's at the
        // aggregated URL.
        backendId === null ? backend.auth.kind !== 'passthrough' : backend.backend_id === backendId,
      );
      const policy = await parts.mcpGateway.accessPolicies.of(caller.tenantId);
      const asking = { ...caller, email: foldName(caller.email) };
      return addressed.map((backend) => gatewayBackend(credentials, asking, backend, policy));
    },
  });
}

const credentialDeps = ({ mcpGateway, sealer, origin }: McpParts): CredentialDeps => ({
  sealer,
  origin,
  connections: mcpGateway.userKeys,
  grants: mcpGateway.oauthConnections,
  isLetIn: mcpGateway.tokenCheck.hasAccess,
  reaches: async (tenantId, backendId, email) =>
    (await mcpGateway.accessPolicies.of(tenantId)).reaches(backendId, email),
});

/** Returns a backend with the access and the credentials of the caller. */
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

/** Returns the authorization servers that a passthrough server names (RFC 9728 §2); null: it names none. */
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

/** Registers the administration of the gateway in the console's API. Its requests are authenticated. */
export function registerMcpPages(
  scope: App,
  parts: McpParts & { cookie: SessionCookie; productsWith: ProductsWith },
): void {
  const { db } = parts.database;
  const { sealer, cursors } = parts;
  const { tokenCheck, finder, userKeys, oauthConnections, accessPolicies, pins } = parts.mcpGateway;
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
    isForThem: (person, backend) => isAvailableTo(parts.mcpGateway, person, backend),
  });
  registerSelfService(scope, { ...parts.mcpGateway, origin: parts.origin });
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
  registerPeopleGroups(scope, { db, cursors, ...usesOfGroups(parts.mcpGateway) });
  registerCallControls(scope, parts);
  registerToolPins(scope, {
    db,
    pins,
    askServer: (caller, backendId) => fetchDefinitions(parts, caller, backendId),
  });
}

/** Registers guardrails, approvals of calls and the trace of a call. */
function registerCallControls(scope: App, parts: McpParts): void {
  const { db } = parts.database;
  const { sealer, cursors } = parts;
  const { accessPolicies, guardrails, pins } = parts.mcpGateway;
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
}

/** Returns the uses of user groups in access policies, for the administration of groups. */
export const usesOfGroups = ({ accessPolicies }: McpGateway): GroupDependents => ({
  isInUse: isGroupNamed,
  publishChange: accessPolicies.forgetEverywhere,
  invalidate: accessPolicies.forget,
});

/** Fetches the current tools and instructions of a server for a review, in a session of its own. */
async function fetchDefinitions(
  parts: McpParts,
  caller: { tenantId: string; userId: string | null },
  backendId: string,
): Promise<{ tools: unknown[]; instructions: string | null }> {
  const { mcpGateway } = parts;
  const found = (await mcpGateway.finder.enabled(caller.tenantId)).find(
    (row) => row.backend_id === backendId,
  );
  if (found === undefined) throw new HubError('not_found');
  const backend = gatewayBackend(
    // The administrator is signed in to the console, so the checks of MCP clients do not apply.
    { ...credentialDeps(parts), isLetIn: async () => true, reaches: async () => true },
    { ...caller, upstreamToken: null, email: '' },
    found,
    // A reviewer sees all tools, whatever the access policies are.
    { decide: () => ({ allowed: true, why: 'no_rule', rule: null }), reaches: () => true },
  );
  const context = {
    owner: { hash: randomBytes(32), capabilities: {}, logLevel: null },
    upstreams: mcpGateway.upstreams,
    breaker: mcpGateway.breaker,
    userKey: caller.userId ?? 'administrator',
  };
  const signal = AbortSignal.timeout(30_000);
  try {
    const tools = await fetchCurrentTools(context, backend, signal);
    return { tools, instructions: await fetchCurrentInstructions(context, backend, signal) };
  } catch (error) {
    throw new HubError('mcp_server_unavailable', (error as Error).message);
  }
}
