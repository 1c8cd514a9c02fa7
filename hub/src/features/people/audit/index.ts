// Audit pages: the trail of a tenant for its administrators, as a filtered list, a single event and a file.
// Main types: `AuditRecord` (a stored event), `AuditFilter` (the query).
// Invariants: events are read newest first and only within the tenant; nothing here writes to the trail.
// Depends on platform/http/lists for cursors, pages and files.
// Start reading at `registerAuditPages`, then store.ts.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AuditDownloadQuery,
  AuditEventAnswer,
  type AuditEventRow,
  AuditEventsAnswer,
  AuditHistogramQuery,
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
  loadCountedPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import { histogramSchema } from '../../../platform/http/lists/histogram.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type AuditRecord,
  countAuditEvents,
  selectAuditEvent,
  selectAuditHistogram,
  selectAuditPage,
} from './store.ts';

/** Registers the audit trail of a tenant as a list, a file and single events. */
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
    (request) => {
      const filter = extractFilter(request.query);
      return loadCountedPage(request, {
        ...trail(filter),
        count: (tenantId) => countAuditEvents(db, tenantId, filter),
      });
    },
  );

  app.get(
    '/audit/histogram',
    {
      config: { access: 'Admin' },
      schema: histogramSchema('audit', 'the audit events', AuditHistogramQuery),
    },
    async (request) => {
      const { tenantId } = personOf(request);
      return {
        ...(await selectAuditHistogram(db, tenantId, request.query)),
        request_id: request.id,
      };
    },
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
      const event = await selectAuditEvent(db, tenantId, request.params.event_id);
      if (event === null) throw new HubError('not_found');
      return { event: eventRow(event), request_id: request.id };
    },
  );
}

const COLUMNS: Columns<AuditEventRow> = {
  at: (event) => event.at,
  actor: (event) => event.actor.email ?? event.actor.id,
  actor_kind: (event) => event.actor.kind,
  operation: (event) => event.operation,
  resource_kind: (event) => event.resource.kind,
  resource_id: (event) => event.resource.id,
  result: (event) => event.result,
  request_id: (event) => event.request_id,
  event_id: (event) => event.event_id,
  detail: (event) => JSON.stringify(event.detail),
};

function eventRow(event: AuditRecord): AuditEventRow {
  const { event_id, at, actor, operation, resource, result, request_id, detail } = event;
  const time = at.toISOString();
  return { event_id, at: time, actor, operation, resource, result, request_id, detail };
}
