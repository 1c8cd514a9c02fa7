// POST /node/v1/logs/llm-requests and …/mcp-tool-calls: 202 means that the rows are committed.
import type { Readable } from 'node:stream';
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import {
  LlmRequestLine,
  LOG_BATCH_BYTES,
  LogBatchAnswer,
  ToolCallLine,
} from '@gatewarden/shared/wire/nodes/logs.ts';
import type { FastifyRequest } from 'fastify';
import type { CopyTx, TransactCopying } from '../../../platform/db/copy-transactions.ts';
import type { Db } from '../../../platform/db/database.ts';
import { assignBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { InFlightBytesLimiter } from '../../../platform/http/limits/in-flight-bytes.ts';
import { createRateLimiter } from '../../../platform/http/limits/token-bucket.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { acceptAnyContentType } from '../../../platform/http/server/content-type.ts';
import { onResponseClosed } from '../../../platform/http/server/response-closed.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { addSpend } from '../budgets/index.ts';
import {
  insertLlmRows,
  insertToolCalls,
  type KnownApp,
  type KnownBackend,
  type LlmRow,
  type LoggedFor,
  llmRow,
  type Micros,
  type ModelCost,
  microsText,
  nowMicros,
  parseMicros,
  selectLogSettings,
  type ToolCallRow,
  toolCallRow,
} from '../events/index.ts';
import {
  type BatchLine,
  isExpired,
  isLate,
  readBatch,
  requireTenants,
  type SettingsOf,
  settingsBy,
} from './batch.ts';
import { badLine, lineReader } from './line.ts';

/** The names and ids in the lines of a batch. */
export interface NamedOwners {
  ids: readonly string[];
  names: readonly string[];
}

/** The last use of an app key in a batch. */
export interface KeyUse {
  key_id: string;
  at: string;
  micros: Micros;
  from: string | null;
}

export interface LogIngestDeps {
  db: Db;
  transact: TransactCopying;
  budget: InFlightBytesLimiter;
  metrics: Metrics;
  /** The rate of requests per second and node token. */
  rate: number;
  nodeOf(authorization: string | undefined): Promise<LogNode>;
  tenantsAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Loads the named apps, and returns a lookup. */
  appsOf(tenantId: string, named: NamedOwners): Promise<(name: Naming) => KnownApp | null>;
  costsOf(
    tenantId: string,
  ): Promise<(provider: string | null, model: string | null) => ModelCost | null>;
  backendsOf(tenantId: string, named: NamedOwners): Promise<(name: Naming) => KnownBackend | null>;
  /** Called with the stored or completed rows after the commit. */
  onStored(kind: 'llm-requests' | 'tool-calls', rows: readonly LoggedFor[]): void;
  /** Called with the app keys that requests of the batch used, each with its last use. */
  keysUsed(tenantId: string, uses: readonly KeyUse[]): Promise<void>;
}

export interface LogNode {
  tokenId: string;
  name: string;
  tenantId: string | null;
}

export interface Naming {
  id?: string;
  name?: string;
}

const BURST_SECONDS = 20;
const NODES_MAX = 10_000;

const readLlmLine = lineReader<LlmRequestLine>(LlmRequestLine, [
  ['guardrails', 'request_predictions'],
  ['guardrails', 'response_predictions'],
  ['payload', 'request_text'],
  ['payload', 'response_text'],
  ['metadata', 'extra_data'],
  ['metadata', 'sdk'],
  ['telemetry', 'processing_times'],
  ['telemetry', 'chunk_funnel'],
]);
const readToolCallLine = lineReader<ToolCallLine>(ToolCallLine, [
  ['request', 'id'],
  ['guardrails', 'input', 'predictions'],
  ['guardrails', 'output', 'predictions'],
  ['payload', 'tool_arguments'],
  ['payload', 'response_content'],
  ['metadata', 'extra_data'],
]);

const NDJSON = 'application/x-ndjson';
/** Bodies for the OpenAPI document. */
const LLM_LINES = {
  type: NDJSON,
  line: LlmRequestLine,
  example: {
    app: { name: 'Help desk' },
    request: {
      id: 'req-1',
      timestamp: '2026-01-31T12:00:00Z',
      endpoint: '/v1/chat/completions',
      model: 'example-model',
      status_code: 200,
    },
    tokens: { request: 120, response: 40 },
    metadata: { user_email: 'ada@example.com' },
  } satisfies LlmRequestLine,
};
const TOOL_CALL_LINES = {
  type: NDJSON,
  line: ToolCallLine,
  example: {
    event_id: '01900000-0000-7000-8000-000000000001',
    backend: { name: 'issues' },
    request: { id: 1, started_at: '2026-01-31T12:00:00Z', duration_ms: 80 },
    tool: { name: 'search_issues' },
    response: { success: true },
  } satisfies ToolCallLine,
};

/** Registers both endpoints with authentication and limits. */
export async function registerLogIngest(app: App, deps: LogIngestDeps): Promise<void> {
  await app.register(async (scope: App) => {
    prepare(scope, deps);
    registerLlm(scope, deps);
    registerToolCalls(scope, deps);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    logNode: LogNode | null;
  }
}

/**
 * Authenticates the token and applies its limits before a byte of the body is read; the body is passed on as a stream.
 */
function prepare(scope: App, deps: LogIngestDeps): void {
  const buckets = createRateLimiter(
    { perSecond: deps.rate, burst: deps.rate * BURST_SECONDS },
    { max: NODES_MAX, nowMs: () => performance.now() },
  );
  scope.decorateRequest('logNode', null);
  scope.addHook('onRoute', assignBodyBudget('own'));
  acceptAnyContentType(scope);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const node = await deps.nodeOf(request.headers.authorization);
    buckets.consume(node.tokenId);
    const length = Number(request.headers['content-length'] ?? LOG_BATCH_BYTES);
    const isPlain = request.headers['content-encoding'] === undefined;
    const release = deps.budget.reserve(
      isPlain ? Math.min(length, LOG_BATCH_BYTES) : LOG_BATCH_BYTES,
      node.tokenId,
    );
    onResponseClosed(reply, release);
    request.logNode = node;
  });
  // A refused client may still be sending: the body is drained, or the response would be lost with a connection reset.
  scope.addHook('onError', async (request) => {
    const body = request.body as Readable | undefined;
    if (body !== undefined && !body.destroyed) body.resume();
  });
}

function nodeOf(request: FastifyRequest): LogNode {
  return request.logNode as LogNode;
}

function registerLlm(scope: App, deps: LogIngestDeps): void {
  scope.post(
    '/node/v1/logs/llm-requests',
    {
      schema: {
        tags: ['nodes'],
        summary: 'Ingest LLM requests as NDJSON; a repeated request.id is stored once',
        response: { 202: LogBatchAnswer },
      },
      config: { caller: 'node', takesLines: LLM_LINES },
    },
    async (request, reply) => {
      const node = nodeOf(request);
      const now = nowMicros();
      const lines = await readBatch(request, readLlmLine, {
        time: '/request/timestamp',
        timeOf: (line) => line.request.timestamp,
        owner: '/app',
        ownerOf: (line) => line.app,
        tokenTenantId: node.tenantId,
        now,
      });
      const settingsOf = await loadTenantSettings(deps, lines);
      const retained = lines.filter((line) => !isExpired(line, settingsOf, now));
      const { rows, uses } = await buildLlmRows(deps, node, retained, settingsOf);
      const inserted = rows.length === 0 ? [] : await deps.transact((tx) => storeLlmRows(tx, rows));
      deps.onStored('llm-requests', inserted);
      for (const [tenantId, tenantUses] of uses) {
        if (tenantUses.length > 0) await deps.keysUsed(tenantId, tenantUses);
      }
      const late = countLate(inserted);
      count(deps.metrics, 'llm_request', node, {
        lines: lines.length,
        past: lines.length - retained.length,
        fresh: inserted.length,
        late,
      });
      const accepted = inserted.length + lines.length - retained.length;
      return reply.code(202).send({
        accepted,
        duplicates: lines.length - accepted,
        request_id: request.id,
      });
    },
  );
}

/** Stores new rows and adds their costs to the spend of the month. Returns the new rows. */
async function storeLlmRows(tx: CopyTx, rows: readonly LlmRow[]): Promise<LlmRow[]> {
  const inserted = await insertLlmRows(tx, rows);
  await addSpend(tx, inserted, new Date());
  return inserted;
}

/** Returns the rows of lines, and the app keys that each tenant's requests used. Throws `invalid_request`. */
async function buildLlmRows(
  deps: LogIngestDeps,
  node: LogNode,
  lines: readonly BatchLine<LlmRequestLine>[],
  settingsOf: SettingsOf,
): Promise<{ rows: LlmRow[]; uses: Map<string, KeyUse[]> }> {
  const rows: LlmRow[] = [];
  const uses = new Map<string, KeyUse[]>();
  for (const [tenantId, own] of groupByTenant(lines)) {
    const [appOf, costOf] = await Promise.all([
      deps.appsOf(tenantId, collectNames(own.map(({ line }) => line.app))),
      deps.costsOf(tenantId),
    ]);
    const storePayloads = settingsOf(tenantId).store_payloads;
    uses.set(tenantId, collectKeyUses(own));
    for (const { line, at, number } of own) {
      const { provider, model, id } = line.request;
      const app = appOf(line.app);
      const cost = costOf(provider ?? null, upstreamModelOf(line) ?? model ?? null);
      const row = llmRow(line, at, { tenantId, app, storePayloads, cost, nodeId: node.tokenId });
      if (row.request_id !== id) {
        throw badLine(number, '/request/id', 'must not look like a credential');
      }
      rows.push(row);
    }
  }
  return { rows, uses };
}

/** Returns the model that the provider got; `request.model` may name a routing group, which has no price. */
function upstreamModelOf({ metadata }: LlmRequestLine): string | null {
  const model = metadata?.extra_data?.upstream_model;
  return typeof model === 'string' ? model : null;
}

interface UsingLine {
  at: Micros;
  line: LlmRequestLine;
}

function collectKeyUses(lines: readonly UsingLine[]): KeyUse[] {
  const last = new Map<string, KeyUse>();
  for (const { line, at } of lines) {
    const keyId = line.app.key_id?.toLowerCase();
    if (keyId === undefined || (last.get(keyId)?.micros ?? -1) >= at) continue;
    last.set(keyId, {
      key_id: keyId,
      at: microsText(at),
      micros: at,
      from: redactAddress(line.metadata?.client_ip ?? null),
    });
  }
  return [...last.values()];
}

/** Returns the address to show beside the key; a node must not use it to show another key. */
function redactAddress(clientIp: string | null): string | null {
  return clientIp && redactText(clientIp).slice(0, 100);
}

function registerToolCalls(scope: App, deps: LogIngestDeps): void {
  scope.post(
    '/node/v1/logs/mcp-tool-calls',
    {
      schema: {
        tags: ['nodes'],
        summary: 'Ingest MCP tool calls as NDJSON; a repeated event_id is stored once',
        response: { 202: LogBatchAnswer },
      },
      config: { caller: 'node', takesLines: TOOL_CALL_LINES },
    },
    async (request, reply) => {
      const node = nodeOf(request);
      const now = nowMicros();
      const lines = await readBatch(request, readToolCallLine, {
        time: '/request/started_at',
        timeOf: (line) => line.request.started_at,
        owner: '/backend',
        ownerOf: (line) => line.backend,
        tokenTenantId: node.tenantId,
        now,
      });
      for (const { line, number } of lines) {
        const { completed_at: completed } = line.request;
        if (typeof completed === 'string' && parseMicros(completed) === null) {
          throw badLine(number, '/request/completed_at', 'is not a valid time');
        }
      }
      const settingsOf = await loadTenantSettings(deps, lines);
      const retained = lines.filter((line) => !isExpired(line, settingsOf, now));
      const rows: ToolCallRow[] = [];
      for (const [tenantId, own] of groupByTenant(retained)) {
        const named = collectNames(own.map(({ line }) => line.backend));
        const backendOf = await deps.backendsOf(tenantId, named);
        const storePayloads = settingsOf(tenantId).store_payloads;
        for (const { line, at } of own) {
          const backend = backendOf(line.backend);
          rows.push(
            toolCallRow(line, at, { tenantId, backend, storePayloads, nodeId: node.tokenId }),
          );
        }
      }
      const stored =
        rows.length === 0
          ? { fresh: [], completed: 0 }
          : await deps.transact((tx) => insertToolCalls(tx, rows));
      deps.onStored('tool-calls', stored.fresh.length + stored.completed === 0 ? [] : rows);
      const late = countLate(stored.fresh);
      // A row that completes a running call is new, not a duplicate.
      const storedCount = stored.fresh.length + stored.completed;
      count(deps.metrics, 'mcp_tool_call', node, {
        lines: lines.length,
        past: lines.length - retained.length,
        fresh: storedCount,
        late: late,
      });
      const accepted = storedCount + lines.length - retained.length;
      return reply.code(202).send({
        accepted,
        duplicates: lines.length - accepted,
        request_id: request.id,
      });
    },
  );
}

/** Checks that the tenants exist, and returns their settings. */
async function loadTenantSettings(deps: LogIngestDeps, lines: readonly BatchLine<object>[]) {
  const tenants = [...new Set(lines.map(({ tenantId }) => tenantId))];
  const [existing, settings] = await Promise.all([
    deps.tenantsAmong(tenants),
    selectLogSettings(deps.db, tenants),
  ]);
  requireTenants(lines, existing);
  return settingsBy(settings);
}

function groupByTenant<Line>(lines: readonly BatchLine<Line>[]): Map<string, BatchLine<Line>[]> {
  return Map.groupBy(lines, ({ tenantId }) => tenantId);
}

function collectNames(namings: readonly Naming[]): NamedOwners {
  const ids = namings.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
  const names = namings.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return { ids: [...new Set(ids)], names: [...new Set(names)] };
}

/** Counts rows by the time of their commit: until then no collector sees them, however early their body began. */
function countLate(committed: readonly { at: Micros }[]): number {
  const now = nowMicros();
  return committed.filter(({ at }) => isLate(at, now)).length;
}

function count(
  metrics: Metrics,
  kind: 'llm_request' | 'mcp_tool_call',
  node: LogNode,
  counts: { lines: number; past: number; fresh: number; late: number },
): void {
  metrics.ingestItems.inc({ kind, result: 'accepted' }, counts.fresh);
  metrics.ingestItems.inc({ kind, result: 'duplicate' }, counts.lines - counts.past - counts.fresh);
  metrics.ingestItems.inc({ kind, result: 'expired' }, counts.past);
  if (counts.late > 0) metrics.lateLogRows.inc({ kind, node: node.name }, counts.late);
}
