// C/own/mcp-calls: the signed-in user's own calls, and their traces.
import { foldName } from '@gatewarden/shared/names.ts';
import {
  ACCESS_REASONS,
  type ToolCallWhy,
  ToolCallWhyParams,
} from '@gatewarden/shared/wire/console/call-why.ts';
import {
  type OwnCall,
  OwnCallList,
  OwnCallQuery,
  OwnCallWhy,
} from '@gatewarden/shared/wire/console/own-calls.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  selectPersonsToolCalls,
  selectToolCall,
  type ToolCallListRow,
  toolCallItem,
} from '../../logs/console/index.ts';
import { microsText } from '../../logs/events/index.ts';
import {
  type CalledEvent,
  distinct,
  foundIn,
  outcomeOf,
  type TraceDeps,
  traceCall,
} from '../trace/index.ts';

export function registerOwnCalls(
  app: App,
  { db, cursors, chain }: { db: Db; cursors: CursorSealer; chain: TraceDeps },
): void {
  app.get(
    '/own/mcp-calls',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'List your MCP tool calls, newest first',
        querystring: OwnCallQuery,
        response: { 200: OwnCallList },
      },
    },
    (request) => {
      const me = foldName(personOf(request).email);
      const filter = extractFilter(request.query);
      return loadPage(request, {
        cursors,
        list: 'own-mcp-calls',
        by: [me, ...filterBinding(filter)],
        fetch: (tenantId, after, limit) =>
          selectPersonsToolCalls(db, tenantId, { ...filter, user: me }, { after, limit }),
        keyOf: ({ at, log_id }) => [microsText(at), String(log_id)],
        countFitting,
        item: ownCall,
      });
    },
  );
  app.get(
    '/own/mcp-calls/:log_id/why',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'Explain your MCP tool call',
        params: ToolCallWhyParams,
        response: { 200: OwnCallWhy },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const row = await selectToolCall(db, tenantId, request.params.log_id);
      const isTheirs = row?.user_email != null && foldName(row.user_email) === foldName(email);
      if (row === null || !isTheirs) throw new HubError('not_found');
      return { ...ownChain(await traceCall(chain, tenantId, row)), request_id: request.id };
    },
  );
}

/** Returns the part of the trace that a user may see. */
function ownChain(whole: Omit<ToolCallWhy, 'request_id'>): Omit<OwnCallWhy, 'request_id'> {
  const { call, server, tool, access, call_rules: callRules, approval } = whole;
  const { at_call: atCall, rules } = access;
  const rule = rules.find((rule) => rule.rule_id === atCall?.rule_id);
  return {
    call,
    server: server.name,
    tool: tool.name,
    approved: tool.approved,
    access: {
      why: atCall?.why ?? null,
      rule:
        rule === undefined
          ? null
          : {
              rule_id: rule.rule_id,
              effect: rule.rule?.effect ?? null,
              reason: rule.rule?.reason ?? null,
              events: rule.events,
            },
    },
    call_rules: callRules
      .filter(({ found }) => found.length > 0)
      .map(({ rule_id, found, events }) => ({ rule_id, found, events })),
    approval,
  };
}

function ownCall(row: ToolCallListRow): OwnCall {
  const { log_id, started_at, backend, tool, method, event } = toolCallItem(row);
  const called = event as unknown as CalledEvent;
  const why = row.decided?.access?.why;
  return {
    log_id,
    started_at,
    server: backend.name,
    tool,
    method,
    outcome: outcomeOf(row, called),
    message: called.response.error_message,
    refused: row.is_blocked
      ? (ACCESS_REASONS.find((accessReason) => accessReason === why && !MAY.has(accessReason)) ??
        null)
      : null,
    // Several guardrails may have the same finding, and users do not see guardrails.
    found: distinct([...foundIn(called.guardrails).values()].flatMap((item) => item.found)),
    agent: called.metadata.agent,
    via: called.auth.mode,
  };
}

/** A call that was let through by these may be refused by a rule that calls must meet. */
const MAY: ReadonlySet<string> = new Set(['allowed', 'no_rule']);
