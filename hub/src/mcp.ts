// Composes the MCP gateway: its OAuth server, what opens its URLs, and the pages that administer it.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import {
  type Approvals,
  createApprovals,
  registerApprovals,
} from './features/mcp/approvals/index.ts';
import {
  type BackendFinder,
  type BackendRow,
  createBackendFinder,
  registerBackendPages,
  SEALED_AUTH,
} from './features/mcp/backends/index.ts';
import { createCallRules, type Rules, registerCallRules } from './features/mcp/call-rules/index.ts';
import {
  type Connections,
  createConnections,
  registerConnections,
} from './features/mcp/connections/index.ts';
import {
  type Backend,
  type CallLog,
  type ClientSession,
  type ClientStreams,
  createClientStreams,
  createGuard,
  createLists,
  createMail,
  createRunning,
  createUpstreams,
  type Guard,
  type Lists,
  type Mail,
  type Running,
  registerGateway,
  toolsOf,
  type Upstreams,
} from './features/mcp/gateway/index.ts';
import { mayBeScheme, type Namespace, registerOAuth } from './features/mcp/oauth/index.ts';
import { createToolPins, registerToolPins, type ToolPins } from './features/mcp/pins/index.ts';
import { registerMcpSettings } from './features/mcp/settings/index.ts';
import {
  createTokenCheck,
  registerMcpTokens,
  type TokenCheck,
} from './features/mcp/tokens/index.ts';
import {
  type SessionCookie,
  type SignIn,
  selectMemberships,
} from './features/people/identity/index.ts';
import { findTenant, type Tenant } from './features/people/tenants/index.ts';
import type { Config } from './platform/config/config.ts';
import type { Sealer } from './platform/crypto/seal.ts';
import { placeIn } from './platform/crypto/sealed-columns.ts';
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
  pins: ToolPins;
  guard: Guard;
  rules: Rules;
  approvals: Approvals;
  upstreams: Upstreams;
  mail: Mail;
  running: Running;
  lists: Lists;
  streams: ClientStreams;
  /** Ends open streams, so that a draining hub need not wait for them. */
  stop(): void;
}

export function createMcpDoor(
  { db, sealer, outbound }: { db: Db; sealer: Sealer; outbound: Outbound },
  log: Logger,
  notifications: Notifications,
  countStreams: (streams: number) => void,
): McpDoor {
  const tenants = createToldCache<Tenant | undefined>({
    name: 'tenant',
    max: 10_000,
    notifications,
  });
  const upstreams = createUpstreams({ db, sealer, outbound });
  const lists = createLists({ db, upstreams, notifications });
  // Before the streams: what they look at again must have been forgotten.
  const check = createTokenCheck({ db, log, notifications, membershipsOf: selectMemberships });
  const finder = createBackendFinder(db, notifications);
  const streams = createClientStreams(db, notifications, countStreams);
  lists.onChange(streams.changed);
  return {
    upstreams,
    lists,
    check,
    finder,
    streams,
    rules: createCallRules(db, notifications),
    approvals: createApprovals(db, sealer),
    mail: createMail(db, sealer, notifications),
    running: createRunning(db, notifications),
    stop() {
      streams.stop();
      lists.stop();
    },
    // What is not there is asked for again: it may be made.
    tenantOf: (id) => tenants.get(id, async () => (await findTenant(db, id)) ?? undefined),
    connections: createConnections(db, sealer, notifications),
    pins: createToolPins(db, notifications),
    guard: createGuard(() => performance.now()),
    sessions: createToldCache({ name: 'mcp-session', max: 50_000, notifications }),
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
  });
  const { sealer, callLog } = parts;
  const { finder, connections } = parts.mcpDoor;
  await registerGateway(app, {
    db,
    origin: parts.origin,
    ...parts.mcpDoor,
    cursors: parts.cursors,
    callLog,
    namespaceOf: (params) => namespaceOf(parts.mcpDoor, params, false),
    backendsOf: async (caller, backendId) => {
      const meant = (await finder.enabled(caller.tenantId)).filter(
        (one) => backendId === null || one.backend_id === backendId,
      );
      return meant.map((one) => gatewayBackend(sealer, connections, caller, one));
    },
  });
}

/** A backend as the gateway speaks with it for this caller. */
function gatewayBackend(
  sealer: Sealer,
  connections: Connections,
  { tenantId, userId }: { tenantId: string; userId: string | null },
  row: BackendRow,
): Backend {
  const { auth, backend_id: backendId } = row;
  const secretOf = async (kind: 'shared' | 'personal_key'): Promise<string | null> => {
    if (kind === 'shared') {
      return sealer.unseal(row.sealed_auth ?? '', placeIn(SEALED_AUTH, [tenantId, backendId]));
    }
    // A direct API token names a person; it does not prove that it is theirs.
    return userId === null ? null : connections.secretOf({ tenantId, backendId, userId });
  };
  return {
    tenantId,
    backendId,
    slug: row.slug,
    name: row.name,
    url: row.url,
    version: row.version,
    tools: row.tools,
    drift: row.drift,
    isShared: auth.kind === 'none' || auth.kind === 'shared',
    async credentials() {
      if (auth.kind === 'none') return {};
      const secret = await secretOf(auth.kind);
      return secret === null ? null : { [auth.header.toLowerCase()]: `${auth.prefix}${secret}` };
    },
  };
}

/** Below the console's gate. */
export function registerMcpPages(scope: App, parts: McpParts): void {
  const { db } = parts.database;
  const { sealer, cursors } = parts;
  const { check, finder, connections } = parts.mcpDoor;
  registerBackendPages(scope, { db, sealer, cursors, checkUrl: parts.outbound.check, finder });
  registerMcpSettings(scope, { db, forget: check.forgetSettings, mayBeScheme });
  registerMcpTokens(scope, { db, cursors, check });
  registerConnections(scope, { db, sealer, cursors, connections });
  const { pins, rules } = parts.mcpDoor;
  registerCallRules(scope, { db, cursors, rules });
  registerApprovals(scope, {
    db,
    sealer,
    cursors,
    minutesOf: async (tenantId, ruleId) => {
      const set = await rules.of(tenantId);
      return set?.approvals.find((one) => one.ruleId === ruleId)?.validMinutes ?? null;
    },
  });
  registerToolPins(scope, {
    db,
    pins,
    toolsOf: (caller, backendId) => askTools(parts, caller, backendId),
  });
}

/** As the administrator who asks, with a session of its own. */
async function askTools(
  { sealer, mcpDoor }: McpParts,
  caller: { tenantId: string; userId: string | null },
  backendId: string,
): Promise<unknown[]> {
  const found = (await mcpDoor.finder.enabled(caller.tenantId)).find(
    (one) => one.backend_id === backendId,
  );
  if (found === undefined) throw new HubError('not_found');
  const backend = gatewayBackend(sealer, mcpDoor.connections, caller, found);
  const asked = {
    owner: { hash: randomBytes(32), capabilities: {}, logLevel: null },
    upstreams: mcpDoor.upstreams,
    guard: mcpDoor.guard,
    person: caller.userId ?? 'administrator',
  };
  return toolsOf(asked, backend, AbortSignal.timeout(30_000)).catch((error: Error) => {
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
    };
  }
  if (params.tenant_id === undefined) {
    return { kind: 'aggregated', tenantId: null, tenantName: null };
  }
  const tenant = await tenantOf(params.tenant_id);
  if (tenant === undefined) return null;
  return { kind: 'aggregated', tenantId: tenant.tenant_id, tenantName: tenant.name };
}
