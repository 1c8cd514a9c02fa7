// C/alert-routes: whom alerts reach outside the console. What is secret is shown once, when it is made.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  type AlertRoute,
  AlertRouteAnswer,
  AlertRouteDeletedAnswer,
  AlertRouteInput,
  AlertRoutePatch,
  AlertRouteSecretAnswer,
  AlertRoutesAnswer,
  AlertRoutesQuery,
  RotateSecretInput,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { Type } from 'typebox';
import type { AuditEvent } from '../../../platform/audit.ts';
import { auditEventOf, type Person, personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { selectGroup } from '../groups/index.ts';
import {
  type By,
  formatOf,
  newRoute,
  patchedRoute,
  type RouteChange,
  type RouteTools,
  repeatedRotation,
  rotatedSecret,
  routeRow,
} from './channel-rules.ts';
import { registerDeliveries } from './delivery-routes.ts';
import type { AlertRouting } from './dispatch.ts';
import {
  deleteRoute,
  insertRoute,
  type RouteRecord,
  selectRoute,
  selectRoutes,
  updateRoute,
} from './store.ts';

const RouteParams = Type.Object({ tenant_id: Type.String(), route_id: Uuid });
const OVERLAP_HOURS = 24;
const tags = ['notification-channels'];

export interface AlertRouteDeps {
  db: Db;
  cursors: CursorSealer;
  routing: AlertRouting;
  tools: RouteTools;
}

export function registerAlertRoutes(app: App, deps: AlertRouteDeps): void {
  const { db, tools } = deps;
  registerReading(app, deps);
  registerDeliveries(app, deps);

  app.post(
    '/alert-routes',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Create a notification channel',
        body: AlertRouteInput,
        response: { 201: AlertRouteSecretAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { route_id: chosen, ...input } = request.body;
      const { created, secret } = await createWithId(chosen, async (routeId) => {
        const { route, secret } = newRoute(input, byOf(person, routeId), tools);
        const created = await recordedCreation(db, {
          tenantId: person.tenantId,
          feed: null,
          page: 'alert-routes',
          store: async (tx) => {
            await checkGroup(tx, person.tenantId, route.group_id);
            return insertRoute(tx, person.tenantId, route);
          },
          audit: (stored) =>
            auditEvent(person, request.id, 'create', stored.route_id, { after: facts(stored) }),
        });
        return { created, secret };
      });
      reply.code(201).header('etag', etagOf(created.version));
      return { route: rowOf(deps, person.tenantId, created), secret, request_id: request.id };
    },
  );

  app.patch(
    '/alert-routes/:route_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Update a notification channel',
        params: RouteParams,
        headers: IfMatch,
        body: AlertRoutePatch,
        response: { 200: AlertRouteAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const by = byOf(person, request.params.route_id);
      const after = await changeRoute(deps, person, {
        by,
        ifMatch: request.headers['if-match'],
        requestId: request.id,
        verb: 'update',
        change: (before) => patchedRoute(before, request.body, by, tools),
      });
      reply.header('etag', etagOf(after.version));
      return { route: rowOf(deps, person.tenantId, after), request_id: request.id };
    },
  );
  registerSecretRotation(app, deps);
  registerRouteDeletion(app, deps);
}

function registerRouteDeletion(app: App, deps: AlertRouteDeps): void {
  const { db } = deps;
  app.delete(
    '/alert-routes/:route_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Delete a notification channel',
        params: RouteParams,
        headers: IfMatch,
        response: { 200: AlertRouteDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const gone = await versionedWrite(db, {
        tenantId,
        feed: null,
        page: 'alert-routes',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectRoute(tx, tenantId, request.params.route_id),
        change: () => ({}),
        store: (tx, before) => deleteRoute(tx, tenantId, before),
        audit: (before) =>
          auditEvent(person, request.id, 'delete', before.route_id, { before: facts(before) }),
      });
      return { route_id: gone.route_id, deleted: true as const, request_id: request.id };
    },
  );
}

function registerSecretRotation(app: App, deps: AlertRouteDeps): void {
  const { db, tools } = deps;
  app.post(
    '/alert-routes/:route_id/rotate-secret',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Rotate the webhook signing secret',
        params: RouteParams,
        headers: IfMatch,
        body: RotateSecretInput,
        response: { 200: AlertRouteSecretAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const by = byOf(person, request.params.route_id);
      const { overlap_hours: overlapHours = OVERLAP_HOURS, rotation_id: rotationId } = request.body;
      const ifMatch = request.headers['if-match'];
      let secret: string | null = null;
      const stored = rotationId && (await selectRoute(db, person.tenantId, by.routeId));
      if (stored) secret = repeatedRotation(stored, rotationId, ifMatch, by, tools.secrets);
      if (stored && secret !== null) {
        reply.header('etag', etagOf(stored.version));
        return { route: rowOf(deps, person.tenantId, stored), secret, request_id: request.id };
      }
      const after = await changeRoute(deps, person, {
        by,
        ifMatch,
        requestId: request.id,
        verb: 'rotate_secret',
        change: (before) => {
          const rotated = rotatedSecret(before, { overlapHours, rotationId }, by, tools.secrets);
          secret = rotated.secret;
          return rotated.change;
        },
      });
      reply.header('etag', etagOf(after.version));
      return { route: rowOf(deps, person.tenantId, after), secret, request_id: request.id };
    },
  );
}

function registerReading(app: App, deps: AlertRouteDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/alert-routes',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'List notification channels',
        querystring: AlertRoutesQuery,
        response: { 200: AlertRoutesAnswer },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'alert-routes',
        fetch: (tenantId, after, limit) => selectRoutes(db, tenantId, after, limit),
        keyOf: (route) => [route.sort_key, route.route_id],
        item: (route) => rowOf(deps, personOf(request).tenantId, route),
      }),
  );

  app.get(
    '/alert-routes/:route_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'Get a notification channel',
        params: RouteParams,
        response: { 200: AlertRouteAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const found = await selectRoute(db, tenantId, request.params.route_id);
      if (found === null) throw new HubError('not_found');
      reply.header('etag', etagOf(found.version));
      return { route: rowOf(deps, tenantId, found), request_id: request.id };
    },
  );
}

function rowOf({ tools }: AlertRouteDeps, tenantId: string, record: RouteRecord): AlertRoute {
  return routeRow(record, formatOf(record, tenantId, tools.secrets));
}

function changeRoute(
  deps: AlertRouteDeps,
  person: Person,
  write: {
    by: By;
    ifMatch: string | undefined;
    requestId: string;
    verb: AuditVerb<'alert_route'>;
    change(before: RouteRecord): RouteChange | null;
  },
): Promise<RouteRecord> {
  const { tenantId } = person;
  return versionedWrite(deps.db, {
    tenantId,
    feed: null,
    page: 'alert-routes',
    ifMatch: write.ifMatch,
    load: (tx: Tx) => selectRoute(tx, tenantId, write.by.routeId),
    change: write.change,
    store: async (tx, before, { after, freshStart }) => {
      if (after.group_id !== before.group_id) await checkGroup(tx, tenantId, after.group_id);
      const stored = await updateRoute(tx, tenantId, before, after, freshStart);
      if (stored?.enabled === true && !before.enabled) {
        await deps.routing.resume(tx, tenantId, before.route_id);
      }
      return stored;
    },
    audit: (before, after) =>
      auditEvent(person, write.requestId, write.verb, after.route_id, {
        before: facts(before),
        after: facts(after),
        // Both look alike where only what is sealed changed.
        ...(before.url_sealed === after.url_sealed ? {} : { url_changed: true }),
      }),
  });
}

/** A route to a group that there is none of would take no alert, and nobody would notice. */
async function checkGroup(tx: Tx, tenantId: string, groupId: string | null): Promise<void> {
  if (groupId !== null && (await selectGroup(tx, tenantId, groupId)) === null) {
    throw new HubError('invalid_request', '/group_id must be an existing device group');
  }
}

function byOf(person: Person, routeId: string): By {
  return {
    tenantId: person.tenantId,
    routeId: routeId.toLowerCase(),
    email: person.email,
    now: new Date(),
  };
}

/** Returns the fields of a channel for the audit trail, without its secrets. */
function facts(record: RouteRecord): object {
  const { health: _health, version: _version, ...row } = routeRow(record, record.format);
  return row;
}

function auditEvent(
  person: Person,
  requestId: string,
  verb: AuditVerb<'alert_route'>,
  routeId: string,
  detail: object,
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation: `alert_route.${verb}`,
    resource: { kind: 'alert_route', id: routeId },
    detail,
  });
}
