// Software that arrived while an approval was not in effect was not reviewed: once the approval is in effect again, or
// starts, the software waits. Software that arrives during the approval itself waits as well.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anApprovedSkill } from '../../../../../test/support/approved-skill.ts';
import { aDevice } from '../../../../../test/support/builders.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { endSchedules } from '../../../../../test/support/jobs.ts';
import { applyTimedDecisions } from '../overrides/apply-timed-decisions.ts';
import { rolloutAdmits } from '../sync/snapshot.ts';
import { reconcileApprovals } from './reconcile-job.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  await endSchedules(hub);
});
afterAll(() => hub.stop());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const setUp = (over: object) => anApprovedSkill(hub, over);

it.each([
  ['for everybody', { kind: 'tenant' }],
  ['for a single person', { kind: 'subscriber', subscriber_id: 'alice' }],
])(
  'suspends unseen launches under an approval %s that is extended after its end',
  async (_, scope) => {
    const { launched, patch, timesAre, drifts } = await setUp({ scope, expires_at: inHours(1) });
    await timesAre(null, inHours(-1));
    await launched('a');
    const other = await launched('b');
    expect(await drifts()).toEqual([]);
    await patch({ expires_at: inHours(2) });
    expect(await drifts()).toEqual([other]);
    // Prolonged before it ends, it is no review, and holds nothing anew.
    await patch({ expires_at: inHours(3), reason: 'still' });
    await launched('a');
    expect((await drifts()).length).toBeLessThan(2);
  },
);

it('suspends unseen launches when an approval starts', async () => {
  const { launched, timesAre, drifts } = await setUp({ effective_at: inHours(1) });
  const other = await launched('b');
  expect(await drifts()).toEqual([]);
  await timesAre(new Date(Date.now() - 60_000).toISOString(), null);
  await reconcileApprovals(hub.context.database.db);
  expect(await drifts()).toEqual([other]);
});

it('suspends unseen launches when an approval reaches more devices', async () => {
  const { overrideId, launched, patch, drifts } = await setUp({ rollout_percent: 1 });
  const notYet = () => {
    for (;;) {
      const device = aDevice();
      if (!rolloutAdmits(overrideId, device.device_id, 1)) return device;
    }
  };
  await launched('a', notYet());
  const other = await launched('b', notYet());
  expect(await drifts()).toEqual([]);
  await patch({ rollout_percent: 100 });
  expect(await drifts()).toEqual([other]);
});

it('suspends nothing when an approval replaces another approval', async () => {
  const { entityId, launched, decide, timesAre, drifts } = await setUp({
    execution_policy: 'warn',
    expires_at: inHours(1),
  });
  await decide({});
  await launched('a');
  const { db } = hub.context.database;
  // Simulates a newer agent that reports the same launch in another form.
  const id = Buffer.from(entityId, 'hex');
  await sql`DELETE FROM launch_baselines WHERE entity_id = ${id}
    AND kind = 'fingerprint'`.execute(db);
  await timesAre(null, inHours(-1));
  await applyTimedDecisions(db);
  expect(await drifts()).toEqual([]);
});

it('suspends launches that arrive during the approval within minutes', async () => {
  const { launched, drifts } = await setUp({});
  const other = await launched('b');
  await launched('a');
  const { db } = hub.context.database;
  // As ingest leaves it that commits while the approval has not.
  await sql`DELETE FROM product_drifts WHERE device_id = ${other}`.execute(db);
  expect(await drifts()).toEqual([]);
  await Promise.all([reconcileApprovals(db), reconcileApprovals(db)]);
  expect(await drifts()).toEqual([other]);
});

const scopedTo = (subscriber_id: string) => ({ scope: { kind: 'subscriber', subscriber_id } });

it('suspends launches of a device that an administrator moves to a user', async () => {
  const { launched, wasDecided, drifts } = await setUp(scopedTo('alice'));
  await wasDecided(9);
  const device = aDevice();
  await launched('b', device, 'bob');
  const plain = await launched('a', aDevice(), 'bob');
  for (const id of [device.device_id, plain]) {
    const body = { subscriber_id: 'alice' };
    expect((await hub.console('POST', `/devices/${id}/move`, { body })).status).toBe(200);
  }
  await reconcileApprovals(hub.context.database.db);
  expect(await drifts()).toEqual([device.device_id]);
});

it('suspends launches of a device without a token that names another user', async () => {
  const { launched, wasDecided, drifts } = await setUp(scopedTo('alice'));
  await wasDecided(9);
  const device = aDevice();
  for (const person of ['bob', 'alice']) await launched('b', device, person);
  const plain = aDevice();
  for (const person of ['bob', 'alice']) await launched('a', plain, person);
  await reconcileApprovals(hub.context.database.db);
  expect(await drifts()).toEqual([device.device_id]);
});

it('suspends launches of a device that joins a group, under no other approval', async () => {
  const made = await hub.console('POST', '/device-groups', { body: { name: randomUUID() } });
  const { group_id: groupId } = made.body.group;
  const { launched, wasDecided, drifts } = await setUp({
    scope: { kind: 'group', group_id: groupId },
  });
  await wasDecided(9);
  const other = await setUp(scopedTo('nobody'));
  const join = async (id: string) => {
    const path = `/device-groups/${groupId}/devices/${id}`;
    expect((await hub.console('PUT', path, {})).status).toBe(200);
  };
  const device = aDevice();
  await launched('b', device);
  await join(device.device_id);
  await join(await other.launched('b'));
  await join(await launched('a'));
  await reconcileApprovals(hub.context.database.db);
  expect(await drifts()).toEqual([device.device_id]);
  expect(await other.drifts()).toEqual([]);
});

it('suspends unseen launches when an approval for a user starts by itself', async () => {
  const { launched, timesAre, drifts } = await setUp({
    ...scopedTo('alice'),
    effective_at: inHours(1),
  });
  const other = await launched('b');
  await launched('b', aDevice(), 'bob');
  const { db } = hub.context.database;
  await reconcileApprovals(db);
  expect(await drifts()).toEqual([]);
  await timesAre(new Date(Date.now() - 60_000).toISOString(), null);
  await reconcileApprovals(db);
  expect(await drifts()).toEqual([other]);
});

it('suspends unseen launches when a bound approval for everybody starts by itself', async () => {
  const { overrideId, launched, timesAre, drifts } = await setUp({ effective_at: inHours(1) });
  const other = await launched('b');
  const { db } = hub.context.database;
  await sql`UPDATE overrides SET match = match || '{"kind":"ai_tool"}'
    WHERE override_id = ${overrideId}`.execute(db);
  await timesAre(new Date(Date.now() - 60_000).toISOString(), null);
  await reconcileApprovals(db);
  expect(await drifts()).toEqual([other]);
});

it('does not mark launches outside a rollout as seen when somebody else is approved', async () => {
  const { overrideId, launched, decide, patch, drifts } = await setUp({ rollout_percent: 1 });
  const device = aDevice();
  if (rolloutAdmits(overrideId, device.device_id, 1)) device.device_id = aDevice().device_id;
  await launched('b', device, 'bob');
  await decide(scopedTo('carol'));
  await patch({ rollout_percent: 100 });
  expect(await drifts()).toEqual([device.device_id]);
});

it.each([
  ['a staged block', { approval_status: 'blocked', execution_policy: 'block', rollout_percent: 1 }],
  [
    'a planned block',
    { approval_status: 'blocked', execution_policy: 'block', effective_at: inHours(99) },
  ],
  ['an approval that reaches nobody', { rollout_percent: 0 }],
])('does not review waiting launches with %s', async (_, over) => {
  const { launched, decide, drifts } = await setUp({});
  const device = aDevice();
  await launched('a', device);
  await launched('b', device);
  await decide(over);
  expect(await drifts()).toEqual([device.device_id]);
  const other = await launched('b');
  expect((await drifts()).sort()).toEqual([device.device_id, other].sort());
});

it('does not review waiting launches with a changed note, severity or end', async () => {
  const { launched, patch, drifts } = await setUp({ expires_at: inHours(9) });
  const device = aDevice();
  await launched('a', device);
  await launched('b', device);
  for (const change of [{ reason: 'typo' }, { severity: 'low' }, { expires_at: inHours(5) }]) {
    await patch(change);
    expect(await drifts()).toEqual([device.device_id]);
  }
  await patch({ execution_policy: 'monitor' });
  expect(await drifts()).toEqual([]);
});

it("takes the first device's launches as the baseline of an early approval for a few users", async () => {
  const { entityId, launched, drifts } = await setUp(scopedTo('alice'));
  const { db } = hub.context.database;
  const id = Buffer.from(entityId, 'hex');
  await sql`DELETE FROM entities WHERE entity_id = ${id}`.execute(db);
  await sql`DELETE FROM launch_baselines WHERE entity_id = ${id}`.execute(db);
  await launched('e', aDevice(), 'bob');
  await launched('a');
  expect(await drifts()).toEqual([]);
  const other = await launched('e');
  expect(await drifts()).toEqual([other]);
});
