// C/own/llm-requests: the requests in the name of the person who asks, and nobody else's.
import {
  type OwnLlmRequest,
  OwnLlmRequestList,
  OwnLlmRequestQuery,
} from '@gatewarden/shared/wire/console/own-llm-requests.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { fitting } from '../../../platform/db/page-bytes.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { foldEmail, microsText } from '../rows/index.ts';
import { llmItem } from './routes.ts';
import { keptSince } from './settings.ts';
import { type LlmListRow, selectLlmRequests } from './store.ts';

export function registerOwnRequests(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const { db, cursors } = deps;
  app.get(
    '/own/llm-requests',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'List your LLM requests, newest first',
        querystring: OwnLlmRequestQuery,
        response: { 200: OwnLlmRequestList },
      },
    },
    (request) => {
      const me = foldEmail(personOf(request).email) ?? '';
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'own-llm-requests',
        by: [me, ...boundBy(filter)],
        fetch: async (tenantId, after, limit) =>
          selectLlmRequests(
            db,
            tenantId,
            { ...filter, user: me },
            { since: await keptSince(db, tenantId), after, limit },
          ),
        keyOf: ({ at, request_id }) => [microsText(at), request_id],
        fitting,
        item: ownRequest,
      });
    },
  );
}

function ownRequest(row: LlmListRow): OwnLlmRequest {
  const { request_id, timestamp, app, model, provider, status_code, reasons, ...rest } =
    llmItem(row);
  const { is_blocked, is_failed, is_anonymized } = rest;
  return {
    ...{ request_id, timestamp, app: app.name, model, provider, status_code, reasons },
    ...{ is_blocked, is_failed, is_anonymized },
  };
}
