// Console pages of logs: lists of LLM requests and tool calls, usage and cost, and the log settings of a tenant.
// Main types: `LlmListRow`, `ToolCallListRow`, `PersonsUse`.
// Invariants: only rows within the tenant's retention are shown or counted; rows are redacted with the current
// patterns.
// Depends on events.
// Start reading at lists.ts, then store.ts.
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type { IdentityAnswer } from '@gatewarden/shared/wire/console/identity.ts';
import type { SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { PageRow } from '../../../platform/db/page-byte-limit.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { foldEmail, microsText, millisText, nowMicros } from '../events/index.ts';
import { registerDailyUsage } from './daily-usage.ts';
import { type LogPageDeps, registerLogLists } from './lists.ts';
import { registerOwnRequests } from './own-requests.ts';
import { registerLogSettings, retainedSince } from './settings.ts';
import {
  isNamedInLogs,
  type LlmListRow,
  selectCallsOfEvent,
  selectLlmRequests,
  selectPersonsUse,
  selectToolCalls,
  type ToolCallListRow,
} from './store.ts';
import { registerUsage } from './usage.ts';

export { llmItem, toolCallItem } from './lists.ts';
export type { LlmListRow, ToolCallListRow } from './store.ts';

/** Returns a tool call by its number in the log; null if the tenant retains none. */
export async function selectToolCall(
  db: Db,
  tenantId: string,
  logId: string,
): Promise<ToolCallListRow | null> {
  const since = await retainedSince(db, tenantId);
  const page = { since, after: undefined, limit: 1 };
  return (await selectToolCalls(db, tenantId, { log_id: logId }, page))[0] ?? null;
}

/** Returns the tool calls of a person within the tenant's retention, newest first. */
export async function selectPersonsToolCalls(
  db: Db,
  tenantId: string,
  filter: { user: string; blocked?: 'true' | 'false' },
  page: { after: readonly string[] | undefined; limit: number },
): Promise<(ToolCallListRow & PageRow)[]> {
  return selectToolCalls(db, tenantId, filter, {
    since: await retainedSince(db, tenantId),
    ...page,
  });
}

/** Returns an LLM request by its id; null if the tenant retains none. */
export async function selectLlmRequest(
  db: Db,
  tenantId: string,
  requestId: string,
): Promise<LlmListRow | null> {
  const since = await retainedSince(db, tenantId);
  const page = { since, after: undefined, limit: 1 };
  return (await selectLlmRequests(db, tenantId, { request_id: requestId }, page))[0] ?? null;
}

/** Returns the LLM request and the tool call with exactly this id, within the tenant's retention. */
export async function findRequests(
  db: Db,
  tenantId: string,
  id: string,
  limit: number,
): Promise<SearchAnswer['requests']> {
  const since = await retainedSince(db, tenantId);
  const page = { since, after: undefined, limit };
  const [requests, calls] = await Promise.all([
    selectLlmRequests(db, tenantId, { request_id: id }, page),
    isUuid(id) ? selectCallsOfEvent(db, tenantId, id.toLowerCase(), since) : [],
  ]);
  return [
    ...requests.map((request) => ({
      kind: 'llm_request' as const,
      id: request.request_id,
      at: millisText(request.at),
      user_email: request.user_email,
    })),
    ...calls.map((call) => ({
      kind: 'tool_call' as const,
      id: String(call.log_id),
      at: millisText(call.at),
      user_email: call.user_email,
    })),
  ].slice(0, limit);
}

/** Returns since when the tenant retains logs, as text for PostgreSQL. */
export const retainedSinceText = async (db: Db, tenantId: string): Promise<string> =>
  microsText(await retainedSince(db, tenantId));

export interface PersonsUse {
  llm: IdentityAnswer['identity']['llm'];
  mcp: IdentityAnswer['identity']['mcp'];
  /** Whether a row within the tenant's retention names the person, however old it is. */
  isNamed: boolean;
}

/** Returns the gateway use of a person over the last days. */
export async function countPersonsUse(
  db: Db,
  tenantId: string,
  email: string,
  days: number,
): Promise<PersonsUse> {
  const user = foldEmail(email);
  if (user === null) return NO_USE;
  const retained = await retainedSince(db, tenantId);
  const recent = nowMicros() - days * DAY_MICROS;
  const since = Math.max(retained, recent);
  const [use, isNamed] = await Promise.all([
    selectPersonsUse(db, tenantId, user, since),
    isNamedInLogs(db, tenantId, user, retained),
  ]);
  return { ...use, isNamed };
}

const DAY_MICROS = 24 * 60 * 60 * 1_000_000;
const NO_USE: PersonsUse = {
  llm: { requests: 0, blocked: 0, cost_usd: 0 },
  mcp: { calls: 0, blocked: 0 },
  isNamed: false,
};

/** Registers the console pages of logs. */
export function registerLogViews(app: App, deps: LogPageDeps): void {
  registerLogLists(app, deps);
  registerOwnRequests(app, deps);
  registerLogSettings(app, deps);
  registerUsage(app, deps);
  registerDailyUsage(app, deps);
}
