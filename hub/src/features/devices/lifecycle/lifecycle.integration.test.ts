// Administrators manage devices: scan now, move, retire, readmit, erase; stale and duplicate devices are detected.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
interface As {
  token?: string;
  subscriber?: string;
}

const post = (path: string, body: unknown, as: As = {}) =>
  deviceCall(as.token === undefined ? hub : { ...hub, agentToken: as.token }, 'POST', path, {
    body,
    headers: { 'x-subscriber-id': as.subscriber ?? 'alice' },
  });
const scan = (device: Device, names: string[], as: As = {}) =>
  post(
    '/ea/v1/sync/discovered-apps',
    aBatch(
      device,
      names.map((name) => anEntity(name)),
    ),
    as,
  );
const delta = (device: Device, as: As = {}) =>
  deviceCall(
    as.token === undefined ? hub : { ...hub, agentToken: as.token },
    'GET',
    '/ea/v1/sync/delta',
    {
      headers: {
        'x-device-id': device.device_id,
        'x-subscriber-id': as.subscriber ?? 'alice',
      },
    },
  );
const enrol = async (device: Device, subscriber = 'alice'): Promise<string> => {
  const answer = await post('/ea/v1/enroll', { device, subscriber_id: subscriber }, { subscriber });
  expect(answer.status).toBe(201);
  return answer.body.device_token;
};
const shown = async (device: Device) =>
  (await hub.console('GET', `/devices/${device.device_id}`)).body.device;
const audited = async (operation: string, id: string) =>
  (
    await sql<{ n: number }>`SELECT count(*)::int AS n FROM audit_events
      WHERE tenant_id = ${hub.tenantId} AND operation = ${operation}
        AND resource ->> 'id' = ${id}`.execute(hub.context.database.db)
  ).rows[0]?.n;

describe('scan now', () => {
  it('assigns a new epoch with the next poll, and writes an audit event', async () => {
    const device = aDevice();
    await scan(device, ['a']);
    const before = (await delta(device)).body.inventory_epoch;
    const answer = await hub.console('POST', `/devices/${device.device_id}/scan`, { body: {} });
    expect(answer.status).toBe(200);
    await expect.poll(async () => (await delta(device)).body.inventory_epoch).not.toBe(before);
    expect(await audited('device.scan', device.device_id)).toBe(1);
  });
});

describe('move', () => {
  it('accepts the new user of a bound device, and rejects the former user', async () => {
    const device = aDevice();
    const token = await enrol(device);
    const as = { token, subscriber: 'bob' };
    expect((await delta(device, as)).status).toBe(403);
    const path = `/devices/${device.device_id}/move`;
    const answer = await hub.console('POST', path, { body: { subscriber_id: 'bob' } });
    expect(answer.body.subscriber_id).toBe('bob');
    await expect.poll(async () => (await delta(device, as)).status).toBe(200);
    expect((await delta(device, { token })).body.error.code).toBe('subscriber_mismatch');
    expect((await shown(device)).subscriber_id).toBe('bob');
  });

  it('rejects a move with a stale version', async () => {
    const device = aDevice();
    await scan(device, ['a']);
    const at = `/devices/${device.device_id}`;
    const seen = (await hub.console('GET', at)).headers.get('etag') ?? '';
    expect(seen).toBe((await shown(device)).version);
    const act = (method: string, path: string, body?: object) =>
      hub.console(method, `${at}${path}`, { body, headers: { 'if-match': seen } });
    const moves = ['bob', 'carol'].map((to) => act('POST', '/move', { subscriber_id: to }));
    expect((await Promise.all(moves)).map((item) => item.status).sort()).toEqual([200, 412]);
    expect((await act('DELETE', '')).status).toBe(412);
    // What the device reports of itself changes nothing of that.
    const { version } = await shown(device);
    await scan(device, ['a', 'b']);
    expect((await shown(device)).version).toBe(version);
  });
});

describe('retirement', () => {
  it('removes the inventory from all counts and all access, until readmission', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const name = `retired-${randomUUID()}`;
    const token = await enrol(device);
    await scan(device, [name], { token });
    await scan(other, [name]);
    const processes = [anUnknownProcess(name)];
    const body = { batch_id: randomUUID(), device, processes };
    await post('/ea/v1/sync/unknown-processes', body, { token });
    const running = { device, processes: [aRunningProcess(name)] };
    expect((await post('/ea/v1/sync/running-processes', running, { token })).status).toBe(202);

    const answer = await hub.console('DELETE', `/devices/${device.device_id}`);
    expect([answer.status, answer.body.retired]).toEqual([200, true]);
    const product = await hub.console('GET', `/discovered-apps?query=${name}`);
    expect(product.body.items[0].device_count).toBe(1);
    const unknown = await hub.console('GET', `/unknown-processes?query=${name}`);
    expect(unknown.body.items).toEqual([]);
    const listed = await hub.console('GET', `/devices?query=${device.device_id}`);
    expect(listed.body.items).toEqual([]);
    const retired = await hub.console('GET', `/devices?state=retired&query=${device.device_id}`);
    expect(retired.body.items).toHaveLength(1);
    // Its own token ends within a second, and an agent token of the tenant brings it back no more.
    await expect.poll(async () => (await delta(device, { token })).status).toBe(401);
    for (const call of [
      () => delta(device),
      () => scan(device, ['a']),
      () => post('/ea/v1/sync/alerts', { device, alerts: [anAlert()] }),
      () => post('/ea/v1/enroll', { device, subscriber_id: 'alice' }),
    ]) {
      const refused = await call();
      expect([refused.status, refused.body.error.code]).toEqual([403, 'device_retired']);
    }
    await hub.console('POST', `/devices/${device.device_id}/admit`, { body: {} });
    await enrol(device);
    expect((await shown(device)).retired_at).toBeNull();
  });

  it('retires a device once, and not by a reviewer', async () => {
    const device = aDevice();
    await scan(device, ['a']);
    const token = await hub.tokenFor('Reviewer');
    const path = `/devices/${device.device_id}`;
    expect((await hub.console('DELETE', path, { token })).status).toBe(403);
    expect((await hub.console('DELETE', path)).status).toBe(200);
    expect((await hub.console('DELETE', path)).status).toBe(200);
    expect(await audited('device.retire', device.device_id)).toBe(1);
    expect((await hub.console('DELETE', `/devices/${randomUUID()}`)).status).toBe(404);
  });
});

describe('erasure of a user', () => {
  it('leaves nothing that names the user, and counts the deletions', async () => {
    const subscriber = `person-${randomUUID()}@example.com`;
    const device = aDevice({ hostname: `host-of-${subscriber}` });
    const as = { subscriber };
    await scan(device, ['a'], as);
    const looked = { source: 'dpkg', owner: subscriber, state: 'read', entities: 0, reason: null };
    await post('/ea/v1/sync/discovered-apps', aBatch(device, [], { coverage: [looked] }), as);
    await post('/ea/v1/sync/activity', { device, events: [anActivity(), anActivity()] }, as);
    await post('/ea/v1/sync/alerts', { device, alerts: [anAlert()] }, as);
    // Decisions for them, one of which left them; tokens with their machine's name; a device that was theirs.
    const scope = { kind: 'subscriber', subscriber_id: subscriber };
    const decided = await Promise.all(
      ['stayed', 'moved'].map((name) =>
        hub.console('POST', '/overrides', {
          body: {
            match: { name },
            approval_status: 'blocked',
            execution_policy: 'block',
            reason: `because of ${subscriber}`,
            scope,
          },
        }),
      ),
    );
    const moved = decided[1]?.body.override;
    const patched = await hub.console('PATCH', `/overrides/${moved.override_id}`, {
      body: { scope: { kind: 'tenant' }, reason: null },
      headers: { 'if-match': moved.version },
    });
    expect(patched.status).toBe(200);
    await post('/ea/v1/enroll', { device, subscriber_id: subscriber }, as);
    await post('/ea/v1/enroll', { device, subscriber_id: subscriber }, as);
    const other = aDevice();
    await scan(other, ['a'], { subscriber: 'somebody' });
    const raised = [anAlert(), anAlert(), anAlert()];
    for (const [i, owner] of ['somebody', subscriber, 'somebody'].entries()) {
      const body = { subscriber_id: owner };
      await hub.console('POST', `/devices/${other.device_id}/move`, { body });
      const whose = { subscriber: owner };
      await post('/ea/v1/sync/alerts', { device: other, alerts: [raised[i]] }, whose);
      await post('/ea/v1/sync/activity', { device: other, events: [anActivity()] }, whose);
    }
    // Groups whose rules name them: one that is theirs alone, and one that was changed, with another spelling.
    const values = [subscriber.toUpperCase()];
    const conditions = [{ field: 'subscriber_id', test: 'one_of', values }];
    const grouped = async (body: object) =>
      (await hub.console('POST', '/device-groups', { body: { name: randomUUID(), ...body } })).body
        .group;
    const theirs = await grouped({ rule: { conditions } });
    const among = await grouped({
      rule: { conditions: [{ ...conditions[0], values: ['a', subscriber] }] },
    });
    const path = `/people/${encodeURIComponent(subscriber)}/erase`;
    const answer = await hub.console('POST', path, { body: {} });
    expect(answer.body).toMatchObject({ devices: 1, activity: 3, alerts: 2, decisions: 1 });
    expect(new Set(answer.body.group_rules)).toEqual(
      new Set([theirs, among].map(({ group_id, name }) => ({ group_id, name }))),
    );
    const ruleOf = async ({ group_id: id }: { group_id: string }) =>
      (await hub.console('GET', `/device-groups/${id}`)).body.group;
    const struck = await ruleOf(theirs);
    expect(struck.rule.conditions[0].values).toEqual(['‹erased›']);
    expect(struck.version).not.toBe(theirs.version);
    expect((await ruleOf(among)).rule.conditions[0].values).toEqual(['a']);
    const left = await hub.console('GET', `/alerts?device_id=${other.device_id}`);
    const ids = left.body.items.map((item: { alert_id: string }) => item.alert_id);
    expect(ids.sort()).toEqual([raised[0], raised[2]].map((item) => item?.alert_id).sort());
    const { db } = hub.context.database;
    const tables = await sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
    for (const { name } of tables.rows) {
      const found = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM ${sql.table(name)} t
        WHERE to_jsonb(t)::text ILIKE ${`%${subscriber}%`}`.execute(db);
      expect([name, found.rows[0]?.n]).toEqual([name, 0]);
    }
    expect((await hub.console('POST', path, { body: {} })).status).toBe(404);
    const listed = await hub.console('GET', '/overrides');
    const names = listed.body.items.map((item: { match: { name: string } }) => item.match.name);
    expect([names.includes('stayed'), names.includes('moved')]).toEqual([false, true]);
  });

  it('deletes overrides for a user without a device', async () => {
    const subscriber = `person-${randomUUID()}`;
    await hub.console('POST', '/overrides', {
      body: {
        match: { name: 'x' },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'subscriber', subscriber_id: subscriber },
      },
    });
    const answer = await hub.console('POST', `/people/${subscriber}/erase`, { body: {} });
    expect(answer.body).toMatchObject({ devices: 0, decisions: 1 });
  });
});

describe('audited access to a device', () => {
  it('audits the view of a device periodically per user', async () => {
    const device = aDevice();
    await scan(device, ['a']);
    await shown(device);
    await shown(device);
    expect(await audited('device.view', device.device_id)).toBe(1);
    const token = await hub.tokenFor('Viewer');
    await hub.console('GET', `/devices/${device.device_id}`, { token });
    expect(await audited('device.view', device.device_id)).toBe(2);
  });

  it.each([
    ['its inventory', (id: string) => `/devices/${id}/entities`],
    ['its activity', (id: string) => `/activity?device_id=${id.toUpperCase()}`],
    ['its alerts', (id: string) => `/alerts?device_id=${id}`],
  ])('audits the view of %s alone as well, once per period', async (_what, path) => {
    const device = aDevice();
    await scan(device, ['a']);
    const paths = [path(device.device_id), `/devices/${device.device_id}`];
    await Promise.all([...paths, ...paths].map((text) => hub.console('GET', text)));
    expect(await audited('device.view', device.device_id)).toBe(1);
  });

  it('audits no view of an unknown device or of the device list', async () => {
    const device = aDevice();
    await scan(device, ['a']);
    const nowhere = randomUUID();
    for (const path of [`/activity?device_id=${nowhere}`, '/activity', '/alerts']) {
      expect((await hub.console('GET', path)).status).toBe(200);
    }
    // Lists show its name, too.
    const named = await hub.console('GET', `/device-name?of=${device.device_id}`);
    expect(named.body.hostname).toBe(device.hostname);
    expect(named.body.subscriber_id).toBe('alice');
    expect((await hub.console('GET', `/device-name?of=${nowhere}`)).status).toBe(404);
    for (const id of [nowhere, device.device_id]) expect(await audited('device.view', id)).toBe(0);
  });
});

describe('device', () => {
  it("becomes stale after the tenant's limit", async () => {
    const device = aDevice();
    await scan(device, ['a']);
    expect((await shown(device)).stale).toBe(false);
    // Again each time: that it was seen may still wait to be written.
    const staleAfterHours = async () => {
      await sql`UPDATE devices SET last_seen_at = now() - interval '3 hours'
        WHERE device_id = ${device.device_id}`.execute(hub.context.database.db);
      return (await shown(device)).stale;
    };
    expect(await staleAfterHours()).toBe(false);
    const set = await hub.console('PUT', '/device-settings', { body: { stale_after_hours: 2 } });
    expect(set.body.settings).toEqual({ stale_after_hours: 2 });
    await expect.poll(staleAfterHours).toBe(true);
    const listed = await hub.console('GET', `/devices?state=stale&query=${device.device_id}`);
    expect(listed.body.items).toHaveLength(1);
    const bad = await hub.console('PUT', '/device-settings', { body: { stale_after_hours: 0 } });
    expect(bad.status).toBe(400);
  });

  it('reports a duplicate for alternating names, not for a rename', async () => {
    for (const send of [
      (device: Device) => scan(device, ['a']),
      (device: Device) => post('/ea/v1/sync/alerts', { device, alerts: [anAlert()] }),
    ]) {
      const device = aDevice({ hostname: 'first' });
      await send(device);
      await send({ ...device, hostname: 'second' });
      expect((await shown(device)).duplicate_since).toBeNull();
      await send(device);
      expect((await shown(device)).duplicate_since).not.toBeNull();
    }
  });

  it('ignores a name that a network spells otherwise', async () => {
    const device = aDevice({ hostname: 'first' });
    for (const hostname of ['first', 'First.example.com', 'first', 'FIRST.local', 'first']) {
      await scan({ ...device, hostname }, ['a']);
    }
    expect((await shown(device)).duplicate_since).toBeNull();
  });

  it('lists and counts devices that need attention, by cause, until it is resolved', async () => {
    const tenant = await hub.newTenant('Overview');
    const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
    const [well, doubled, gone, retired] = [aDevice(), aDevice(), aDevice(), aDevice()];
    const send = (device: Device) =>
      deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(device, [anEntity('a')]),
      });
    for (const device of [well, doubled, gone, retired]) await send(device);
    await send({ ...doubled, platform: 'darwin' });
    await hub.console('DELETE', `/devices/${retired.device_id}`, as);
    const overview = async () => (await hub.console('GET', '/device-overview', as)).body;
    // Again each time: that they were seen may still wait to be written.
    const overviewLater = async () => {
      await sql`UPDATE devices SET last_seen_at = now() - interval '1 year'
        WHERE device_id IN (${gone.device_id}, ${retired.device_id})`.execute(
        hub.context.database.db,
      );
      return overview();
    };
    await expect.poll(overviewLater).toMatchObject({ devices: 3, stale: 1, duplicates: 1 });
    const listed = async (state: string) =>
      (await hub.console('GET', `/devices?state=${state}`, as)).body.items.map(
        (item: { device_id: string }) => item.device_id,
      );
    expect(await listed('stale')).toEqual([gone.device_id]);
    expect(await listed('duplicate')).toEqual([doubled.device_id]);
    const path = `/devices/${doubled.device_id}/duplicate-solved`;
    const viewer = await hub.tokenFor('Viewer', tenant.tenantId);
    const body = {};
    expect((await hub.console('POST', path, { ...as, body, token: viewer })).status).toBe(403);
    for (let times = 0; times < 2; times++) {
      expect((await hub.console('POST', path, { ...as, body })).status).toBe(200);
    }
    expect(await overview()).toMatchObject({ duplicates: 0 });
    const trail = await sql<{ n: number }>`SELECT count(*)::int AS n FROM audit_events
      WHERE tenant_id = ${tenant.tenantId} AND operation = 'device.duplicate_solved'`.execute(
      hub.context.database.db,
    );
    expect(trail.rows[0]?.n).toBe(1);
    // Noticed again where it goes on.
    await send(doubled);
    expect(await overview()).toMatchObject({ duplicates: 1 });
  });
});
