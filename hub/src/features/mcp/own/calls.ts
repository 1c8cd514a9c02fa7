// C/own/mcp-calls: the calls of the person who asks, and nobody else's.
import { foldName } from '@gatewarden/shared/names.ts';
import { ACCESS_REASONS } from '@gatewarden/shared/wire/console/call-why.ts';
import {
  type OwnCall,
  OwnCallList,
  OwnCallQuery,
} from '@gatewarden/shared/wire/console/own-calls.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { fitting } from '../../../platform/db/page-bytes.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import {
  selectPersonsToolCalls,
  type ToolCallListRow,
  toolCallItem,
} from '../../logs/pages/index.ts';
import { microsText } from '../../logs/rows/index.ts';
import { type CalledEvent, distinct, foundIn, outcomeOf } from '../why/index.ts';

export function registerOwnCalls(
  app: App,
  { db, cursors }: { db: Db; cursors: CursorSealer },
): void {
  app.get(
    '/own/mcp-calls',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'The calls of MCP tools in the name of the person who asks, newest first',
        querystring: OwnCallQuery,
        response: { 200: OwnCallList },
      },
    },
    (request) => {
      const me = foldName(personOf(request).email);
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'own-mcp-calls',
        by: [me, ...boundBy(filter)],
        fetch: (tenantId, after, limit) =>
          selectPersonsToolCalls(db, tenantId, { ...filter, user: me }, { after, limit }),
        keyOf: ({ at, log_id }) => [microsText(at), String(log_id)],
        fitting,
        item: ownCall,
      });
    },
  );
}

function ownCall(row: ToolCallListRow): OwnCall {
  const { log_id, started_at, backend, tool, event } = toolCallItem(row);
  const called = event as unknown as CalledEvent;
  const why = row.decided?.access?.why;
  return {
    log_id,
    started_at,
    server: backend.name,
    tool,
    outcome: outcomeOf(row, called),
    message: called.response.error_message,
    refused: row.is_blocked
      ? (ACCESS_REASONS.find((one) => one === why && !MAY.has(one)) ?? null)
      : null,
    // Several rules may have found the same, and a person is told no rules.
    found: distinct([...foundIn(called.guardrails).values()].flatMap((one) => one.found)),
    agent: called.metadata.agent,
    via: called.auth.mode,
  };
}

/** A call that was let through by these may be refused by a rule that calls must meet. */
const MAY: ReadonlySet<string> = new Set(['allowed', 'no_rule']);
