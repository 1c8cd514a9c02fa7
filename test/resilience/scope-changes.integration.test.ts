// Devices enter and leave scopes while people change overrides and each poll reaches another hub: each device ends with
// the same overrides as after a resync.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Follower, follower } from '../support/follower.ts';
import { groupCalls } from '../support/group-calls.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';

const STEPS = Number(process.env.GATEWARDEN_STEPS ?? 150);
const DEVICES = 6;
const PEOPLE = ['alice', 'bob', 'carol'];

let hubs: TestHub[];
beforeAll(async () => {
  const config = { ...hubConfig(await cloneDatabase()), deviceRate: 100_000, tokenRate: 1_000_000 };
  hubs = [await startTestHub(config)];
  hubs.push(await startTestHub(config));
});
afterAll(async () => {
  for (const hub of [...(hubs ?? [])].reverse()) await hub.stop();
});

function pickRandom<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

it(`converges with a resync after ${STEPS} changes of overrides, groups, owners and rollouts`, {
  timeout: 120_000 + STEPS * 2_000,
}, async () => {
  const [hub] = hubs as [TestHub];
  const anywhere = Object.defineProperty({ ...hub }, 'url', {
    get: () => pickRandom(hubs).url,
  }) as TestHub;
  const { call, enrolled, aGroup, put, remove } = groupCalls(() => hub);
  const groups = [await aGroup(), await aGroup(), await aGroup()].map(({ group_id }) => group_id);
  const devices: string[] = [];
  for (let i = 0; i < DEVICES; i++) devices.push(await enrolled());
  const people = new Map(devices.map((id) => [id, 'alice']));
  const follows = (device: string, limit: number) =>
    follower(anywhere, device, { limit, subscriber: () => people.get(device) as string });
  const followers = devices.map((id, i) => follows(id, 1 + i * 2));
  const own: { override_id: string; version: string }[] = [];
  const log: string[] = [];
  const scope = () =>
    pickRandom([
      { kind: 'tenant' },
      { kind: 'group', group_id: pickRandom(groups) },
      { kind: 'group', group_id: pickRandom(groups) },
      { kind: 'subscriber', subscriber_id: pickRandom(PEOPLE) },
      { kind: 'device', device_id: pickRandom(devices) },
    ]);
  const steps = {
    async decide() {
      const body = {
        match: { name: `app ${randomUUID()}` },
        ...{ approval_status: 'approved', execution_policy: 'allow' },
        scope: scope(),
        rollout_percent: pickRandom([100, 100, 50, 10]),
      };
      const created = await call('POST', '/overrides', { body });
      expect(created.status).toBe(201);
      own.push(created.body.override);
      return `${created.body.override.override_id} ${JSON.stringify(body.scope)} ${body.rollout_percent}`;
    },
    async revise() {
      const n = Math.floor(Math.random() * own.length);
      const override = own[n];
      if (override === undefined) return '';
      const body = pickRandom([
        { scope: scope() },
        { rollout_percent: pickRandom([0, 10, 50, 100]) },
      ]);
      const changed = await call('PATCH', `/overrides/${override.override_id}`, {
        body,
        headers: { 'if-match': override.version },
      });
      expect(changed.status).toBe(200);
      own[n] = changed.body.override;
      return `${override.override_id} ${JSON.stringify(body)}`;
    },
    async withdraw() {
      const [override] = own.splice(Math.floor(Math.random() * own.length), 1);
      if (override === undefined) return '';
      const { status } = await call('DELETE', `/overrides/${override.override_id}`, {
        headers: { 'if-match': override.version },
      });
      expect([200, 204]).toContain(status);
      return override.override_id;
    },
    async enter() {
      const [group, device] = [pickRandom(groups), pickRandom(devices)];
      expect([200, 201, 204]).toContain((await put(group, device)).status);
      return `${group} ${device}`;
    },
    async leave() {
      const [group, device] = [pickRandom(groups), pickRandom(devices)];
      expect([200, 204, 404]).toContain((await remove(group, device)).status);
      return `${group} ${device}`;
    },
    async move() {
      const [device, subscriber_id] = [pickRandom(devices), pickRandom(PEOPLE)];
      const { status } = await call('POST', `/devices/${device}/move`, { body: { subscriber_id } });
      expect(status).toBe(200);
      people.set(device, subscriber_id);
      // The other process may hear of it a moment later, and refuses the new owner until then.
      const headers = { 'x-device-id': device, 'x-subscriber-id': subscriber_id };
      for (const { url } of hubs) {
        const polled = () => deviceCall({ ...hub, url }, 'GET', '/ea/v1/sync/delta', { headers });
        await expect.poll(async () => (await polled()).status).toBe(200);
      }
      return `${device} ${subscriber_id}`;
    },
    async poll() {
      const n = Math.floor(Math.random() * DEVICES);
      await (followers[n] as Follower).pull();
      return devices[n];
    },
  };
  const names = [
    'decide',
    'decide',
    'revise',
    'withdraw',
    'enter',
    'enter',
    'leave',
    'leave',
    'move',
    'poll',
    'poll',
    'poll',
  ] as const;
  for (let i = 0; i < STEPS; i++) {
    const name = pickRandom(names);
    log.push(`${name} ${await steps[name]()}`);
  }
  // Another process may hear of the last ones a moment later.
  for (const [i, device] of devices.entries()) {
    const seen = async () => {
      await (followers[i] as Follower).pull();
      const anew = follows(device, 500);
      await anew.pull();
      return {
        followed: (followers[i] as Follower).ids(),
        anew: anew.ids(),
        missing: (await inScope(device, 100)).filter((id) => !anew.overrides.has(id)),
        wrong: await inScope(device, 1).then((all) => anew.ids().filter((id) => !all.includes(id))),
      };
    };
    const isRight = async () => {
      const { followed, anew, missing, wrong } = await seen();
      return followed.join() === anew.join() && missing.length + wrong.length === 0;
    };
    await expect
      .poll(isRight)
      .toBe(true)
      .catch(async (error) => {
        throw new Error(`${device}: ${JSON.stringify(await seen())}\n${log.join('\n')}`, {
          cause: error,
        });
      });
  }

  /** Lists the device's overrides by a query of the tables, with at least this rollout percentage. */
  async function inScope(device: string, percent: number): Promise<string[]> {
    const { rows } = await hub.context.database.pool.query<{ override_id: string }>(
      `SELECT override_id FROM overrides WHERE tenant_id = $1 AND NOT deleted AND rollout_percent >= $4
       AND (scope_kind = 'tenant' OR (scope_kind = 'device' AND scope_id = $2)
         OR (scope_kind = 'subscriber' AND scope_id = $3)
         OR (scope_kind = 'group' AND scope_id IN (SELECT group_id::text FROM device_group_members
           WHERE tenant_id = $1 AND device_id = $2::uuid)))`,
      [hub.tenantId, device, people.get(device), percent],
    );
    return rows.map((row) => row.override_id);
  }
});
