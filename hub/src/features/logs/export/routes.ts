// GET /llmgateway/logs/export and GET /mcpgateway/logs/export. A failure before the stream has a status and one line of
// NDJSON; the metrics view and its errors are plain JSON documents.
import { Readable } from 'node:stream';
import { createGzip, constants as zlib } from 'node:zlib';
import { MetricsAnswer, MetricsQuery } from '@gatewarden/shared/wire/console/logs.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { ReadByCopy } from '../../../platform/db/copy-reader.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { ErrorCode } from '../../../platform/http/errors/error-list.ts';
import { HubError, toHubError } from '../../../platform/http/errors/errors.ts';
import {
  type ConcurrencyLimiter,
  type ConcurrencyLimits,
  createConcurrencyLimiter,
} from '../../../platform/http/limits/concurrency-limiter.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { rejectUnknownParameters } from '../../../platform/http/lists/strict-query.ts';
import type { ExportErrors } from '../../../platform/http/openapi.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { acceptsGzip } from '../../../platform/http/server/content-encoding.ts';
import { onResponseClosed } from '../../../platform/http/server/response-closed.ts';
import {
  LOG_DEFAULTS,
  MICROS,
  type Micros,
  microsText,
  millisText,
  nowMicros,
  selectLogSettings,
} from '../events/index.ts';
import { authorizeExport, type ExportGrant, type ReadMarks } from '../export-keys/index.ts';
import { metricsDocument } from '../metrics/index.ts';
import { type BufferPool, createBufferPool } from './lines.ts';
import { type ExportStream, errorLine, errorOf, openExport } from './stream.ts';
import { cursorMaker, type ExportQuery, viewOf, type Window, windowOf } from './window.ts';

const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
/** Example for the OpenAPI document: a stream, or a single object for the metrics view. */
const EXAMPLE = [
  { type: 'export_started', schema_version: 'v1', max_exportable_time: '2026-01-31T11:45:00Z' },
  { type: 'checkpoint', schema_version: 'v1', next_cursor: 'eyJhZnRlciI6MX0', has_more: false },
].map((line) => `${JSON.stringify(line)}\n`);
const LINES = { [NDJSON]: { schema: Type.String({ examples: [EXAMPLE.join('')] }) } };
const MCP_LINES = { description: 'One JSON object on each line.', content: LINES };
const LLM_LINES = {
  description: 'One JSON object on each line; of the metrics view one JSON object.',
  content: { ...LINES, [JSON_TYPE]: { schema: MetricsAnswer.properties.metrics } },
};
const ERROR_CODES = [
  'invalid_request',
  'invalid_cursor',
  'cursor_expired',
  'before_retention',
  'invalid_log_export_key',
  'wrong_log_export_key',
  'log_export_key_inactive',
  'overloaded',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];
const MCP_ERRORS: ExportErrors = { types: [NDJSON], codes: ERROR_CODES, jsonOnly: [] };
const LLM_ERRORS: ExportErrors = {
  types: [NDJSON, JSON_TYPE],
  codes: ERROR_CODES,
  jsonOnly: ['invalid_view', 'metrics_failed'],
};

/**
 * Parameters for the OpenAPI document; `rejectUnknownParameters` and `windowOf` validate them, because their errors
 * have another schema.
 */
const parameter = (description: string) => Type.Optional(Type.String({ description }));
const WINDOW_QUERY = {
  start_time: parameter(
    'Rows from this ISO 8601 time on, which must not be after `max_exportable_time` (now minus 15 minutes).',
  ),
  end_time: parameter('Rows before this ISO 8601 time; clamped to `max_exportable_time`.'),
  cursor: parameter(
    '`next_cursor` of the page before. It takes precedence over a valid `start_time`.',
  ),
  limit: parameter('Rows of one page, at most 5000.'),
};
const VIEW_QUERY = parameter('`logs`, or `metrics` for one document of counts.');
const MCP_QUERY = Type.Object(WINDOW_QUERY, { additionalProperties: false });
const LLM_QUERY = Type.Object(
  { ...WINDOW_QUERY, view: VIEW_QUERY },
  { additionalProperties: false },
);

export interface ScopedResource {
  id: string;
  name: string;
  /** Whether an app is enabled and has an active key, or a backend is not disabled. */
  isActive: boolean;
}

export interface ExportDeps {
  db: Db;
  read: ReadByCopy;
  cursors: CursorSealer;
  marks: ReadMarks;
  appsOf(tenantId: string): Promise<ScopedResource[]>;
  backendsOf(tenantId: string): Promise<ScopedResource[]>;
}

/** Limits of concurrent streams, each of a few megabytes; further requests are refused with a time to retry. */
const CONCURRENCY: ConcurrencyLimits = { total: 64, perClient: 32 };
const KEY_HEADER = 'x-gw-log-export-key';

/** Dependencies of the views that stream. */
interface StreamDeps extends ExportDeps {
  buffers: BufferPool;
  concurrency: ConcurrencyLimiter;
}

/** Registers the export with its own errors and its limit of concurrent streams. */
export async function registerLogExport(app: App, base: ExportDeps): Promise<void> {
  const concurrency = createConcurrencyLimiter(CONCURRENCY);
  const deps: StreamDeps = { ...base, buffers: createBufferPool(), concurrency };
  await app.register(async (scope: App) => {
    scope.setErrorHandler(sendExportError);
    limitConcurrency(scope, concurrency);
    registerLlm(scope, deps);
    registerMcp(scope, deps);
  });
}

function limitConcurrency(scope: App, concurrency: ConcurrencyLimiter): void {
  scope.addHook('onRequest', async (_request, reply) =>
    onResponseClosed(reply, concurrency.acquire()),
  );
}

function registerLlm(scope: App, deps: StreamDeps): void {
  const summary = 'Export LLM request logs as NDJSON, or as a metrics document with view=metrics';
  scope.get(
    '/llmgateway/logs/export',
    {
      schema: { tags: ['logs'], summary, response: { 200: LLM_LINES } },
      config: { caller: 'collector', asks: LLM_QUERY, exportErrors: LLM_ERRORS },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const query = request.query as ExportQuery;
      const revalidate = authorizer(deps, 'llm', request);
      const grant = await revalidate();
      onResponseClosed(reply, deps.concurrency.acquireFor(grant.keyId));
      rejectUnknownParameters(query, LLM_QUERY);
      const apps = await llmScope(deps, grant);
      if (viewOf(query) === 'metrics') return sendMetrics(deps, reply, grant, apps, query);
      const shape = { ...llmExport(grant, apps), revalidate };
      return sendLogs(deps, request, reply, grant, shape, query);
    },
  );
}

/** Returns a check of the request's export key. A long stream repeats it, so that a revoked key ends the stream. */
const authorizer = (deps: StreamDeps, kind: 'llm' | 'mcp', request: FastifyRequest) => () =>
  authorizeExport(deps.db, kind, request.headers[KEY_HEADER]);

function registerMcp(scope: App, deps: StreamDeps): void {
  const summary = 'Export MCP tool-call logs as NDJSON';
  scope.get(
    '/mcpgateway/logs/export',
    {
      schema: { tags: ['logs'], summary, response: { 200: MCP_LINES } },
      config: { caller: 'collector', asks: MCP_QUERY, exportErrors: MCP_ERRORS },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const revalidate = authorizer(deps, 'mcp', request);
      const grant = await revalidate();
      onResponseClosed(reply, deps.concurrency.acquireFor(grant.keyId));
      const query = request.query as ExportQuery;
      rejectUnknownParameters(query, MCP_QUERY);
      const shape = { ...(await mcpExport(deps, grant)), revalidate };
      return sendLogs(deps, request, reply, grant, shape, query);
    },
  );
}

/**
 * Sends an error as one line of NDJSON for the logs view, and as a JSON document for any other value of `view`, valid or
 * not.
 */
function sendExportError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = errorOf(error);
  const hubError = toHubError(error);
  if (status >= 500 && hubError.code !== 'overloaded') {
    request.log.error({ err: (error as Error).cause ?? error }, 'export failed');
  }
  if (hubError.retryAfterSeconds !== null) reply.header('retry-after', hubError.retryAfterSeconds);
  const { view } = request.query as ExportQuery;
  const isStream = request.url.startsWith('/mcp') || view === undefined || view === 'logs';
  const text = isStream ? errorLine(error) : JSON.stringify(body);
  // Sent as bytes: text would get a charset that the type does not have.
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(isStream ? NDJSON : 'application/json; charset=utf-8')
    .send(Buffer.from(text));
}

/** The parts of an export stream that an endpoint defines. */
type Shape = Omit<ExportStream, 'tenantId' | 'window' | 'seal' | 'memory'>;
type Scoped = Omit<Shape, 'revalidate'>;

async function sendLogs(
  deps: StreamDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  grant: ExportGrant,
  shape: Shape,
  query: ExportQuery,
) {
  const { window, rules } = await resolve(deps, grant, query);
  const memory = deps.buffers.open();
  reply.raw.once('finish', memory.release);
  const stream: ExportStream = {
    ...shape,
    tenantId: grant.tenantId,
    window,
    memory,
    seal: cursorMaker(rules),
  };
  const lines = await openExport(deps.read, stream, ({ readUpTo }) =>
    deps.marks.read(grant, readUpTo),
  );
  const source = Readable.from(lines, { objectMode: false, highWaterMark: 64 * 1024 });
  reply.header('cache-control', 'no-store').type(NDJSON).header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(source);
  reply.header('content-encoding', 'gzip');
  const gzip = createGzip({ level: 3, flush: zlib.Z_NO_FLUSH });
  source.on('error', (error) => gzip.destroy(error));
  // A client that disconnects also ends the reading.
  gzip.on('close', () => source.destroy());
  return reply.send(source.pipe(gzip));
}

/** The resolution of times in each scope. */
const STEP: Record<ExportGrant['scope'], Micros> = {
  app: MICROS.ms,
  all_apps: MICROS.ms,
  backend: 1,
  all_backends: 1,
};

/** Scope of the rows to read: of an export key, or of a console user. */
type ExportTarget = Omit<ExportGrant, 'keyId'>;

async function resolve(
  { db, cursors }: ExportDeps,
  { tenantId, scope, appId, backendId }: ExportTarget,
  query: ExportQuery,
) {
  const [settings = LOG_DEFAULTS] = await selectLogSettings(db, [tenantId]);
  const rules = {
    now: nowMicros(),
    retentionDays: settings.retention_days,
    cursors,
    // Bound to the scope and not to the key: a key may be replaced without losing the position.
    binding: ['log-export', tenantId, scope, appId ?? backendId],
    step: STEP[scope],
  };
  return { window: windowOf(query, rules), rules };
}

interface LlmScope {
  app: ScopedResource | null;
  active: number;
  inactive: string[];
}

/** Returns the apps of the scope. Throws `log_export_key_inactive` if the key's app is not active. */
async function llmScope(deps: ExportDeps, grant: ExportTarget): Promise<LlmScope> {
  const apps = await deps.appsOf(grant.tenantId);
  if (grant.scope === 'app') {
    const app = apps.find(({ id }) => id === grant.appId);
    if (app?.isActive !== true) throw new HubError('log_export_key_inactive');
    return { app, active: 1, inactive: [] };
  }
  const inactive = apps.filter(({ isActive }) => !isActive).map(({ id }) => id);
  return { app: null, active: apps.length - inactive.length, inactive };
}

function scopeCondition({ app, inactive }: LlmScope) {
  if (app !== null) return sql`app_id = ${app.id}`;
  if (inactive.length === 0) return sql`true`;
  // Rows of an unknown app belong to no disabled app.
  return sql`(app_id IS NULL OR app_id <> ALL (${inactive}::uuid[]))`;
}

function llmExport(grant: ExportGrant, scope: LlmScope): Scoped {
  return {
    table: {
      table: 'llm_requests',
      id: { column: 'request_id', type: 'text' },
      scope: scopeCondition(scope),
    },
    started: { scope: grant.scope, app_name: scope.app?.name ?? null, app_count: scope.active },
    timeText: millisText,
    noId: '',
    form: {
      head: '{"type":"llmgateway.request","schema_version":"v1","cursor":"',
      middle: () => '",',
      replacedPrefix: '{',
    },
  };
}

/** Returns the stream of the scope. Throws `log_export_key_inactive` if the key's backend is not active. */
async function mcpExport(deps: ExportDeps, grant: ExportGrant): Promise<Scoped> {
  const backends = await deps.backendsOf(grant.tenantId);
  const backend = backends.find(({ id }) => id === grant.backendId);
  if (grant.scope === 'backend' && backend?.isActive !== true) {
    throw new HubError('log_export_key_inactive');
  }
  return {
    table: {
      table: 'mcp_tool_calls',
      id: { column: 'log_id', type: 'bigint' },
      // Document 2 exports calls of tools.
      scope:
        grant.scope === 'backend'
          ? sql`backend_id = ${grant.backendId} AND method IS NULL`
          : sql`method IS NULL`,
    },
    started:
      backend === undefined
        ? {
            scope: { type: 'tenant', tenant_id: grant.tenantId, backend_count: backends.length },
          }
        : { backend: { id: backend.id, name: backend.name } },
    timeText: microsText,
    noId: '0',
    form: {
      head: '{"type":"mcpgateway.tool_call","schema_version":"v1","cursor":"',
      middle: (id) => `","request":{"log_id":${id},`,
      replacedPrefix: '{"request":{',
    },
  };
}

async function sendMetrics(
  deps: ExportDeps,
  reply: FastifyReply,
  grant: ExportGrant,
  scope: LlmScope,
  query: ExportQuery,
) {
  // Cursor and limit are accepted and ignored.
  const { cursor: _cursor, limit: _limit, ...rest } = query;
  const document = await metricsOf(deps, grant, scope, rest);
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(document));
}

async function metricsOf(
  deps: ExportDeps,
  grant: ExportTarget,
  scope: LlmScope,
  query: ExportQuery,
) {
  const { window } = await resolve(deps, grant, query);
  const apps = scope.app === null ? await deps.appsOf(grant.tenantId) : [scope.app];
  return metricsDocument(deps.db, {
    tenantId: grant.tenantId,
    scope: grant.scope === 'app' ? 'app' : 'all_apps',
    condition: scopeCondition(scope),
    apps: apps.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name })),
    window: windowText(window),
  });
}

/**
 * Registers GET C/llm/metrics: the metrics view of all apps for users, with the window and the numbers of the export.
 */
export function registerMetricsPage(app: App, deps: ExportDeps): void {
  app.get(
    '/llm/metrics',
    {
      config: { access: 'Viewer', alsoAnswers: ['500'] },
      schema: {
        tags: ['logs'],
        summary: 'Get the metrics of LLM requests',
        querystring: MetricsQuery,
        response: { 200: MetricsAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const all: ExportTarget = { tenantId, scope: 'all_apps', appId: null, backendId: null };
      const document = await metricsOf(deps, all, await llmScope(deps, all), request.query);
      return { metrics: document, request_id: request.id };
    },
  );
}

function windowText(window: Window) {
  return {
    start: microsText(window.start),
    end: microsText(window.end),
    shown: {
      effective_start_time: millisText(window.start),
      effective_end_time: millisText(window.end),
      max_exportable_time: millisText(window.maxExportable),
      end_time_clamped: window.isClamped,
    },
  };
}
