// Device groups are managed over HTTP: roles, tenants, versions, and the overrides of members.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupCalls } from '../../../../../test/support/group-calls.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { groupsOf } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const { caller, call, enrolled, aGroup, put, remove } = groupCalls(() => hub);

describe('device group', () => {
  it('creates, returns, lists, changes and deletes a group, with an audit event for each write', async () => {
    const name = `Group ${randomUUID()}`;
    const made = await call('POST', '/device-groups', { body: { name, description: 'The first' } });
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
    const { group } = made.body;
    expect(group).toMatchObject({
      name,
      description: 'The first',
      device_count: 0,
      version: '"1"',
      created_by: 'admin@example.com',
    });
    const path = `/device-groups/${group.group_id}`;
    expect((await call('GET', path)).body.group).toEqual(group);
    const listed = await call('GET', `/device-groups?query=${encodeURIComponent(name)}`);
    expect(listed.body.items).toEqual([group]);

    const change = (headers: Record<string, string>) =>
      call('PATCH', path, { headers, body: { description: null } });
    expect((await change({})).status).toBe(428);
    expect((await change({ 'if-match': '"7"' })).status).toBe(412);
    expect((await change({ 'if-match': '"1"' })).body.group).toMatchObject({
      version: '"2"',
      description: null,
      name,
    });
    expect((await call('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect((await call('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
    const events = await sql<{ operation: string }>`
      SELECT operation FROM audit_events WHERE resource ->> 'id' = ${group.group_id} ORDER BY at`.execute(
      hub.context.database.db,
    );
    expect(events.rows.map((row) => row.operation)).toEqual([
      'device_group.create',
      'device_group.update',
      'device_group.delete',
    ]);
  });

  it('rejects a duplicate name in any case', async () => {
    const [item, other] = [await aGroup(), await aGroup()];
    const again = await call('POST', '/device-groups', { body: { name: item.name.toUpperCase() } });
    expect([again.status, again.body.error.code]).toEqual([409, 'already_exists']);
    const renamed = await call('PATCH', `/device-groups/${other.group_id}`, {
      headers: { 'if-match': other.version },
      body: { name: item.name },
    });
    expect([renamed.status, renamed.body.error.code]).toEqual([409, 'already_exists']);
    for (const body of [{}, { name: ' ' }, { name: '' }, { name: 'x', colour: 'red' }]) {
      expect([(await call('POST', '/device-groups', { body })).status, body]).toEqual([400, body]);
    }
  });

  it('lets administrators manage and viewers read, and rejects other tenants', async () => {
    const group = await aGroup();
    const deviceId = await enrolled();
    const other = await hub.newTenant('Other');
    const otherDevice = await enrolled(other);
    const routes: [string, string, object?][] = [
      ['POST', '/device-groups', { name: 'mine' }],
      ['PATCH', `/device-groups/${group.group_id}`, { name: 'mine' }],
      ['DELETE', `/device-groups/${group.group_id}`],
      ['PUT', `/device-groups/${group.group_id}/devices/${deviceId}`],
      ['DELETE', `/device-groups/${group.group_id}/devices/${deviceId}`],
    ];
    const reviewer = await hub.tokenFor('Reviewer');
    for (const [method, path, body] of routes) {
      const refused = await hub.console(method, path, { token: reviewer, body });
      expect([method, refused.status]).toEqual([method, 403]);
    }
    const reading = ['', `/${group.group_id}`, `/${group.group_id}/devices`];
    const viewer = await hub.tokenFor('Viewer');
    const member = await hub.tokenFor('Member');
    for (const path of reading) {
      expect((await hub.console('GET', `/device-groups${path}`, { token: viewer })).status).toBe(
        200,
      );
      expect((await hub.console('GET', `/device-groups${path}`, { token: member })).status).toBe(
        403,
      );
    }
    const there = caller(other);
    expect((await there('GET', '/device-groups')).body.items).toEqual([]);
    for (const [method, path, body] of routes.slice(1)) {
      const options = { headers: { 'if-match': '"1"' }, ...(body ? { body } : {}) };
      expect((await there(method, path, options)).status).toBe(404);
    }
    expect((await put(group.group_id, otherDevice)).status).toBe(404);
  });

  it('leaves retired devices out of counts, lists and additions, until they return', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    await put(group.group_id, deviceId);
    const shown = async () => {
      const path = `/device-groups/${group.group_id}`;
      const { items } = (await call('GET', `${path}/devices`)).body;
      return [(await call('GET', path)).body.group.device_count, items.length];
    };
    expect(await shown()).toEqual([1, 1]);
    await call('DELETE', `/devices/${deviceId}`);
    expect(await shown()).toEqual([0, 0]);
    expect((await put(group.group_id, deviceId)).status).toBe(404);
    await call('POST', `/devices/${deviceId}/admit`);
    expect(await shown()).toEqual([1, 1]);
    await call('DELETE', `/devices/${deviceId}`);
    expect((await remove(group.group_id, deviceId)).status).toBe(200);
  });

  it('adds devices idempotently, and lists its groups on each device', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    for (const unknown of [
      await put(randomUUID(), deviceId),
      await put(group.group_id, randomUUID()),
      await remove(randomUUID(), deviceId),
      await remove(group.group_id, randomUUID()),
    ]) {
      expect(unknown.status).toBe(404);
    }
    for (const id of [deviceId, deviceId.toUpperCase()]) {
      const answer = await put(group.group_id, id);
      expect([answer.status, answer.body.member]).toEqual([200, true]);
    }
    const shown = await call('GET', `/devices/${deviceId}`);
    expect(shown.body.device.groups).toEqual([{ group_id: group.group_id, name: group.name }]);
    const listed = await call('GET', `/device-groups/${group.group_id}/devices`);
    expect(listed.body.items).toMatchObject([
      { device_id: deviceId, hostname: 'laptop-1', added_by: 'admin@example.com' },
    ]);
    expect((await call('GET', `/device-groups/${group.group_id}`)).body.group.device_count).toBe(1);
    expect(await groupsOf(hub.context.database.db, hub.tenantId, deviceId)).toEqual([
      group.group_id,
    ]);
    for (let i = 0; i < 2; i++) {
      const answer = await remove(group.group_id, deviceId);
      expect([answer.status, answer.body.member]).toEqual([200, false]);
    }
    expect((await call('GET', `/devices/${deviceId}`)).body.device.groups).toEqual([]);
    const events = await sql<{ operation: string; detail: { device_id: string } }>`
      SELECT operation, detail FROM audit_events
      WHERE resource ->> 'id' = ${group.group_id} ORDER BY at OFFSET 1`.execute(
      hub.context.database.db,
    );
    expect(events.rows).toMatchObject([
      { operation: 'device_group.add_device', detail: { device_id: deviceId } },
      { operation: 'device_group.remove_device', detail: { device_id: deviceId } },
    ]);
  });

  it('pages through groups and devices', async () => {
    const tenant = await hub.newTenant('Pages');
    const there = caller(tenant);
    const groups = [];
    for (const name of ['beta', 'Alpha', 'gamma']) groups.push(await aGroup(tenant, { name }));
    const names: string[] = [];
    let cursor = '';
    do {
      const { body } = await there('GET', `/device-groups?limit=2${cursor}`);
      names.push(...body.items.map((item: { name: string }) => item.name));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(names).toEqual(['Alpha', 'beta', 'gamma']);
    const ids = [await enrolled(tenant), await enrolled(tenant)];
    for (const id of ids) {
      await there('PUT', `/device-groups/${groups[0].group_id}/devices/${id}`);
    }
    const path = `/device-groups/${groups[0].group_id}/devices?limit=1`;
    const first = await there('GET', path);
    const second = await there('GET', `${path}&cursor=${first.body.next_cursor}`);
    expect(
      [...first.body.items, ...second.body.items].map((item) => item.device_id).sort(),
    ).toEqual(ids.sort());
    expect(second.body.next_cursor).toBeNull();
  });
});
