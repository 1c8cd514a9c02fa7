// Composes the MCP gateway: its OAuth server, what opens its URLs, and the pages that administer it.
import { randomBytes, randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { Logger } from 'pino';
import {
  type BackendFinder,
  type BackendRow,
  createBackendFinder,
  type ProductsWith,
  registerBackendPages,
} from './features/mcp/backends/index.ts';
import {
  type Connections,
  createConnections,
  registerConnections,
} from './features/mcp/connections/index.ts';
import {
  type Asking,
  type CredentialDeps,
  credentialsFor,
} from './features/mcp/credentials/index.ts';
import {
  type Backend,
  type CallLog,
  type ClientSession,
  createGuard,
  type Guard,
  registerGateway,
  toolsOf,
  type Upstreams,
} from './features/mcp/gateway/index.ts';
import {
  createGrants,
  createServerMetadata,
  DiscoveryFailed,
  deleteGrantsOf,
  type Grants,
  registerGrantCallback,
  registerGrants,
  type ServerMetadata,
} from './features/mcp/grants/index.ts';
import { mayBeScheme, type Namespace, registerOAuth } from './features/mcp/oauth/index.ts';
import { isForThem, registerMcpOwn } from './features/mcp/own/index.ts';
import { createToolPins, registerToolPins, type ToolPins } from './features/mcp/pins/index.ts';
import {
  createMcpRules,
  deleteRulesOf,
  isGroupNamed,
  type McpRules,
  type Policy,
  registerMcpAccess,
  registerMcpRules,
} from './features/mcp/rules/index.ts';
import { isAllowedAddress, registerMcpSettings } from './features/mcp/settings/index.ts';
import {
  createTokenCheck,
  registerMcpTokens,
  type TokenCheck,
} from './features/mcp/tokens/index.ts';
import { registerPeopleGroups } from './features/people/groups/index.ts';
import {
  type SessionCookie,
  type SignIn,
  selectMemberships,
} from './features/people/identity/index.ts';
import { findTenant, type Tenant } from './features/people/tenants/index.ts';
import type { Config } from './platform/config/config.ts';
import type { Sealer } from './platform/crypto/seal.ts';
import type { Database, Db } from './platform/db/database.ts';
import { createToldCache, type ToldCache } from './platform/feed/cache.ts';
import type { Notifications } from './platform/feed/notifications.ts';
import type { App } from './platform/http/app.ts';
import type { CursorSealer } from './platform/http/cursors.ts';
import { HubError } from './platform/http/errors.ts';
import type { Outbound } from './platform/http/outbound.ts';

/** What stands before every MCP URL; made once, for it remembers. */
export interface McpDoor {
  check: TokenCheck;
  finder: BackendFinder;
  /** Remembered: a tenant's id and name never change. */
  tenantOf(tenantId: string): Promise<Tenant | undefined>;
  sessions: ToldCache<ClientSession | 'unknown'>;
  connections: Connections;
  grants: Grants;
  serverMetadata: ServerMetadata;
  rules: McpRules;
  pins: ToolPins;
  guard: Guard;
}

export function createMcpDoor(
  deps: { db: Db; sealer: Sealer; outbound: Outbound; origin: string },
  log: Logger,
  notifications: Notifications,
): McpDoor {
  const { db, sealer } = deps;
  const tenants = createToldCache<Tenant | undefined>({
    name: 'tenant',
    max: 10_000,
    notifications,
  });
  return {
    // What is not there is asked for again: it may be made.
    tenantOf: (id) => tenants.get(id, async () => (await findTenant(db, id)) ?? undefined),
    connections: createConnections(db, sealer, notifications),
    grants: createGrants({ ...deps, notifications }),
    serverMetadata: createServerMetadata(deps.outbound, () => performance.now()),
    rules: createMcpRules(db, notifications),
    pins: createToolPins(db, notifications),
    guard: createGuard(() => performance.now()),
    sessions: createToldCache({ name: 'mcp-session', max: 50_000, notifications }),
    check: createTokenCheck({ db, log, notifications, membershipsOf: selectMemberships }),
    finder: createBackendFinder(db, notifications),
  };
}

export interface McpParts {
  config: Config;
  origin: string;
  database: Database;
  sealer: Sealer;
  cursors: CursorSealer;
  outbound: Outbound;
  mcpDoor: McpDoor;
  callLog: CallLog;
  upstreams: Upstreams;
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
    membershipsOf: (emailFolded) => selectMemberships(db, emailFolded),
    namespaceOf: (params, isRoot) => namespaceOf(parts.mcpDoor, params, isRoot),
    loginsOf: (backendId) => loginsOf(parts.mcpDoor, backendId),
  });
  registerGrantCallback(app, { ...parts, db, grants: parts.mcpDoor.grants });
  const { callLog } = parts;
  const { check, finder, sessions } = parts.mcpDoor;
  const credentials = credentialDeps(parts);
  await registerGateway(app, {
    db,
    origin: parts.origin,
    check,
    upstreams: parts.upstreams,
    pins: parts.mcpDoor.pins,
    guard: parts.mcpDoor.guard,
    callLog,
    sessions,
    namespaceOf: (params) => namespaceOf(parts.mcpDoor, params, false),
    backendsOf: async (caller, backendId) => {
      const meant = (await finder.enabled(caller.tenantId)).filter((one) =>
        // A client has one token: at the aggregated URL it is ours, and is for nobody else.
        backendId === null ? one.auth.kind !== 'passthrough' : one.backend_id === backendId,
      );
      const policy = await parts.mcpDoor.rules.of(caller.tenantId);
      const asking = { ...caller, email: foldName(caller.email) };
      return meant.map((one) => gatewayBackend(credentials, asking, one, policy));
    },
  });
}

const credentialDeps = ({ mcpDoor, sealer, origin }: McpParts): CredentialDeps => ({
  sealer,
  origin,
  connections: mcpDoor.connections,
  grants: mcpDoor.grants,
});

/** A backend as the gateway speaks with it for this caller. */
function gatewayBackend(
  deps: CredentialDeps,
  caller: Asking & { email: string },
  row: BackendRow,
  policy: Policy,
): Backend {
  return {
    tenantId: caller.tenantId,
    backendId: row.backend_id,
    slug: row.slug,
    name: row.name,
    url: row.url,
    version: row.version,
    tools: row.tools,
    drift: row.drift,
    ruled: (tool) => policy.decide(row.backend_id, tool, caller.email === '' ? null : caller.email),
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
  const { check, finder, connections, grants, rules, pins } = parts.mcpDoor;
  registerBackendPages(scope, {
    db,
    sealer,
    cursors,
    checkUrl: parts.outbound.check,
    finder,
    productsWith: (tenantId, ids) => parts.productsWith(tenantId, ids),
    async onDeleted(tx, tenantId, backendId) {
      for (const userId of await deleteGrantsOf(tx, tenantId, backendId)) {
        await grants.forgetEverywhere(tx, { tenantId, backendId, userId });
      }
      await deleteRulesOf(tx, tenantId, backendId);
      await rules.forgetEverywhere(tx, tenantId);
    },
  });
  registerGrants(scope, {
    ...parts,
    db,
    grants,
    isForThem: (person, backendId) => isForThem(parts.mcpDoor, person, backendId),
  });
  registerMcpOwn(scope, { ...parts.mcpDoor, origin: parts.origin });
  registerMcpSettings(scope, { db, forget: check.forgetSettings, mayBeScheme });
  registerMcpTokens(scope, { db, cursors, check });
  registerConnections(scope, { db, sealer, cursors, connections });
  registerMcpRules(scope, { db, cursors, rules });
  registerMcpAccess(scope, {
    db,
    cursors,
    rules,
    toolsKnown: (tenantId, { backend_id: backendId }) => pins.known({ tenantId, backendId }),
    isMember: async (tenantId, email) =>
      (await selectMemberships(db, email)).some((one) => one.tenant_id === tenantId),
    isAllowedDomain: async (tenantId, email) =>
      isAllowedAddress(await check.settings(tenantId), email, 'member'),
  });
  registerPeopleGroups(scope, {
    db,
    cursors,
    isInUse: isGroupNamed,
    changed: rules.forgetEverywhere,
    forget: rules.forget,
  });
  registerToolPins(scope, {
    db,
    pins,
    toolsOf: (caller, backendId) => askTools(parts, caller, backendId),
  });
}

/** As the administrator who asks, with a session of its own. */
async function askTools(
  parts: McpParts,
  caller: { tenantId: string; userId: string | null },
  backendId: string,
): Promise<unknown[]> {
  const { mcpDoor, upstreams } = parts;
  const found = (await mcpDoor.finder.enabled(caller.tenantId)).find(
    (one) => one.backend_id === backendId,
  );
  if (found === undefined) throw new HubError('not_found');
  const backend = gatewayBackend(
    credentialDeps(parts),
    { ...caller, upstreamToken: null, email: '' },
    found,
    // Who approves the tools has to see all of them.
    { decide: () => ({ allowed: true, why: 'no_rule', rule: null }) },
  );
  const scene = {
    era: 'modern' as const,
    isAggregated: false,
    backends: [backend],
    owner: { hash: randomBytes(32), capabilities: {} },
    upstreams,
    pins: mcpDoor.pins,
    guard: mcpDoor.guard,
    person: caller.userId ?? 'administrator',
    callId: randomUUID(),
    signal: AbortSignal.timeout(30_000),
  };
  return toolsOf(scene, backend).catch((error: Error) => {
    throw new HubError('mcp_server_unavailable', error.message);
  });
}

async function namespaceOf(
  { finder, tenantOf }: McpDoor,
  params: { tenant_id?: string; backend?: string },
  isRoot: boolean,
): Promise<Namespace | null> {
  if (isRoot) return { kind: 'root' };
  if (params.backend !== undefined) {
    const found = await finder.find(params.backend);
    const tenant = found === null ? undefined : await tenantOf(found.tenant_id);
    if (found === null || tenant === undefined) return null;
    return {
      kind: 'backend',
      tenantId: tenant.tenant_id,
      tenantName: tenant.name,
      backendId: found.backend_id,
      backendName: found.name,
      segment: params.backend,
      passthrough: found.auth.kind === 'passthrough',
    };
  }
  if (params.tenant_id === undefined) {
    return { kind: 'aggregated', tenantId: null, tenantName: null };
  }
  const tenant = await tenantOf(params.tenant_id);
  if (tenant === undefined) return null;
  return { kind: 'aggregated', tenantId: tenant.tenant_id, tenantName: tenant.name };
}
