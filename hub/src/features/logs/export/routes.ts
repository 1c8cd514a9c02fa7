// GET /llmgateway/logs/export and GET /mcpgateway/logs/export. Whatever fails before the stream has a status and one
// line of NDJSON; the metrics view is a plain document, and so are its errors.
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
import { type ExportGrant, grantOf, type ReadMarks } from '../export-keys/index.ts';
import { metricsDocument } from '../metrics/index.ts';
import { createPiecePool, type PiecePool } from './lines.ts';
import { type Export, errorLine, errorOf, openExport } from './stream.ts';
import { cursorMaker, type ExportQuery, viewOf, type Window, windowOf } from './window.ts';

const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
/** For the document; a stream goes out, or one object for the metrics view. */
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

/** Parameters for the document; `rejectUnknownParameters` and `windowOf` check them: their errors have another schema. */
const asked = (description: string) => Type.Optional(Type.String({ description }));
const WINDOW_QUERY = {
  start_time: asked(
    'Rows from this ISO 8601 time on, which must not be after `max_exportable_time` (now minus 15 minutes).',
  ),
  end_time: asked('Rows before this ISO 8601 time; clamped to `max_exportable_time`.'),
  cursor: asked('`next_cursor` of the page before. It takes precedence over a valid `start_time`.'),
  limit: asked('Rows of one page, at most 5000.'),
};
const VIEW_QUERY = asked('`logs`, or `metrics` for one document of counts.');
const MCP_QUERY = Type.Object(WINDOW_QUERY, { additionalProperties: false });
const LLM_QUERY = Type.Object(
  { ...WINDOW_QUERY, view: VIEW_QUERY },
  { additionalProperties: false },
);

export interface ScopedThing {
  id: string;
  name: string;
  /** An app that is enabled and has a key that works; a backend that is not disabled. */
  isActive: boolean;
}

export interface ExportDeps {
  db: Db;
  read: ReadByCopy;
  cursors: CursorSealer;
  marks: ReadMarks;
  appsOf(tenantId: string): Promise<ScopedThing[]>;
  backendsOf(tenantId: string): Promise<ScopedThing[]>;
}

/** Each holds a few megabytes at most; more at once are asked to come again. */
const PLACES: ConcurrencyLimits = { total: 64, perClient: 32 };
const KEY_HEADER = 'x-gw-log-export-key';

/** Of the views that stream. */
interface StreamDeps extends ExportDeps {
  pieces: PiecePool;
  places: ConcurrencyLimiter;
}

export async function registerLogExport(app: App, of: ExportDeps): Promise<void> {
  const places = createConcurrencyLimiter(PLACES);
  const deps: StreamDeps = { ...of, pieces: createPiecePool(), places };
  await app.register(async (scope: App) => {
    scope.setErrorHandler(refuse);
    limitOpen(scope, places);
    registerLlm(scope, deps);
    registerMcp(scope, deps);
  });
}

function limitOpen(scope: App, places: ConcurrencyLimiter): void {
  scope.addHook('onRequest', async (_request, reply) => onResponseClosed(reply, places.acquire()));
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
      const stillOpen = () => grantOf(deps.db, 'llm', request.headers[KEY_HEADER]);
      const grant = await stillOpen();
      onResponseClosed(reply, deps.places.acquireFor(grant.keyId));
      rejectUnknownParameters(query, LLM_QUERY);
      const apps = await llmScope(deps, grant);
      if (viewOf(query) === 'metrics') return sendMetrics(deps, reply, grant, apps, query);
      const shape = { ...llmExport(grant, apps), stillOpen };
      return sendLogs(deps, request, reply, grant, shape, query);
    },
  );
}

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
      const stillOpen = () => grantOf(deps.db, 'mcp', request.headers[KEY_HEADER]);
      const grant = await stillOpen();
      onResponseClosed(reply, deps.places.acquireFor(grant.keyId));
      const query = request.query as ExportQuery;
      rejectUnknownParameters(query, MCP_QUERY);
      const shape = { ...(await mcpExport(deps, grant)), stillOpen };
      return sendLogs(deps, request, reply, grant, shape, query);
    },
  );
}

/** One line of NDJSON; what is no logs view, a bad one too, is answered as one document. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = errorOf(error);
  const known = toHubError(error);
  if (status >= 500 && known.code !== 'overloaded') {
    request.log.error({ err: (error as Error).cause ?? error }, 'export failed');
  }
  if (known.retryAfterSeconds !== null) reply.header('retry-after', known.retryAfterSeconds);
  const { view } = request.query as ExportQuery;
  const isStream = request.url.startsWith('/mcp') || view === undefined || view === 'logs';
  const text = isStream ? errorLine(error) : JSON.stringify(body);
  // As bytes: text would get a charset that the type does not have.
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(isStream ? NDJSON : 'application/json; charset=utf-8')
    .send(Buffer.from(text));
}

/** What an endpoint adds to the window. */
type Shape = Omit<Export, 'tenantId' | 'window' | 'seal' | 'memory'>;
type Scoped = Omit<Shape, 'stillOpen'>;

async function sendLogs(
  deps: StreamDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  grant: ExportGrant,
  shape: Shape,
  query: ExportQuery,
) {
  const { window, rules } = await resolve(deps, grant, query);
  const memory = deps.pieces.open();
  reply.raw.once('finish', memory.giveBack);
  const one: Export = {
    ...shape,
    tenantId: grant.tenantId,
    window,
    memory,
    seal: cursorMaker(rules),
  };
  const lines = await openExport(deps.read, one, ({ readUpTo }) =>
    deps.marks.read(grant, readUpTo),
  );
  const source = Readable.from(lines, { objectMode: false, highWaterMark: 64 * 1024 });
  reply.header('cache-control', 'no-store').type(NDJSON).header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(source);
  reply.header('content-encoding', 'gzip');
  const gzip = createGzip({ level: 3, flush: zlib.Z_NO_FLUSH });
  source.on('error', (error) => gzip.destroy(error));
  // A client that goes away ends the reading, too.
  gzip.on('close', () => source.destroy());
  return reply.send(source.pipe(gzip));
}

/** What times of each scope are told in. */
const STEP: Record<ExportGrant['scope'], Micros> = {
  app: MICROS.ms,
  all_apps: MICROS.ms,
  backend: 1,
  all_backends: 1,
};

/** Whose rows: what a key opens, or a person of the console. */
type Reach = Omit<ExportGrant, 'keyId'>;

async function resolve(
  { db, cursors }: ExportDeps,
  { tenantId, scope, appId, backendId }: Reach,
  query: ExportQuery,
) {
  const [settings = LOG_DEFAULTS] = await selectLogSettings(db, [tenantId]);
  const rules = {
    now: nowMicros(),
    retentionDays: settings.retention_days,
    cursors,
    // By scope and not by key: a key may be exchanged without losing the place.
    binding: ['log-export', tenantId, scope, appId ?? backendId],
    step: STEP[scope],
  };
  return { window: windowOf(query, rules), rules };
}

interface LlmScope {
  app: ScopedThing | null;
  active: number;
  inactive: string[];
}

/** Throws `log_export_key_inactive` where the key's app is not active. */
async function llmScope(deps: ExportDeps, grant: Reach): Promise<LlmScope> {
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
  // What nobody knows the app of belongs to no app that was switched off.
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
      instead: '{',
    },
  };
}

/** Throws `log_export_key_inactive` where the key's backend is not active. */
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
      instead: '{"request":{',
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
  // Accepted and ignored.
  const { cursor: _cursor, limit: _limit, ...rest } = query;
  const document = await metricsOf(deps, grant, scope, rest);
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(document));
}

async function metricsOf(deps: ExportDeps, grant: Reach, scope: LlmScope, query: ExportQuery) {
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

/** GET C/llm/metrics: the metrics view of all apps, for people; the same window and the same numbers as the export's. */
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
      const all: Reach = { tenantId, scope: 'all_apps', appId: null, backendId: null };
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
