// C/llm/requests and C/mcp/tool-calls: the newest rows, redacted, without the export's lag, with the reasons of blocks.
import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import {
  LlmHistogramQuery,
  LlmRequestDownloadQuery,
  type LlmRequestItem,
  LlmRequestList,
  LlmRequestQuery,
  ToolCallDownloadQuery,
  ToolCallHistogramQuery,
  type ToolCallItem,
  ToolCallList,
  ToolCallQuery,
} from '@gatewarden/shared/wire/console/logs.ts';
import type { FastifyRequest } from 'fastify';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { countFitting, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import {
  extractFilter,
  filterBinding,
  loadCountedPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import { histogramSchema } from '../../../platform/http/lists/histogram.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { currentEvent, currentFields, foldEmail, microsText, millisText } from '../events/index.ts';
import { retainedSince } from './settings.ts';
import {
  countLlmRequests,
  countToolCalls,
  type LlmListRow,
  selectCallHistogram,
  selectLlmHistogram,
  selectLlmRequests,
  selectToolCalls,
  type ToolCallListRow,
} from './store.ts';

type CountedList<Row, Item> = TenantList<Row, Item> & {
  count(tenantId: string): Promise<number | null>;
};

export interface LogPageDeps {
  db: Db;
  cursors: CursorSealer;
  /** Returns the ids of apps with this name in any letter case; legacy apps may share it. */
  appsNamed(tenantId: string, name: string): Promise<string[]>;
}

/** Returns the lists of LLM requests and of tool calls by their filters. */
function logLists({ db, cursors, appsNamed }: LogPageDeps) {
  const withApp = async <Filter extends { app?: string }>(tenantId: string, filter: Filter) => {
    const { app: name, ...rest } = filter;
    if (name === undefined) return rest;
    return { ...rest, app: { name, appIds: await appsNamed(tenantId, name) } };
  };

  const llmRequests = (
    filter: Omit<LlmRequestQuery, 'limit' | 'cursor'>,
  ): CountedList<LlmListRow & PageRow, LlmRequestItem> => ({
    cursors,
    list: 'llm-requests',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectLlmRequests(db, tenantId, await withApp(tenantId, filter), {
        since: await retainedSince(db, tenantId),
        after,
        limit,
      }),
    count: async (tenantId) =>
      countLlmRequests(
        db,
        tenantId,
        await withApp(tenantId, filter),
        await retainedSince(db, tenantId),
      ),
    keyOf: ({ at, request_id }) => [microsText(at), request_id],
    countFitting,
    item: llmItem,
  });
  const toolCalls = (
    filter: Omit<ToolCallQuery, 'limit' | 'cursor'>,
  ): CountedList<ToolCallListRow & PageRow, ToolCallItem> => ({
    cursors,
    list: 'mcp-tool-calls',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectToolCalls(db, tenantId, filter, {
        since: await retainedSince(db, tenantId),
        after,
        limit,
      }),
    count: async (tenantId) =>
      countToolCalls(db, tenantId, filter, await retainedSince(db, tenantId)),
    keyOf: ({ at, log_id }) => [microsText(at), String(log_id)],
    countFitting,
    item: toolCallItem,
  });
  async function llmHistogram(tenantId: string, filter: LlmFilterQuery) {
    const since = await retainedSince(db, tenantId);
    return selectLlmHistogram(db, tenantId, await withApp(tenantId, filter), since);
  }
  return { llmRequests, toolCalls, llmHistogram };
}

type LlmFilterQuery = Omit<LlmRequestQuery, 'limit' | 'cursor' | 'sort'>;

export function registerLogLists(app: App, { db, cursors, appsNamed }: LogPageDeps): void {
  const { llmRequests, toolCalls, llmHistogram } = logLists({ db, cursors, appsNamed });
  registerLogHistograms(app, db, llmHistogram);

  app.get(
    '/llm/requests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'List LLM requests, newest first',
        querystring: LlmRequestQuery,
        response: { 200: LlmRequestList },
      },
    },
    (request) => loadCountedPage(request, llmRequests(extractFilter(request.query))),
  );

  app.get(
    '/llm/requests/download',
    fileRoute('Viewer', 'logs', 'the LLM requests', LlmRequestList, {
      querystring: LlmRequestDownloadQuery,
    }),
    async (request, reply) => {
      const { format, ...filter } = request.query;
      await recordDownload(db, request, 'llm_requests');
      return sendTenantFile(request, reply, llmRequests(filter), { format, columns: LLM_COLUMNS });
    },
  );

  app.get(
    '/mcp/tool-calls',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'List MCP tool calls, newest first',
        querystring: ToolCallQuery,
        response: { 200: ToolCallList },
      },
    },
    (request) => loadCountedPage(request, toolCalls(extractFilter(request.query))),
  );

  app.get(
    '/mcp/tool-calls/download',
    fileRoute('Viewer', 'logs', 'the tool calls', ToolCallList, {
      querystring: ToolCallDownloadQuery,
    }),
    async (request, reply) => {
      const { format, ...filter } = request.query;
      await recordDownload(db, request, 'mcp_tool_calls');
      return sendTenantFile(request, reply, toolCalls(filter), { format, columns: CALL_COLUMNS });
    },
  );
}

function registerLogHistograms(
  app: App,
  db: Db,
  llmHistogram: ReturnType<typeof logLists>['llmHistogram'],
): void {
  app.get(
    '/llm/requests/histogram',
    {
      config: { access: 'Viewer' },
      schema: histogramSchema('logs', 'the LLM requests', LlmHistogramQuery),
    },
    async (request) => ({
      ...(await llmHistogram(personOf(request).tenantId, request.query)),
      request_id: request.id,
    }),
  );

  app.get(
    '/mcp/tool-calls/histogram',
    {
      config: { access: 'Viewer' },
      schema: histogramSchema('logs', 'the tool calls', ToolCallHistogramQuery),
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const since = await retainedSince(db, tenantId);
      return {
        ...(await selectCallHistogram(db, tenantId, request.query, since)),
        request_id: request.id,
      };
    },
  );
}

/** Records who downloads prompts and responses, before the first byte leaves the hub. */
const recordDownload = (db: Db, request: FastifyRequest, id: string) =>
  transact(db, (tx) =>
    recordByPerson(tx, request, {
      operation: 'log.download',
      resource: { kind: 'log', id },
      detail: detailOf(request.query as { user?: string }),
    }),
  );

/** Returns the filter with the address in the field that the erasure of a person searches. */
const detailOf = ({ user, ...filter }: { user?: string }) =>
  user === undefined ? filter : { ...filter, email: foldEmail(user) };

const LLM_COLUMNS: Columns<LlmRequestItem> = {
  timestamp: (row) => row.timestamp,
  app: (row) => row.app.name,
  user_email: (row) => row.user_email,
  model: (row) => row.model,
  provider: (row) => row.provider,
  status_code: (row) => row.status_code,
  is_blocked: (row) => String(row.is_blocked),
  is_failed: (row) => String(row.is_failed),
  is_anonymized: (row) => String(row.is_anonymized),
  reasons: (row) =>
    row.reasons
      .map(({ action, category, subcategories }) =>
        [`${action} ${category}`, ...subcategories].join(': '),
      )
      .join('; '),
  cost_usd: (row) => row.cost_usd,
  conversation_id: (row) => row.conversation_id,
  received_at: (row) => row.received_at,
  request_id: (row) => row.request_id,
};

const CALL_COLUMNS: Columns<ToolCallItem> = {
  started_at: (row) => row.started_at,
  server: (row) => row.backend.name,
  tool: (row) => row.tool,
  method: (row) => row.method,
  user_email: (row) => row.user_email,
  success: (row) => (row.success === null ? null : String(row.success)),
  is_blocked: (row) => String(row.is_blocked),
  received_at: (row) => row.received_at,
  request_id: (row) => row.request_id,
  log_id: (row) => row.log_id,
};

/** Returns the item of the list. */
export function llmItem(row: LlmListRow): LlmRequestItem {
  const event = parseWithNumbers(currentEvent(row)) as Record<string, unknown>;
  return {
    request_id: row.request_id,
    timestamp: millisText(row.at),
    received_at: row.received_at.toISOString(),
    ...currentFields(row, {
      app: { id: row.app_id, name: row.app_name, known: row.app_id !== null },
      user_email: row.user_email,
      conversation_id: row.conversation_id,
      model: row.model,
      provider: row.provider,
    }),
    status_code: row.status_code,
    is_blocked: row.is_blocked,
    is_failed: row.is_failed,
    is_anonymized: row.is_anonymized,
    reasons: reasonsOf(event),
    cost_usd: row.cost_usd,
    event,
  };
}

/** Returns the categories of each guardrail action. */
function reasonsOf(event: Record<string, unknown>): LlmRequestItem['reasons'] {
  const { actions_and_categories: actions } = event.guardrails as {
    actions_and_categories: Record<string, Record<string, unknown>>;
  };
  return Object.entries(actions).flatMap(([action, categories]) =>
    Object.entries(categories).map(([category, subcategories]) => ({
      action,
      category,
      // Redaction may have replaced the list of a category whose name looks like a credential's.
      subcategories: Array.isArray(subcategories) ? subcategories.map(String) : [],
    })),
  );
}

/** Returns the item of the list. */
export function toolCallItem(row: ToolCallListRow): ToolCallItem {
  return {
    log_id: row.log_id,
    request_id: row.rpc_id,
    started_at: microsText(row.at),
    received_at: row.received_at.toISOString(),
    ...currentFields(row, {
      backend: { id: row.backend_id, name: row.backend_name, known: row.backend_id !== null },
      user_email: row.user_email,
      tool: row.tool_name,
    }),
    method: row.method,
    success: row.success,
    is_blocked: row.is_blocked,
    event: parseWithNumbers(currentEvent(row)) as Record<string, unknown>,
  };
}
