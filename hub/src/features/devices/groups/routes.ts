// C/device-groups: named sets of devices. Memberships change the scope of overrides, so every write takes a
// governance feed number; its row lock also keeps a group from being deleted while an override comes to name it.

import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  DeviceGroupAnswer,
  DeviceGroupDeletedAnswer,
  DeviceGroupInput,
  DeviceGroupPatch,
  DeviceGroupsAnswer,
  DeviceGroupsQuery,
  GroupDevicesAnswer,
  GroupDevicesQuery,
  RulePreviewAnswer,
  RulePreviewInput,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { applyRule, takenBy } from './apply-membership-queries.ts';
import { event, TAGS } from './event.ts';
import { groupRow, newGroup, patchedGroup } from './group-input.ts';
import { registerMembership } from './membership.ts';
import { checkedRule } from './membership-query.ts';
import {
  deleteGroup,
  type GroupRecord,
  insertGroup,
  isNameTaken,
  selectGroup,
  selectGroupDevices,
  selectGroups,
  updateGroup,
} from './store.ts';

const GroupParams = Type.Object({ tenant_id: Type.String(), group_id: Uuid });
const PREVIEWED = 20;

export interface GroupDeps {
  db: Db;
  cursors: CursorSealer;
  /** Names of the overrides and channels that are limited to this group: a group in use cannot be deleted. */
  usesOf(tx: Tx, tenantId: string, groupId: string): Promise<string[]>;
  /** In this process, before the notice comes round. */
  notifyChange(tenantId: string): void;
}

export function registerGroupPages(app: App, deps: GroupDeps): void {
  registerGroupReading(app, deps);
  registerRulePreview(app, deps);
  registerWriting(app, deps);
  registerMembership(app, deps);
}

/** Registers the reading routes of device groups. */
export function registerGroupReading(
  app: App,
  { db, cursors }: Pick<GroupDeps, 'db' | 'cursors'>,
): void {
  app.get(
    '/device-groups',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: TAGS,
        summary: 'List device groups',
        querystring: DeviceGroupsQuery,
        response: { 200: DeviceGroupsAnswer },
      },
    },
    async (request) => {
      const query = request.query.query ? foldName(request.query.query) : undefined;
      return loadPage(request, {
        cursors,
        list: 'device-groups',
        by: [query ?? null],
        fetch: (tenantId, after, limit) => selectGroups(db, tenantId, query, after, limit),
        keyOf: (group) => [group.name_folded, group.group_id],
        item: groupRow,
      });
    },
  );

  app.get(
    '/device-groups/:group_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: TAGS,
        summary: 'Get a device group',
        params: GroupParams,
        response: { 200: DeviceGroupAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const group = await selectGroup(db, tenantId, request.params.group_id);
      if (group === null) throw new HubError('not_found');
      reply.header('etag', etagOf(group.version));
      return { group: groupRow(group), request_id: request.id };
    },
  );

  app.get(
    '/device-groups/:group_id/devices',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: TAGS,
        summary: 'List the devices of a group',
        params: GroupParams,
        querystring: GroupDevicesQuery,
        response: { 200: GroupDevicesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const groupId = request.params.group_id.toLowerCase();
      if ((await selectGroup(db, tenantId, groupId)) === null) throw new HubError('not_found');
      return loadPage(request, {
        cursors,
        list: 'device-group-devices',
        by: [groupId],
        fetch: (_, after, limit) => selectGroupDevices(db, tenantId, groupId, after, limit),
        keyOf: (device) => [device.sort_key, device.device_id],
        item: ({ sort_key: _key, ...device }) => ({
          ...device,
          last_seen_at: device.last_seen_at.toISOString(),
          added_at: device.added_at.toISOString(),
        }),
      });
    },
  );
}

function registerRulePreview(app: App, { db }: GroupDeps): void {
  app.post(
    '/device-groups/preview',
    {
      config: { access: 'Admin' },
      schema: {
        tags: TAGS,
        summary: 'Preview the devices that match a rule',
        body: RulePreviewInput,
        response: { 200: RulePreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { rule } = request.body;
      checkedRule(rule);
      const devices = await takenBy(db, tenantId, rule);
      return {
        device_count: devices.length,
        devices: devices
          .slice(0, PREVIEWED)
          .map(({ device_id, hostname, subscriber_id, platform }) => ({
            device_id,
            hostname,
            subscriber_id,
            platform,
          })),
        request_id: request.id,
      };
    },
  );
}

function registerWriting(app: App, deps: GroupDeps): void {
  registerGroupCreation(app, deps);
  registerGroupDeletion(app, deps);
  const { db } = deps;
  app.patch(
    '/device-groups/:group_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: TAGS,
        summary: 'Update a device group',
        params: GroupParams,
        headers: IfMatch,
        body: DeviceGroupPatch,
        response: { 200: DeviceGroupAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const after = await versionedWrite(db, {
        tenantId,
        feed: 'governance',
        page: 'device-groups',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectGroup(tx, tenantId, request.params.group_id),
        change: (before) =>
          patchedGroup(before, request.body, { email: person.email, now: new Date() }),
        store: async (tx, before, change, revision) => {
          if (await isNameTaken(tx, tenantId, change.name_folded, before.group_id)) {
            throw nameTaken();
          }
          const stored = await updateGroup(tx, tenantId, before, change);
          return stored === null ? null : ruled(tx, tenantId, stored, revision);
        },
        audit: (before, changed) =>
          event(person, 'device_group.update', request.id, changed.group_id, {
            before: groupRow(before),
            after: groupRow(changed),
          }),
      });
      deps.notifyChange(tenantId);
      reply.header('etag', etagOf(after.version));
      return { group: groupRow(after), request_id: request.id };
    },
  );
}

function registerGroupDeletion(app: App, deps: GroupDeps): void {
  const { db } = deps;
  app.delete(
    '/device-groups/:group_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: TAGS,
        summary: 'Delete an unused device group',
        params: GroupParams,
        headers: IfMatch,
        response: { 200: DeviceGroupDeletedAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const gone = await versionedWrite(db, {
        tenantId,
        feed: 'governance',
        page: 'device-groups',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectGroup(tx, tenantId, request.params.group_id),
        change: (before) => before,
        store: async (tx, before, _change, revision) => {
          const uses = await deps.usesOf(tx, tenantId, before.group_id);
          if (uses.length > 0) throw inUse(uses);
          return (await deleteGroup(tx, tenantId, before, revision)) ? before : null;
        },
        audit: (before) =>
          event(person, 'device_group.delete', request.id, before.group_id, {
            before: groupRow(before),
          }),
      });
      deps.notifyChange(tenantId);
      return { group_id: gone.group_id, deleted: true as const, request_id: request.id };
    },
  );
}

function registerGroupCreation(app: App, deps: GroupDeps): void {
  const { db } = deps;
  app.post(
    '/device-groups',
    {
      config: { access: 'Admin' },
      schema: {
        tags: TAGS,
        summary: 'Create a device group, static or by rule',
        body: DeviceGroupInput,
        response: { 201: DeviceGroupAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const group = newGroup(request.body, {
        groupId: randomUUID(),
        email: person.email,
        now: new Date(),
      });
      const created = await recordedCreation(db, {
        tenantId,
        feed: 'governance',
        page: 'device-groups',
        store: async (tx, revision) => {
          const stored = await insertGroup(tx, tenantId, group);
          if (stored === null) throw nameTaken();
          return ruled(tx, tenantId, stored, revision);
        },
        audit: (stored) =>
          event(person, 'device_group.create', request.id, stored.group_id, {
            after: groupRow(stored),
          }),
      });
      deps.notifyChange(tenantId);
      reply.code(201).header('etag', etagOf(created.version));
      return { group: groupRow(created), request_id: request.id };
    },
  );
}

/** Returns the group after its query, if it has one, was applied. */
async function ruled(
  tx: Tx,
  tenantId: string,
  group: GroupRecord,
  revision: number,
): Promise<GroupRecord> {
  const { group_id, rule } = group;
  if (rule === null) return group;
  const { count } = await applyRule(tx, tenantId, { group_id, rule }, revision);
  return { ...group, device_count: count };
}

function nameTaken(): HubError {
  return new HubError('already_exists', 'A device group with this name already exists.');
}

const NAMED_MAX = 5;

function inUse(uses: readonly string[]): HubError {
  const named = uses.slice(0, NAMED_MAX).join(', ');
  const more = uses.length > NAMED_MAX ? ` and ${uses.length - NAMED_MAX} more` : '';
  return new HubError(
    'group_in_use',
    `This group is used by policies or notification channels: ${named}${more}. Remove them first.`,
  );
}
