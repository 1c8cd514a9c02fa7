// PUT and DELETE C/device-groups/{group_id}/devices/{device_id}: who is in a group that has no rule.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { MembershipAnswer } from '@gatewarden/shared/wire/console/device-groups.ts';
import { Type } from 'typebox';
import { recordAudit } from '../../../platform/audit.ts';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectDeviceState } from '../enrollment/index.ts';
import { event, TAGS } from './event.ts';
import { deleteMember, insertMember, isMember, selectGroup } from './store.ts';

const MemberParams = Type.Object({ tenant_id: Type.String(), group_id: Uuid, device_id: Uuid });

export function registerMembership(
  app: App,
  deps: { db: Db; notifyChange(tenantId: string): void },
): void {
  const schema = { tags: TAGS, params: MemberParams, response: { 200: MembershipAnswer } };
  for (const method of ['PUT', 'DELETE'] as const) {
    app.route({
      method,
      url: '/device-groups/:group_id/devices/:device_id',
      config: { access: 'Admin' },
      schema: {
        ...schema,
        summary: method === 'PUT' ? 'Add a device to a group' : 'Remove a device from a group',
      },
      handler: async (request) => {
        const person = personOf(request);
        const groupId = request.params.group_id.toLowerCase();
        const deviceId = request.params.device_id.toLowerCase();
        const member = method === 'PUT';
        await setMembership(deps.db, person, { groupId, deviceId, member, requestId: request.id });
        deps.notifyChange(person.tenantId);
        return { group_id: groupId, device_id: deviceId, member, request_id: request.id };
      },
    });
  }
}

/** A repetition changes nothing and notifies nobody. 404 for an unknown group and for an unknown or retired device. */
async function setMembership(
  db: Db,
  person: Person,
  wanted: { groupId: string; deviceId: string; member: boolean; requestId: string },
): Promise<void> {
  const { tenantId } = person;
  const { groupId, deviceId, member } = wanted;
  await transact(db, async (tx) => {
    if ((await selectGroup(tx, tenantId, groupId)) === null) throw new HubError('not_found');
    const device = await selectDeviceState(tx, tenantId, deviceId);
    if (device === null || (member && device.retired)) throw new HubError('not_found');
    if ((await isMember(tx, tenantId, groupId, deviceId)) === member) return;
    const revision = await advanceFeed(tx, tenantId, 'governance');
    // Behind the feed's lock once more: the group may have gone while we waited for it.
    const group = await selectGroup(tx, tenantId, groupId);
    if (group === null) throw new HubError('not_found');
    if (group.rule !== null) throw new HubError('group_by_rule');
    const changed = member
      ? await insertMember(tx, tenantId, { groupId, deviceId, revision, by: person.email })
      : await deleteMember(tx, tenantId, { groupId, deviceId, revision });
    if (!changed) return;
    await recordAudit(
      tx,
      event(
        person,
        member ? 'device_group.add_device' : 'device_group.remove_device',
        wanted.requestId,
        groupId,
        { device_id: deviceId, name: group.name },
      ),
    );
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'device-groups' });
  });
}
