// C/audit: everything that was done in the tenant, for its administrators; filtered, as one event, and as a file.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AuditDownloadQuery,
  AuditEventAnswer,
  type AuditEventRow,
  AuditEventsAnswer,
  AuditQuery,
} from '@gatewarden/shared/wire/console/audit.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { fitting } from '../../../platform/db/page-bytes.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { type ListFile, sendListFile } from '../../../platform/http/download.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { type AuditRecord, selectAudit, selectAuditEvent, selectAuditPage } from './store.ts';

export function registerAuditPages(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const { db, cursors } = deps;

  app.get(
    '/audit',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['audit'],
        summary: 'Everything that was done, newest first',
        querystring: AuditQuery,
        response: { 200: AuditEventsAnswer },
      },
    },
    async (request) => {
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'console-audit',
        by: boundBy(filter),
        fetch: (tenantId, after, limit) => selectAuditPage(db, tenantId, filter, after, limit),
        keyOf: (event) => [event.sort_key, event.event_id],
        fitting,
        item: eventRow,
      });
    },
  );

  app.get(
    '/audit/download',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['audit'],
        summary:
          'The trail as filtered, as a file; after 1,000,000 events its last line says that it is cut',
        querystring: AuditDownloadQuery,
        response: { 200: Type.String() },
      },
    },
    (request, reply) => {
      const { tenantId } = personOf(request);
      const { format, ...filter } = request.query;
      return sendListFile<AuditRecord>(reply, {
        format,
        name: 'audit',
        columns: COLUMNS,
        item: eventRow,
        next: (after, limit) =>
          selectAudit(
            db,
            tenantId,
            filter,
            after === null ? undefined : [after.sort_key, after.event_id],
            limit,
          ),
      });
    },
  );

  app.get(
    '/audit/:event_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['audit'],
        summary: 'One event of the audit trail',
        params: Type.Object({ tenant_id: Type.String(), event_id: Uuid }),
        response: { 200: AuditEventAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const found = await selectAuditEvent(db, tenantId, request.params.event_id);
      if (found === null) throw new HubError('not_found');
      return { event: eventRow(found), request_id: request.id };
    },
  );
}

const COLUMNS: ListFile<AuditRecord>['columns'] = {
  at: (one) => one.at.toISOString(),
  actor: (one) => one.actor.email ?? one.actor.id,
  actor_kind: (one) => one.actor.kind,
  operation: (one) => one.operation,
  resource_kind: (one) => one.resource.kind,
  resource_id: (one) => one.resource.id,
  result: (one) => one.result,
  request_id: (one) => one.request_id,
  event_id: (one) => one.event_id,
  detail: (one) => JSON.stringify(one.detail),
};

function eventRow(one: AuditRecord): AuditEventRow {
  const { event_id, at, actor, operation, resource, result, request_id, detail } = one;
  const time = at.toISOString();
  return { event_id, at: time, actor, operation, resource, result, request_id, detail };
}
