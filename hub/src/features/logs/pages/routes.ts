// C/llm/requests and C/mcp/tool-calls: the newest rows, redacted, without the export's lag, with what blocked them.
import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import {
  type LlmRequestItem,
  LlmRequestList,
  LlmRequestQuery,
  type ToolCallItem,
  ToolCallList,
  ToolCallQuery,
} from '@gatewarden/shared/wire/console/logs.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { currentEvent, currentFields, microsText, millisText } from '../rows/index.ts';
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

  app.get(
    '/llm/requests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'LLM requests, newest first',
        querystring: LlmRequestQuery,
        response: { 200: LlmRequestList },
      },
    },
    (request) => {
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'llm-requests',
        by: boundBy(filter),
        fetch: async (tenantId, after, limit) =>
          selectLlmRequests(db, tenantId, await withApp(tenantId, filter), {
            since: await keptSince(db, tenantId),
            after,
            limit,
          }),
        keyOf: ({ at, request_id }) => [microsText(at), request_id],
        item: llmItem,
      });
    },
  );

  app.get(
    '/mcp/tool-calls',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'MCP tool calls, newest first',
        querystring: ToolCallQuery,
        response: { 200: ToolCallList },
      },
    },
    (request) => {
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'mcp-tool-calls',
        by: boundBy(filter),
        fetch: async (tenantId, after, limit) =>
          selectToolCalls(db, tenantId, filter, {
            since: await keptSince(db, tenantId),
            after,
            limit,
          }),
        keyOf: ({ at, log_id }) => [microsText(at), String(log_id)],
        item: toolCallItem,
      });
    },
  );
}

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
    success: row.success,
    is_blocked: row.is_blocked,
    event: parseWithNumbers(currentEvent(row)) as Record<string, unknown>,
  };
}
