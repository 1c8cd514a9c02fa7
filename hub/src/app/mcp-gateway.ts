// Composes the services of the MCP gateway, once for a hub process, and resolves the namespace of a path.
import type { Logger } from 'pino';
import {
  type AccessPolicies,
  createAccessPolicies,
} from '../features/mcp/access-policies/index.ts';
import { createTokenCheck, type TokenCheck } from '../features/mcp/access-tokens/index.ts';
import { type BackendFinder, createBackendFinder } from '../features/mcp/backends/index.ts';
import { type Approvals, createApprovals } from '../features/mcp/call-approvals/index.ts';
import { createLists, type ServerLists } from '../features/mcp/catalog/index.ts';
import { createGuardrails, type Guardrails } from '../features/mcp/guardrails/index.ts';
import type { Namespace } from '../features/mcp/oauth/index.ts';
import { createHealthRecorder, type HealthRecorder } from '../features/mcp/server-health/index.ts';
import {
  type ClientSession,
  type ClientStreams,
  createClientStreams,
  createEventLog,
  createReplyChannel,
  createRequestsInFlight,
  type EventLog,
  type ReplyChannel,
  type RequestsInFlight,
  STREAM_TIMINGS,
  type StreamTimings,
} from '../features/mcp/sessions/index.ts';
import { createToolPins, type ToolPins } from '../features/mcp/tool-pinning/index.ts';
import {
  type CircuitBreaker,
  createCircuitBreaker,
  createUpstreams,
  type Upstreams,
  withRevocation,
} from '../features/mcp/upstream/index.ts';
import {
  createOAuthConnections,
  createServerMetadata,
  createUserKeys,
  type OAuthConnections,
  type ServerMetadata,
  type UserKeys,
} from '../features/mcp/upstream-auth/index.ts';
import { selectMemberships } from '../features/people/identity/index.ts';
import { findTenant, type Tenant } from '../features/people/tenants/index.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import type { Db } from '../platform/db/database.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import { createNotifiedCache, type NotifiedCache } from '../platform/feed/notified-cache.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';

/** The services of all MCP URLs. They have caches and open connections, so a hub process has them once. */
export interface McpGateway {
  tokenCheck: TokenCheck;
  finder: BackendFinder;
  /** Cached without expiry, because the id and name of a tenant never change. */
  tenantOf(tenantId: string): Promise<Tenant | undefined>;
  sessions: NotifiedCache<ClientSession | 'unknown'>;
  userKeys: UserKeys;
  oauthConnections: OAuthConnections;
  serverMetadata: ServerMetadata;
  /** Decides which users may use which tools. */
  accessPolicies: AccessPolicies;
  /** Guardrails for the content and the arguments of calls. */
  guardrails: Guardrails;
  approvals: Approvals;
  pins: ToolPins;
  breaker: CircuitBreaker;
  health: HealthRecorder;
  upstreams: Upstreams;
  replyChannel: ReplyChannel;
  requestsInFlight: RequestsInFlight;
  lists: ServerLists;
  streams: ClientStreams;
  timings: StreamTimings;
  eventLog: EventLog;
  /** Ends open streams, so that a graceful shutdown does not wait for them. */
  stop(): void;
}

/** Returns the gateway. `countStreams` receives the number of open client streams after each change. */
export function createMcpGateway(
  deps: {
    db: Db;
    sealer: Sealer;
    outbound: Outbound;
    origin: string;
    timings?: StreamTimings | undefined;
  },
  log: Logger,
  notifications: Notifications,
  countStreams: (streams: number) => void,
): McpGateway {
  const { db, sealer, timings = STREAM_TIMINGS } = deps;
  const tenants = createNotifiedCache<Tenant | undefined>({
    name: 'tenant',
    max: 10_000,
    notifications,
  });
  const servers = createUpstreams({
    ...deps,
    awaitFollowed: ({ hash }, { backendId }) =>
      streams.awaitFollowed(hash.toString('hex'), backendId),
  });
  const upstreams = withRevocation(servers, notifications);
  const lists = createLists({ db, upstreams, notifications });
  // Created before the streams: a notice invalidates these caches before the streams revalidate against them.
  const tokenCheck = createTokenCheck({ db, log, notifications, membershipsOf: selectMemberships });
  const finder = createBackendFinder(db, notifications);
  const accessPolicies = createAccessPolicies(db, notifications);
  const streams = createClientStreams(db, notifications, countStreams, timings.keepAliveMs);
  lists.onChange(streams.notifyListChanged);
  const requestsInFlight = createRequestsInFlight(db, notifications);
  const health = createHealthRecorder(db, () => performance.now());
  return {
    upstreams,
    lists,
    tokenCheck,
    finder,
    accessPolicies,
    streams,
    guardrails: createGuardrails(db, notifications),
    approvals: createApprovals(db, sealer),
    replyChannel: createReplyChannel(db, sealer, notifications),
    requestsInFlight,
    timings,
    eventLog: createEventLog(db, sealer, notifications),
    stop() {
      streams.stop();
      lists.stop();
      requestsInFlight.stop();
    },
    // An absent tenant is not cached, because it may be created.
    tenantOf: (id) => tenants.get(id, async () => (await findTenant(db, id)) ?? undefined),
    userKeys: createUserKeys(db, sealer, notifications),
    oauthConnections: createOAuthConnections({ ...deps, notifications }),
    serverMetadata: createServerMetadata(deps.outbound, () => performance.now()),
    pins: createToolPins(db, notifications),
    health,
    breaker: {
      ...createCircuitBreaker(() => performance.now()),
      onOutcome: (server, outcome, error) =>
        health.observe(server, outcome === 'reached' ? 'reachable' : outcome, error),
    },
    sessions: createNotifiedCache({ name: 'mcp-session', max: 50_000, notifications }),
  };
}

/** Returns null for a path that names nothing. Throws `tenant_suspended`. */
export async function namespaceOf(
  { finder, tenantOf }: McpGateway,
  params: { tenant_id?: string; backend?: string },
  isRoot: boolean,
): Promise<Namespace | null> {
  if (isRoot) return { kind: 'root' };
  if (params.backend !== undefined) {
    const found = await finder.find(params.backend);
    const tenant = found === null ? undefined : await tenantOf(found.tenant_id);
    if (found === null || tenant === undefined) return null;
    refuseSuspended(tenant);
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
  refuseSuspended(tenant);
  return { kind: 'aggregated', tenantId: tenant.tenant_id, tenantName: tenant.name };
}

function refuseSuspended({ suspended_at: suspendedAt }: Tenant): void {
  if (suspendedAt !== null) throw new HubError('tenant_suspended');
}
