// What stands before every MCP URL and behind it, made once for a hub process, and what a path names.
import type { Logger } from 'pino';
import { type Approvals, createApprovals } from '../features/mcp/approvals/index.ts';
import { type BackendFinder, createBackendFinder } from '../features/mcp/backends/index.ts';
import { createCallRules, type Rules } from '../features/mcp/call-rules/index.ts';
import { type Connections, createConnections } from '../features/mcp/connections/index.ts';
import {
  type ClientSession,
  type ClientStreams,
  createClientStreams,
  createEventLog,
  createGuard,
  createLists,
  createMail,
  createRunning,
  createUpstreams,
  type EventLog,
  endingWhenTakenBack,
  type Guard,
  type Lists,
  type Mail,
  type Running,
  STREAM_TIMINGS,
  type StreamTimings,
  type Upstreams,
} from '../features/mcp/gateway/index.ts';
import {
  createGrants,
  createServerMetadata,
  type Grants,
  type ServerMetadata,
} from '../features/mcp/grants/index.ts';
import type { Namespace } from '../features/mcp/oauth/index.ts';
import { createToolPins, type ToolPins } from '../features/mcp/pins/index.ts';
import { createMcpRules, type McpRules } from '../features/mcp/rules/index.ts';
import { createTokenCheck, type TokenCheck } from '../features/mcp/tokens/index.ts';
import { selectMemberships } from '../features/people/identity/index.ts';
import { findTenant, type Tenant } from '../features/people/tenants/index.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import type { Db } from '../platform/db/database.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import { createNotifiedCache, type NotifiedCache } from '../platform/feed/notified-cache.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';

/** What stands before every MCP URL; made once, for it remembers. */
export interface McpDoor {
  check: TokenCheck;
  finder: BackendFinder;
  /** Remembered: a tenant's id and name never change. */
  tenantOf(tenantId: string): Promise<Tenant | undefined>;
  sessions: NotifiedCache<ClientSession | 'unknown'>;
  connections: Connections;
  grants: Grants;
  serverMetadata: ServerMetadata;
  /** Who may use what. */
  rules: McpRules;
  /** What a call must meet. */
  callRules: Rules;
  approvals: Approvals;
  pins: ToolPins;
  guard: Guard;
  upstreams: Upstreams;
  mail: Mail;
  running: Running;
  lists: Lists;
  streams: ClientStreams;
  timings: StreamTimings;
  eventLog: EventLog;
  /** Ends open streams, so that a draining hub need not wait for them. */
  stop(): void;
}

export function createMcpDoor(
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
): McpDoor {
  const { db, sealer, timings = STREAM_TIMINGS } = deps;
  const tenants = createNotifiedCache<Tenant | undefined>({
    name: 'tenant',
    max: 10_000,
    notifications,
  });
  const servers = createUpstreams({
    ...deps,
    followed: ({ hash }, { backendId }) => streams.followed(hash.toString('hex'), backendId),
  });
  const upstreams = endingWhenTakenBack(servers, notifications);
  const lists = createLists({ db, upstreams, notifications });
  // Before the streams: what they look at again must have been forgotten.
  const check = createTokenCheck({ db, log, notifications, membershipsOf: selectMemberships });
  const finder = createBackendFinder(db, notifications);
  const rules = createMcpRules(db, notifications);
  const streams = createClientStreams(db, notifications, countStreams, timings.keepAliveMs);
  lists.onChange(streams.changed);
  const running = createRunning(db, notifications);
  return {
    upstreams,
    lists,
    check,
    finder,
    rules,
    streams,
    callRules: createCallRules(db, notifications),
    approvals: createApprovals(db, sealer),
    mail: createMail(db, sealer, notifications),
    running,
    timings,
    eventLog: createEventLog(db, sealer, notifications),
    stop() {
      streams.stop();
      lists.stop();
      running.stop();
    },
    // What is not there is asked for again: it may be made.
    tenantOf: (id) => tenants.get(id, async () => (await findTenant(db, id)) ?? undefined),
    connections: createConnections(db, sealer, notifications),
    grants: createGrants({ ...deps, notifications }),
    serverMetadata: createServerMetadata(deps.outbound, () => performance.now()),
    pins: createToolPins(db, notifications),
    guard: createGuard(() => performance.now()),
    sessions: createNotifiedCache({ name: 'mcp-session', max: 50_000, notifications }),
  };
}

/** Returns null for a path that names nothing. Throws `tenant_suspended`. */
export async function namespaceOf(
  { finder, tenantOf }: McpDoor,
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
