// C/alert-routes: notification channels. A signing secret is returned once: when it is created or rotated.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  type NotificationChannel,
  NotificationChannelAnswer,
  NotificationChannelDeletedAnswer,
  NotificationChannelInput,
  NotificationChannelPatch,
  NotificationChannelSecretAnswer,
  NotificationChannelsAnswer,
  NotificationChannelsQuery,
  RotateSecretInput,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
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
import {
  applyChannelPatch,
  type By,
  type ChannelChange,
  type ChannelTools,
  createChannel,
  findRepeatedRotation,
  resolveChatFormat,
  rotateSecret,
  toChannelAnswer,
} from './channel-rules.ts';
import {
  type ChannelRecord,
  deleteChannel,
  insertChannel,
  selectChannel,
  selectChannels,
  updateChannel,
} from './channel-store.ts';
import { registerDeliveries } from './delivery-routes.ts';
import type { NotificationService } from './notification-service.ts';

const ChannelParams = Type.Object({ tenant_id: Type.String(), route_id: Uuid });
const OVERLAP_HOURS = 24;
const tags = ['notification-channels'];

export interface ChannelRouteDeps {
  db: Db;
  cursors: CursorSealer;
  service: NotificationService;
  tools: ChannelTools;
  /** Returns whether the tenant has the device group. */
  hasGroup(tx: Tx, tenantId: string, groupId: string): Promise<boolean>;
}

/** Registers the routes of channels, their deliveries, tests and replays. */
export function registerChannels(app: App, deps: ChannelRouteDeps): void {
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
        body: NotificationChannelInput,
        response: { 201: NotificationChannelSecretAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { route_id: chosen, ...input } = request.body;
      const { created, secret } = await createWithId(chosen, async (channelId) => {
        const { channel, secret } = createChannel(input, changeBy(person, channelId), tools);
        const created = await recordedCreation(db, {
          tenantId: person.tenantId,
          feed: null,
          page: 'alert-routes',
          store: async (tx) => {
            await checkGroup(deps, tx, person.tenantId, channel.group_id);
            return insertChannel(tx, person.tenantId, channel);
          },
          audit: (stored) =>
            auditEvent(person, request.id, 'create', stored.channel_id, { after: facts(stored) }),
        });
        return { created, secret };
      });
      reply.code(201).header('etag', etagOf(created.version));
      return { route: toAnswer(deps, person.tenantId, created), secret, request_id: request.id };
    },
  );

  app.patch(
    '/alert-routes/:route_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Update a notification channel',
        params: ChannelParams,
        headers: IfMatch,
        body: NotificationChannelPatch,
        response: { 200: NotificationChannelAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const by = changeBy(person, request.params.route_id);
      const after = await changeChannel(deps, person, {
        by,
        ifMatch: request.headers['if-match'],
        requestId: request.id,
        verb: 'update',
        change: (before) => applyChannelPatch(before, request.body, by, tools),
      });
      reply.header('etag', etagOf(after.version));
      return { route: toAnswer(deps, person.tenantId, after), request_id: request.id };
    },
  );
  registerSecretRotation(app, deps);
  registerDeletion(app, deps);
}

function registerDeletion(app: App, deps: ChannelRouteDeps): void {
  const { db } = deps;
  app.delete(
    '/alert-routes/:route_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Delete a notification channel',
        params: ChannelParams,
        headers: IfMatch,
        response: { 200: NotificationChannelDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const deleted = await versionedWrite(db, {
        tenantId,
        feed: null,
        page: 'alert-routes',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectChannel(tx, tenantId, request.params.route_id),
        change: () => ({}),
        store: (tx, before) => deleteChannel(tx, tenantId, before),
        audit: (before) =>
          auditEvent(person, request.id, 'delete', before.channel_id, { before: facts(before) }),
      });
      return { route_id: deleted.channel_id, deleted: true as const, request_id: request.id };
    },
  );
}

function registerSecretRotation(app: App, deps: ChannelRouteDeps): void {
  const { db, tools } = deps;
  app.post(
    '/alert-routes/:route_id/rotate-secret',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Rotate the webhook signing secret',
        params: ChannelParams,
        headers: IfMatch,
        body: RotateSecretInput,
        response: { 200: NotificationChannelSecretAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const by = changeBy(person, request.params.route_id);
      const { overlap_hours: overlapHours = OVERLAP_HOURS, rotation_id: rotationId } = request.body;
      const ifMatch = request.headers['if-match'];
      let secret: string | null = null;
      const stored = rotationId && (await selectChannel(db, person.tenantId, by.channelId));
      if (stored) secret = findRepeatedRotation(stored, rotationId, ifMatch, by, tools.secrets);
      if (stored && secret !== null) {
        reply.header('etag', etagOf(stored.version));
        return { route: toAnswer(deps, person.tenantId, stored), secret, request_id: request.id };
      }
      const after = await changeChannel(deps, person, {
        by,
        ifMatch,
        requestId: request.id,
        verb: 'rotate_secret',
        change: (before) => {
          const rotated = rotateSecret(before, { overlapHours, rotationId }, by, tools.secrets);
          secret = rotated.secret;
          return rotated.change;
        },
      });
      reply.header('etag', etagOf(after.version));
      return { route: toAnswer(deps, person.tenantId, after), secret, request_id: request.id };
    },
  );
}

function registerReading(app: App, deps: ChannelRouteDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/alert-routes',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'List notification channels',
        querystring: NotificationChannelsQuery,
        response: { 200: NotificationChannelsAnswer },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'alert-routes',
        fetch: (tenantId, after, limit) => selectChannels(db, tenantId, after, limit),
        keyOf: (channel) => [channel.sort_key, channel.channel_id],
        item: (channel) => toAnswer(deps, personOf(request).tenantId, channel),
      }),
  );

  app.get(
    '/alert-routes/:route_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'Get a notification channel',
        params: ChannelParams,
        response: { 200: NotificationChannelAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const channel = await selectChannel(db, tenantId, request.params.route_id);
      if (channel === null) throw new HubError('not_found');
      reply.header('etag', etagOf(channel.version));
      return { route: toAnswer(deps, tenantId, channel), request_id: request.id };
    },
  );
}

function toAnswer(
  { tools }: ChannelRouteDeps,
  tenantId: string,
  record: ChannelRecord,
): NotificationChannel {
  return toChannelAnswer(record, resolveChatFormat(record, tenantId, tools.secrets));
}

function changeChannel(
  deps: ChannelRouteDeps,
  person: Person,
  write: {
    by: By;
    ifMatch: string | undefined;
    requestId: string;
    verb: AuditVerb<'alert_route'>;
    change(before: ChannelRecord): ChannelChange | null;
  },
): Promise<ChannelRecord> {
  const { tenantId } = person;
  return versionedWrite(deps.db, {
    tenantId,
    feed: null,
    page: 'alert-routes',
    ifMatch: write.ifMatch,
    load: (tx: Tx) => selectChannel(tx, tenantId, write.by.channelId),
    change: write.change,
    store: async (tx, before, { after, resetHealth }) => {
      if (after.group_id !== before.group_id) await checkGroup(deps, tx, tenantId, after.group_id);
      const stored = await updateChannel(tx, tenantId, before, after, resetHealth);
      if (stored?.enabled === true && !before.enabled) {
        await deps.service.resume(tx, tenantId, before.channel_id);
      }
      return stored;
    },
    audit: (before, after) =>
      auditEvent(person, write.requestId, write.verb, after.channel_id, {
        before: facts(before),
        after: facts(after),
        // A change of the URL alone is not visible in the facts, which contain no secret.
        ...(before.url_sealed === after.url_sealed ? {} : { url_changed: true }),
      }),
  });
}

/** Throws 400 for an unknown device group: its channel would never send an alert. */
async function checkGroup(
  { hasGroup }: ChannelRouteDeps,
  tx: Tx,
  tenantId: string,
  groupId: string | null,
): Promise<void> {
  if (groupId !== null && !(await hasGroup(tx, tenantId, groupId))) {
    throw new HubError('invalid_request', '/group_id must be an existing device group');
  }
}

function changeBy(person: Person, channelId: string): By {
  return {
    tenantId: person.tenantId,
    channelId: channelId.toLowerCase(),
    email: person.email,
    now: new Date(),
  };
}

/** Returns the fields of a channel for the audit trail, without its secrets. */
function facts(record: ChannelRecord): object {
  const { health: _health, version: _version, ...row } = toChannelAnswer(record, record.format);
  return row;
}

function auditEvent(
  person: Person,
  requestId: string,
  verb: AuditVerb<'alert_route'>,
  channelId: string,
  detail: object,
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation: `alert_route.${verb}`,
    resource: { kind: 'alert_route', id: channelId },
    detail,
  });
}
