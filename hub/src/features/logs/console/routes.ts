// C/llm/requests and C/mcp/tool-calls: the newest rows, redacted, without the export's lag, with what blocked them.
import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import {
  LlmRequestDownloadQuery,
  type LlmRequestItem,
  LlmRequestList,
  LlmRequestQuery,
  ToolCallDownloadQuery,
  type ToolCallItem,
  ToolCallList,
  ToolCallQuery,
} from '@gatewarden/shared/wire/console/logs.ts';
import type { FastifyRequest } from 'fastify';
import { recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { countFitting, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { currentEvent, currentFields, foldEmail, microsText, millisText } from '../events/index.ts';
import { keptSince } from './settings.ts';
import {
  type LlmListRow,
  selectLlmRequests,
  selectToolCalls,
  type ToolCallListRow,
} from './store.ts';

export interface LogPageDeps {
  db: Db;
  cursors: CursorSealer;
  /** Apps of this name, however it is written; legacy ones may share it. */
  appsNamed(tenantId: string, name: string): Promise<string[]>;
}

export function registerLogLists(app: App, { db, cursors, appsNamed }: LogPageDeps): void {
  const withApp = async <Filter extends { app?: string }>(tenantId: string, filter: Filter) => {
    const { app: name, ...rest } = filter;
    if (name === undefined) return rest;
    return { ...rest, app: { name, appIds: await appsNamed(tenantId, name) } };
  };

  const llmRequests = (
    filter: Omit<LlmRequestQuery, 'limit' | 'cursor'>,
  ): TenantList<LlmListRow & PageRow, LlmRequestItem> => ({
    cursors,
    list: 'llm-requests',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectLlmRequests(db, tenantId, await withApp(tenantId, filter), {
        since: await keptSince(db, tenantId),
        after,
        limit,
      }),
    keyOf: ({ at, request_id }) => [microsText(at), request_id],
    countFitting,
    item: llmItem,
  });
  const toolCalls = (
    filter: Omit<ToolCallQuery, 'limit' | 'cursor'>,
  ): TenantList<ToolCallListRow & PageRow, ToolCallItem> => ({
    cursors,
    list: 'mcp-tool-calls',
    by: filterBinding(filter),
    fetch: async (tenantId, after, limit) =>
      selectToolCalls(db, tenantId, filter, {
        since: await keptSince(db, tenantId),
        after,
        limit,
      }),
    keyOf: ({ at, log_id }) => [microsText(at), String(log_id)],
    countFitting,
    item: toolCallItem,
  });

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
    (request) => loadPage(request, llmRequests(extractFilter(request.query))),
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
    (request) => loadPage(request, toolCalls(extractFilter(request.query))),
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

/** What people wrote leaves the hub with it: before the first byte it is known who took it. */
const recordDownload = (db: Db, request: FastifyRequest, id: string) =>
  transact(db, (tx) =>
    recordByPerson(tx, request, {
      operation: 'log.download',
      resource: { kind: 'log', id },
      detail: detailOf(request.query as { user?: string }),
    }),
  );

/** An address stands where the erasure of a person looks for it. */
const detailOf = ({ user, ...filter }: { user?: string }) =>
  user === undefined ? filter : { ...filter, email: foldEmail(user) };

const LLM_COLUMNS: Columns<LlmRequestItem> = {
  timestamp: (one) => one.timestamp,
  app: (one) => one.app.name,
  user_email: (one) => one.user_email,
  model: (one) => one.model,
  provider: (one) => one.provider,
  status_code: (one) => one.status_code,
  is_blocked: (one) => String(one.is_blocked),
  is_failed: (one) => String(one.is_failed),
  is_anonymized: (one) => String(one.is_anonymized),
  reasons: (one) =>
    one.reasons
      .map(({ action, category, subcategories }) =>
        [`${action} ${category}`, ...subcategories].join(': '),
      )
      .join('; '),
  cost_usd: (one) => one.cost_usd,
  conversation_id: (one) => one.conversation_id,
  received_at: (one) => one.received_at,
  request_id: (one) => one.request_id,
};

const CALL_COLUMNS: Columns<ToolCallItem> = {
  started_at: (one) => one.started_at,
  server: (one) => one.backend.name,
  tool: (one) => one.tool,
  method: (one) => one.method,
  user_email: (one) => one.user_email,
  success: (one) => (one.success === null ? null : String(one.success)),
  is_blocked: (one) => String(one.is_blocked),
  received_at: (one) => one.received_at,
  request_id: (one) => one.request_id,
  log_id: (one) => one.log_id,
};

/** As the list shows it. */
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

/** Which action each category met. */
function reasonsOf(event: Record<string, unknown>): LlmRequestItem['reasons'] {
  const { actions_and_categories: actions } = event.guardrails as {
    actions_and_categories: Record<string, Record<string, unknown>>;
  };
  return Object.entries(actions).flatMap(([action, categories]) =>
    Object.entries(categories).map(([category, found]) => ({
      action,
      category,
      // Where redaction took the name of a category for one of a credential, there is text instead.
      subcategories: Array.isArray(found) ? found.map(String) : [],
    })),
  );
}

/** As the list shows it. */
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
