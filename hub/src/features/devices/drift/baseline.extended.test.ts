// An approval covers the launches that were seen when it was given: other launches on a later device wait for a review.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  adminCalls,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Entity = ReturnType<typeof anEntity>;

async function setUp() {
  const tenant = await hub.newTenant('Seen');
  const name = `mcp-${randomUUID()}`;
  const { entity_id: entityId } = anEntity(name);
  const call = adminCalls(hub, tenant);
  const report = async (over: Partial<Entity>, device = aDevice(), subscriber = 'alice') => {
    const body = aBatch(device, [anEntity(name, { kind: 'ai_tool', source: 'skill', ...over })]);
    const answer = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body,
      headers: { 'x-subscriber-id': subscriber },
    });
    expect(answer.status).toBe(202);
    return device.device_id;
  };
  return {
    tenantId: tenant.tenantId,
    call,
    report,
    launched: (hash: string, ...rest: unknown[]) =>
      report({ launch_hash: hash.repeat(64) }, ...(rest as [ReturnType<typeof aDevice>?, string?])),
    /** An MCP server as a person configured it. */
    configured: (hash: string, ...args: string[]) =>
      report({
        kind: 'mcp_server',
        source: 'mcp_config',
        launch_hash: hash.repeat(64),
        details: { configured: [{ client: 'cursor', command: 'npx', args }] },
      }),
    async approve(over: object = {}, bound: object = {}) {
      const answer = await call('POST', '/overrides', {
        match: { entity_id: entityId, ...bound },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
        ...over,
      });
      expect(answer.status).toBe(201);
      return answer.body.override;
    },
    review: () => call('POST', `/discovered-apps/${entityId}/review`, {}),
    async drifts() {
      const { body } = await call('GET', `/discovered-apps/${entityId}`);
      return body.application.drifts.map((drift: { device_id: string }) => drift.device_id);
    },
    shown: async () => (await call('GET', `/discovered-apps/${entityId}`)).body.application,
  };
}

describe('device that joins later', () => {
  it('covers a launch that was seen before, and suspends another launch until its review', async () => {
    const { launched, approve, drifts, shown, review } = await setUp();
    await launched('a');
    await launched('b');
    await approve();
    await launched('a');
    await launched('b');
    expect(await drifts()).toEqual([]);
    const other = await launched('c');
    expect(await drifts()).toEqual([other]);
    expect(await shown()).toMatchObject({
      approval_status: 'pending',
      drifts: [{ launch_changed: true, new_permissions: [], before: null }],
    });
    // A pending launch is not part of the baseline.
    const another = await launched('c');
    expect(await drifts()).toHaveLength(2);
    expect((await review()).body.devices).toBe(2);
    await launched('c');
    expect(await drifts()).toEqual([]);
    const last = await launched('d');
    expect(await drifts()).toEqual([last]);
    expect([other, another]).not.toContain(last);
  });

  it('suspends capabilities beyond the reviewed ones', async () => {
    const { report, approve, shown } = await setUp();
    const allowed = (...permissions: string[]) =>
      report({ instances: [{ owner: 'alice', path: '/a', permissions }] });
    await allowed('tabs', 'cookies');
    await approve();
    await allowed('tabs');
    expect((await shown()).drifts).toEqual([]);
    await allowed('tabs', 'history', 'all');
    expect((await shown()).drifts).toMatchObject([
      { launch_changed: false, new_permissions: ['all', 'history'] },
    ]);
  });

  it('allows a server in folders of its user, and no other program there', async () => {
    const { configured, approve, drifts } = await setUp();
    await configured('a', '-y', 'files', '~/Documents');
    await approve();
    await configured('b', '-y', 'files', '~/src');
    expect(await drifts()).toEqual([]);
    const evil = await configured('c', '--package=files', '-c', '[cut]');
    expect(await drifts()).toEqual([evil]);
  });

  it('suspends launches that the device left out, unless another device had the same launch', async () => {
    const { report, configured, approve, drifts, review } = await setUp();
    await configured('a', '-y', 'files');
    await approve();
    const instances = ['a', 'b'].map((text) => ({
      path: `/${text}`,
      launch_hash: text.repeat(64),
    }));
    const shown = [{ client: 'cursor', command: 'npx', args: ['-y', 'files'] }];
    const details = { configured: shown, cut: true };
    const longList = () => report({ kind: 'mcp_server', source: 'mcp_config', instances, details });
    const longer = await longList();
    expect(await drifts()).toEqual([longer]);
    await review();
    await longList();
    expect(await drifts()).toEqual([]);
  });

  it('ignores a device that no approval reaches, and takes no baseline from it', async () => {
    const { launched, approve, drifts } = await setUp();
    await launched('a');
    await approve({ scope: { kind: 'subscriber', subscriber_id: 'alice' } });
    await launched('b', aDevice(), 'bob');
    expect(await drifts()).toEqual([]);
    const hers = await launched('b', aDevice(), 'alice');
    expect(await drifts()).toEqual([hers]);
    // Who approves it for him has looked at what he has; hers waits on.
    await approve({ scope: { kind: 'subscriber', subscriber_id: 'bob' } });
    await launched('b', aDevice(), 'bob');
    expect(await drifts()).toEqual([hers]);
  });

  it('suspends launches that the device removed before and reports again', async () => {
    const { report, launched, approve, drifts } = await setUp();
    const device = aDevice();
    await launched('a');
    await launched('b', device);
    await report({ launch_hash: 'b'.repeat(64), removed: true }, device);
    await approve();
    await launched('b', device);
    expect(await drifts()).toEqual([device.device_id]);
  });

  it.each<[string, object, Partial<Entity>]>([
    ['a version', { version_below: '2.0' }, { version: '2.1' }],
    ['a publisher', { publisher: 'Example' }, { publisher: 'Other' }],
    ['a kind', { kind: 'ai_tool' }, { kind: 'mcp_server' }],
  ])(
    'suspends a launch when the product enters %s that bounds the approval',
    async (_, bound, outside) => {
      const { report, launched, approve, drifts } = await setUp();
      await launched('a');
      await approve({}, bound);
      const [other, plain] = [aDevice(), aDevice()];
      await report({ launch_hash: 'b'.repeat(64), ...outside }, other);
      await report({ launch_hash: 'a'.repeat(64), ...outside }, plain);
      expect(await drifts()).toEqual([]);
      await launched('b', other);
      await launched('a', plain);
      expect(await drifts()).toEqual([other.device_id]);
    },
  );

  it('suspends nothing of a blocked product or of an approval by name only', async () => {
    const { launched, approve, drifts } = await setUp();
    await launched('a');
    await approve({ approval_status: 'blocked', execution_policy: 'block' });
    await launched('b');
    expect(await drifts()).toEqual([]);
  });
});

describe('baseline of an approval', () => {
  it("takes the first device's launches when no device had the product", async () => {
    const { launched, approve, drifts } = await setUp();
    await approve();
    await launched('a');
    expect(await drifts()).toEqual([]);
    const other = await launched('b');
    expect(await drifts()).toEqual([other]);
  });

  it('takes the launches of the approved users, or of other users where the approved have none', async () => {
    const { launched, approve, drifts } = await setUp();
    const alices = { scope: { kind: 'subscriber', subscriber_id: 'alice' } };
    await launched('b', aDevice(), 'bob');
    await approve(alices);
    await launched('b');
    expect(await drifts()).toEqual([]);
    await launched('d', aDevice(), 'bob');
    const hers = await launched('d');
    expect(await drifts()).toEqual([hers]);

    const second = await setUp();
    await second.launched('a');
    await second.launched('b', aDevice(), 'bob');
    await second.approve(alices);
    const other = await second.launched('b');
    expect(await second.drifts()).toEqual([other]);
    await second.review();
    await second.launched('b');
    expect(await second.drifts()).toEqual([]);
  });

  it('takes no launches of other users after a review or when an approved user has the product', async () => {
    const { launched, approve, drifts } = await setUp();
    const scopeOf = (subscriber_id: string) => ({ scope: { kind: 'subscriber', subscriber_id } });
    const hers = aDevice();
    await launched('a', hers);
    await approve(scopeOf('alice'));
    await launched('e', aDevice(), 'bob');
    await launched('c', hers);
    expect(await drifts()).toEqual([hers.device_id]);
    await approve(scopeOf('carol'));
    const second = await launched('e');
    expect((await drifts()).sort()).toEqual([hers.device_id, second].sort());
  });

  it('compares launches however many variants are reported', async () => {
    const { tenantId, configured, approve, drifts } = await setUp();
    const first = await configured('a', '-y', 'files', '~/Documents');
    const { db } = hub.context.database;
    const copies = sql`(SELECT i, ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid AS id
      FROM generate_series(1, 5100) i)`;
    await sql`INSERT INTO devices SELECT (jsonb_populate_record(d, jsonb_build_object('device_id', c.id))).*
      FROM devices d, ${copies} c WHERE d.tenant_id = ${tenantId}`.execute(db);
    await sql`INSERT INTO entities SELECT (jsonb_populate_record(e, jsonb_build_object('device_id', c.id,
        'launch_hash', lpad(to_hex(c.i), 64, '0'), 'details', jsonb_set(e.details,
          '{configured,0,args,2}', to_jsonb('~/Documents/' || c.i))))).*
      FROM entities e, ${copies} c WHERE e.tenant_id = ${tenantId} AND e.device_id = ${first}`.execute(
      db,
    );
    await approve();
    await configured('b', '-y', 'files', '~/src');
    expect(await drifts()).toEqual([]);
    const evil = await configured('c', '-y', 'evil', '~/Documents');
    expect(await drifts()).toEqual([evil]);
  });

  it('forgets the baseline with the last approval, and loads it anew on the next approval', async () => {
    const { tenantId, call, launched, approve, drifts } = await setUp();
    const device = aDevice();
    await launched('a', device);
    const approval = await approve();
    expect((await call('DELETE', `/devices/${device.device_id}`)).status).toBe(200);
    await call('DELETE', `/overrides/${approval.override_id}`, undefined, approval.version);
    const { rows } = await sql`SELECT FROM launch_baselines WHERE tenant_id = ${tenantId}`.execute(
      hub.context.database.db,
    );
    expect(rows).toEqual([]);
    await launched('b');
    await approve();
    const other = await launched('a');
    expect(await drifts()).toEqual([other]);
  });

  it('forgets the baseline when the last approval is deleted with its user', async () => {
    const { tenantId, call, launched, approve } = await setUp();
    const scopeOf = (subscriber_id: string) => ({ scope: { kind: 'subscriber', subscriber_id } });
    await launched('a');
    await approve(scopeOf('alice'));
    await approve(scopeOf('bob'));
    const kept = async (erased: string) => {
      expect((await call('POST', `/people/${erased}/erase`, {})).status).toBe(200);
      const { rows } =
        await sql`SELECT FROM launch_baselines WHERE tenant_id = ${tenantId}`.execute(
          hub.context.database.db,
        );
      return rows.length;
    };
    expect(await kept('alice')).toBeGreaterThan(0);
    expect(await kept('bob')).toBe(0);
  });

  it('adds no later launches when the override changes without reaching more users', async () => {
    const { call, launched, approve, drifts } = await setUp();
    await launched('a');
    const scope = { kind: 'subscriber', subscriber_id: 'alice' };
    const approval = await approve({ scope });
    await launched('b', aDevice(), 'bob');
    const path = `/overrides/${approval.override_id}`;
    const changed = await call('PATCH', path, { reason: 'still' }, approval.version);
    expect(changed.status).toBe(200);
    const hers = await launched('b');
    expect(await drifts()).toEqual([hers]);
    const widened = { scope: { kind: 'tenant' } };
    await call('PATCH', path, widened, changed.body.override.version);
    await launched('b');
    expect(await drifts()).toEqual([]);
  });
});

describe('suspended launch', () => {
  it('stays suspended when it is approved for fewer users, or when an approval beside another is withdrawn', async () => {
    const { call, launched, approve, drifts } = await setUp();
    const device = aDevice();
    await launched('a');
    await launched('a', device);
    const approval = await approve();
    const bobs = aDevice();
    await launched('a', bobs, 'bob');
    await launched('b', bobs, 'bob');
    await launched('b', device);
    expect(await drifts()).toHaveLength(2);
    const path = `/overrides/${approval.override_id}`;
    const scope = { kind: 'subscriber', subscriber_id: 'alice' };
    expect((await call('PATCH', path, { scope }, approval.version)).status).toBe(200);
    expect(await drifts()).toEqual([device.device_id]);
    const hers = await launched('b');
    expect((await drifts()).sort()).toEqual([device.device_id, hers].sort());

    const second = await approve({ scope: { kind: 'device', device_id: device.device_id } });
    await call('DELETE', `/overrides/${second.override_id}`, undefined, second.version);
    expect((await drifts()).sort()).toEqual([device.device_id, hers].sort());
  });

  it('stays suspended when an override releases other devices', async () => {
    const { call, launched, approve, drifts } = await setUp();
    const scopeOf = (subscriber_id: string) => ({ scope: { kind: 'subscriber', subscriber_id } });
    await launched('a');
    const approval = await approve(scopeOf('bob'));
    const bobs = await launched('b', aDevice(), 'bob');
    expect(await drifts()).toEqual([bobs]);
    const path = `/overrides/${approval.override_id}`;
    expect((await call('PATCH', path, scopeOf('alice'), approval.version)).status).toBe(200);
    expect(await drifts()).toEqual([]);
    const hers = await launched('b');
    expect(await drifts()).toEqual([hers]);
  });
});

it("waits until the review when the device's setting suspended it", async () => {
  const { call, launched, approve, review } = await setUp();
  await launched('a');
  await approve();
  const { version } = (await call('GET', '/drift-policy')).body;
  await call('PUT', '/drift-policy', { policy: 'block' }, version);
  const other = await launched('b');
  const holds = async () =>
    (await call('GET', '/overrides')).body.items
      .filter((item: { drift_hold: boolean }) => item.drift_hold)
      .map((item: { scope: { device_id: string } }) => item.scope.device_id);
  await expect.poll(holds).toEqual([other]);
  await review();
  await expect.poll(holds).toEqual([]);
});
