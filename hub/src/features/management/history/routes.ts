// R/apps/{app_name}/versions and R/audit: both are append-only and read newest first, so that later rows disturb no
// reader of pages.

import { isUuid, Nullable, OneOf, Uuid } from '@gatewarden/shared/wire/common.ts';
import { VersionRecordAnswer, VersionsAnswer } from '@gatewarden/shared/wire/management/apps.ts';
import {
  ActorWire,
  ListAnswer,
  PageQuery,
  UnixSeconds,
} from '@gatewarden/shared/wire/management/common.ts';
import { Type } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadListPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { unixSeconds } from '../../../platform/http/server/expiry.ts';
import { type RouteSpec, route } from '../auth/index.ts';
import {
  type AuditRow,
  selectManagementAudit,
  selectManagementAuditEvent,
  selectVersion,
  selectVersions,
  type VersionRecord,
  type VersionRow,
} from './store.ts';

const AuditEventWire = Type.Object({
  event_id: Uuid,
  actor: ActorWire,
  operation: Type.String(),
  resource: Type.Object({ kind: Type.String(), id: Type.String() }),
  request_id: Nullable(Type.String()),
  result: OneOf(['succeeded', 'failed'] as const),
  created_at: UnixSeconds,
  changes: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
});

export interface HistoryDeps {
  db: Db;
  cursors: CursorSealer;
  /** Returns the app with this name. Throws 404 and `ambiguous_app_name`. */
  findApp(db: Db, tenantId: string, name: string | undefined): Promise<{ app_id: string }>;
}

export function historyRoutes({ db, cursors, findApp }: HistoryDeps): RouteSpec[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:app_name/versions',
      summary: 'List configuration versions, newest first',
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: VersionsAnswer },
      async handle({ principal: { tenantId }, params, query }) {
        const { app_id: appId } = await findApp(db, tenantId, params.app_name);
        const page = await loadListPage({
          cursors,
          binding: ['versions', tenantId, appId],
          query,
          fetch: (after, limit) => selectVersions(db, tenantId, appId, after?.[0], limit),
          keyOf: (version) => [String(version.app_version)],
          countFitting,
          item: factsOf,
        });
        return { body: page };
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:app_name/versions/:version_id',
      summary: 'Get a configuration version with its content before and after',
      description: 'A version never changes, so it has no ETag.',
      scopes: ['read'],
      answers: { 200: VersionRecordAnswer },
      async handle({ principal: { tenantId }, params }) {
        const { app_id: appId } = await findApp(db, tenantId, params.app_name);
        const found = await versionOf(db, tenantId, appId, params.version_id);
        const { previous_config, new_config } = found;
        return { body: { version_record: { ...factsOf(found), previous_config, new_config } } };
      },
    }),
    route({
      method: 'GET',
      path: '/audit',
      summary: 'List management audit events, newest first',
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: ListAnswer(AuditEventWire) },
      async handle({ principal: { tenantId }, query }) {
        const page = await loadListPage({
          cursors,
          binding: ['audit', tenantId],
          query,
          fetch: (before, limit) => selectManagementAudit(db, tenantId, before, limit),
          keyOf: (event) => [event.at_text, event.event_id],
          countFitting,
          item: eventOf,
        });
        return { body: page };
      },
    }),
    route({
      method: 'GET',
      path: '/audit/:event_id',
      summary: 'Get a management audit event',
      description: 'An event never changes, so it has no ETag.',
      scopes: ['read'],
      answers: { 200: Type.Object({ event: AuditEventWire }) },
      async handle({ principal: { tenantId }, params: { event_id: eventId = '' } }) {
        const found = isUuid(eventId)
          ? await selectManagementAuditEvent(db, tenantId, eventId)
          : null;
        if (found === null) throw new HubError('not_found');
        return { body: { event: eventOf(found) } };
      },
    }),
  ];
}

/** Throws 404. */
export async function versionOf(
  db: Db,
  tenantId: string,
  appId: string,
  versionId: string | undefined,
): Promise<VersionRecord> {
  const found = isUuid(versionId ?? '')
    ? await selectVersion(db, tenantId, appId, versionId as string)
    : null;
  if (found === null) throw new HubError('not_found');
  return found;
}

function factsOf({ version_id, created_at, actor, operation, changed }: VersionRow) {
  return { version_id, created_at: unixSeconds(created_at), actor, operation, changed };
}

function eventOf(event: AuditRow) {
  const { event_id, actor, operation, resource, request_id, result } = event;
  return {
    event_id,
    actor,
    operation,
    resource,
    request_id,
    result,
    created_at: unixSeconds(event.at),
    changes: event.detail,
  };
}
