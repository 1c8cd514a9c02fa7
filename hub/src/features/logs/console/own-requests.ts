// C/own/llm-requests: the LLM requests of the signed-in user.
import {
  type OwnLlmRequest,
  OwnLlmRequestList,
  OwnLlmRequestQuery,
} from '@gatewarden/shared/wire/console/own-llm-requests.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { foldEmail, microsText } from '../events/index.ts';
import { llmItem } from './lists.ts';
import { retainedSince } from './settings.ts';
import { type LlmListRow, selectLlmRequests } from './store.ts';

/** Registers the list of the user's own LLM requests. */
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
      const email = foldEmail(personOf(request).email) ?? '';
      const filter = extractFilter(request.query);
      return loadPage(request, {
        cursors,
        list: 'own-llm-requests',
        by: [email, ...filterBinding(filter)],
        fetch: async (tenantId, after, limit) =>
          selectLlmRequests(
            db,
            tenantId,
            { ...filter, user: email },
            { since: await retainedSince(db, tenantId), after, limit },
          ),
        keyOf: ({ at, request_id }) => [microsText(at), request_id],
        countFitting,
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
