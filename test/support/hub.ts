// A real hub for a test file: its own database cloned from the template, its own port, and a tenant with tokens.
// Its answers are checked against their schemas as they leave.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Hub, startHub } from '@gatewarden/hub/src/app/server.ts';
import { createAgentToken } from '@gatewarden/hub/src/features/devices/enrollment/index.ts';
import { createAdminToken } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { createTenant } from '@gatewarden/hub/src/features/people/tenants/index.ts';
import { type Config, readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { type Context, openContext } from '@gatewarden/hub/src/platform/context.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { expect, inject } from 'vitest';
import { BLANK, TEMPLATE } from './postgres.ts';
import { POLLED_SOON } from './programs.ts';
import { createOn, dropOn, type Node } from './test-server.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // Tests look into answers of many shapes; the hub itself has checked each against its schema.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface TestHub {
  url: string;
  config: Config;
  context: Context;
  hub: Hub;
  tenantId: string;
  agentToken: string;
  adminToken: string;
  tokenFor(role: Role, tenantId?: string): Promise<string>;
  newTenant(name: string): Promise<{ tenantId: string; agentToken: string; adminToken: string }>;
  /** A console call below the tenant, as administrator where no token is given. */
  console(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface CallOptions {
  token?: string;
  tenantId?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Clones the template database; returns its URL. */
export function cloneDatabase(): Promise<string> {
  return createDatabase(TEMPLATE);
}

const SHARED = 'shared';

/** Creates a database without tables; returns its URL. */
export function emptyDatabase(): Promise<string> {
  return createDatabase(inject('postgres').isCitus ? BLANK : null);
}

async function createDatabase(
  template: string | null,
  file = expect.getState().testPath,
): Promise<string> {
  const { nodes } = inject('postgres');
  await dropDatabasesOfEarlierFiles();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createOn(nodes, name, template);
  databases.push({ file, name });
  const { host, port, user } = nodes[0] as Node;
  // A socket's folder fits only into the query of the URL.
  return `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Databases of this worker by the test file that created them; the shared hub's belongs to no file. */
const databases: { file: string | undefined; name: string }[] = [];

/** Drops the databases of earlier test files: the server may keep its data in memory, or outlive the run. */
async function dropDatabasesOfEarlierFiles(): Promise<void> {
  const file = expect.getState().testPath;
  const past = databases.filter((database) => ![file, SHARED].includes(database.file));
  databases.splice(
    0,
    databases.length,
    ...databases.filter((database) => !past.includes(database)),
  );
  await dropOn(
    inject('postgres').nodes,
    past.map(({ name }) => name),
  );
}

export function hubConfig(
  databaseUrl: string,
  masterKey = randomBytes(32).toString('hex'),
): Config {
  return readConfig({
    DATABASE_URL: databaseUrl,
    HUB_PORT: '0',
    HUB_MASTER_KEY: masterKey,
    HUB_LOG_LEVEL: 'silent',
    ...POLLED_SOON,
    // The shutdown does not wait for calls that a test left open.
    HUB_SHUTDOWN_GRACE_MS: '1000',
    LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true',
  });
}

/** Even on a busy machine, a quick answer is a single JSON document. */
const SLOW_HEAD = { headMs: 10_000, keepAliveMs: 15_000 };

/** Another hub on the same database takes `config` of the first. */
export async function startTestHub(
  config?: Config,
  options: Omit<Parameters<typeof startHub>[2] & object, 'checkAnswers'> = {},
): Promise<TestHub> {
  const used = config ?? hubConfig(await cloneDatabase());
  const log = createLog('silent');
  const hub = await startHub(used, log, { mcpTimings: SLOW_HEAD, ...options, checkAnswers: true });
  const context = await openContext(used, log);
  const { db } = context.database;
  const newTenant = async (name: string) => {
    const { tenant_id: tenantId } = await createTenant(db, name);
    const { token: agentToken } = await createAgentToken(db, {
      tenantId,
      name: 'test',
      expiresAt: null,
      enrolOnly: false,
    });
    return { tenantId, agentToken, adminToken: await tokenFor('Admin', tenantId) };
  };
  const tokenFor = (role: Role, tenantId: string) =>
    createAdminToken(db, context.sealer, {
      origin: hub.url,
      tenantId,
      email: `${role.toLowerCase()}@example.com`,
      role,
    });
  const common = { url: hub.url, config: used, context, hub, newTenant };
  return {
    ...withTenant(common, await newTenant('First'), tokenFor),
    async stop() {
      await context.close();
      await hub.stop();
    },
  };
}

/** Returns a hub's calls on behalf of a tenant. */
function withTenant(
  hub: Pick<TestHub, 'url' | 'config' | 'context' | 'hub' | 'newTenant'>,
  tenant: { tenantId: string; agentToken: string; adminToken: string },
  createToken: (role: Role, tenantId: string) => Promise<string>,
): Omit<TestHub, 'stop'> {
  return {
    ...hub,
    ...tenant,
    tokenFor: (role, tenantId = tenant.tenantId) => createToken(role, tenantId),
    console: (method, path, options = {}) =>
      call(
        `${hub.url}/console/api/v1/tenants/${options.tenantId ?? tenant.tenantId}${path}`,
        method,
        { authorization: `Bearer ${options.token ?? tenant.adminToken}`, ...options.headers },
        options.body,
      ),
  };
}

let sharedHub: Promise<TestHub> | undefined;

/**
 * Returns a new tenant at the hub that the files of this worker share: half a second less for each file. For tests that
 * read and write by tenant only. A test about the schema, the installation, its limits or its metrics starts a hub of its
 * own (startTestHub). `stop` does nothing: the hub ends with the worker.
 */
export async function sharedTestHub(): Promise<TestHub> {
  sharedHub ??= createDatabase(TEMPLATE, SHARED).then((url) => startTestHub(hubConfig(url)));
  const hub = await sharedHub;
  const tenant = await hub.newTenant(`Tenant ${randomBytes(4).toString('hex')}`);
  return { ...withTenant(hub, tenant, hub.tokenFor), stop: async () => undefined };
}

/** Sends an HTTP request whose answer is JSON. */
export async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A device request as an agent makes it; `headers` with value null are left out. */
export async function deviceCall(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>,
  method: 'GET' | 'POST',
  path: string,
  options: { headers?: Record<string, string | null>; body?: unknown; raw?: Uint8Array } = {},
): Promise<Answer> {
  const headers: Record<string, string | null> = {
    authorization: `Bearer ${hub.agentToken}`,
    'x-tenant-id': hub.tenantId,
    'x-subscriber-id': 'alice',
    ...(method === 'POST'
      ? { 'content-encoding': 'gzip', 'content-type': 'application/json' }
      : {}),
    ...options.headers,
  };
  const sentHeaders = Object.entries(headers).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  const bytes =
    options.raw ?? (options.body === undefined ? null : gzipSync(JSON.stringify(options.body)));
  const response = await fetch(`${hub.url}${path}`, {
    method,
    headers: Object.fromEntries(sentHeaders),
    ...(bytes === null ? {} : { body: bytes as never }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : parsed(text),
  };
}

/** Console calls as the administrator of a tenant; with `If-Match` where a version is given. */
export function adminCalls(
  hub: Pick<TestHub, 'console'>,
  tenant: { tenantId: string; adminToken: string },
): (method: string, path: string, body?: unknown, version?: string) => Promise<Answer> {
  return (method, path, body, version) =>
    hub.console(method, path, {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
      ...(body === undefined ? {} : { body }),
      ...(version === undefined ? {} : { headers: { 'if-match': version } }),
    });
}

/** Returns the audit events of a resource, in order. */
export async function eventsOf(hub: Pick<TestHub, 'context'>, resourceId: string) {
  const events = await hub.context.database.pool.query<{
    operation: string;
    actor: object;
    detail: object;
  }>(`SELECT operation, actor, detail FROM audit_events WHERE resource->>'id' = $1 ORDER BY at`, [
    resourceId,
  ]);
  return events.rows;
}

/** Returns the bytes that request bodies in flight reserve, from /metrics. */
export async function inFlightBodyBytes({ url }: Pick<TestHub, 'url'>): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gatewarden_body_bytes (\d+)$/m.exec(text)?.[1]);
}
