// Logs for people: what the composition and other features may use.
import type { Db } from '../../../platform/db/database.ts';
import type { Fitting } from '../../../platform/db/page-bytes.ts';
import type { App } from '../../../platform/http/app.ts';
import { registerOwnRequests } from './own.ts';
import { type LogPageDeps, registerLogLists } from './routes.ts';
import { keptSince, registerLogSettings } from './settings.ts';
import {
  type LlmListRow,
  selectLlmRequests,
  selectToolCalls,
  type ToolCallListRow,
} from './store.ts';
import { registerUsage } from './usage.ts';

export { llmItem, toolCallItem } from './routes.ts';
export type { LlmListRow, ToolCallListRow } from './store.ts';

/** One tool call by its number in the log; null where the tenant keeps none of it. */
export async function selectToolCall(
  db: Db,
  tenantId: string,
  logId: string,
): Promise<ToolCallListRow | null> {
  const since = await keptSince(db, tenantId);
  const page = { since, after: undefined, limit: 1 };
  return (await selectToolCalls(db, tenantId, { log_id: logId }, page))[0] ?? null;
}

/** The tool calls in this person's name, as far as the tenant keeps them; newest first. */
export async function selectPersonsToolCalls(
  db: Db,
  tenantId: string,
  filter: { user: string; blocked?: 'true' | 'false' },
  page: { after: readonly string[] | undefined; limit: number },
): Promise<(ToolCallListRow & Fitting)[]> {
  return selectToolCalls(db, tenantId, filter, { since: await keptSince(db, tenantId), ...page });
}

/** One LLM request by its id; null where the tenant keeps none of it. */
export async function selectLlmRequest(
  db: Db,
  tenantId: string,
  requestId: string,
): Promise<LlmListRow | null> {
  const since = await keptSince(db, tenantId);
  const page = { since, after: undefined, limit: 1 };
  return (await selectLlmRequests(db, tenantId, { request_id: requestId }, page))[0] ?? null;
}

export function registerLogViews(app: App, deps: LogPageDeps): void {
  registerLogLists(app, deps);
  registerOwnRequests(app, deps);
  registerLogSettings(app, deps);
  registerUsage(app, deps);
}
