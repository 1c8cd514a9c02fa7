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
import { countFitting, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type AuditRecord, selectAuditEvent, selectAuditPage } from './store.ts';

export function registerAuditPages(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const { db, cursors } = deps;
  const trail = (
    filter: Parameters<typeof selectAuditPage>[2],
  ): TenantList<AuditRecord & PageRow, AuditEventRow> => ({
    cursors,
    list: 'console-audit',
    by: filterBinding(filter),
    fetch: (tenantId, after, limit) => selectAuditPage(db, tenantId, filter, after, limit),
    keyOf: (event) => [event.sort_key, event.event_id],
    countFitting,
    item: eventRow,
  });

  app.get(
    '/audit',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['audit'],
        summary: 'List audit events, newest first',
        querystring: AuditQuery,
        response: { 200: AuditEventsAnswer },
      },
    },
    async (request) => loadPage(request, trail(extractFilter(request.query))),
  );

  app.get(
    '/audit/download',
    fileRoute('Admin', 'audit', 'the audit events', AuditEventsAnswer, {
      querystring: AuditDownloadQuery,
    }),
    (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, trail(filter), { format, columns: COLUMNS });
    },
  );

  app.get(
    '/audit/:event_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['audit'],
        summary: 'Get an audit event',
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

const COLUMNS: Columns<AuditEventRow> = {
  at: (one) => one.at,
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
