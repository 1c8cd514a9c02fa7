// Launches that come under an approval are reviewed after any downtime of the hub and any delay of their commit.
// Requests do not wait for the review where nothing is unseen.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { anApprovedSkill } from '../../../../../test/support/approved-skill.ts';
import { aDevice } from '../../../../../test/support/builders.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { endSchedules } from '../../../../../test/support/jobs.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';
import { reconcileApprovals } from './reconcile-job.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  await endSchedules(hub);
});
afterAll(() => hub.stop());
beforeEach(() => lookedLast('0 minutes'));

const db = () => hub.context.database.db;

/** As where the job looked at all so long ago. */
const lookedLast = (ago: string) =>
  sql`UPDATE installation SET reconciled_until = now() - ${ago}::interval`.execute(db());

async function lookedAfter(time: Date): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    SELECT reconciled_until > ${time}::timestamptz AS is FROM installation`.execute(db());
  return rows[0]?.is === true;
}

async function aGroup() {
  const made = await hub.console('POST', '/device-groups', { body: { name: randomUUID() } });
  const { group_id: groupId } = made.body.group;
  return {
    scope: { kind: 'group', group_id: groupId },
    async join(deviceId: string, ago: string) {
      const path = `/device-groups/${groupId}/devices/${deviceId}`;
      expect((await hub.console('PUT', path, {})).status).toBe(200);
      await sql`UPDATE device_group_members SET added_at = now() - ${ago}::interval
        WHERE device_id = ${deviceId}`.execute(db());
    },
  };
}

/** Approved long ago for a group that a device with something else joined since. */
async function aJoining(ago: string, hash = 'b') {
  const group = await aGroup();
  const skill = await anApprovedSkill(hub, { scope: group.scope });
  await skill.wasDecided(99);
  const device = await skill.launched(hash);
  await group.join(device, ago);
  return { ...skill, device };
}

it('suspends launches of a device that joined while no hub ran', async () => {
  const { device, drifts } = await aJoining('5 hours');
  await lookedLast('6 hours');
  const changed: string[] = [];
  await reconcileApprovals(db(), async (_tx, tenantId) => void changed.push(tenantId));
  expect(await drifts()).toEqual([device]);
  // Whoever holds what waits does so at once.
  expect(changed).toEqual([hub.tenantId]);
});

it('suspends launches of devices that were moved while no hub ran', async () => {
  const scope = { kind: 'subscriber', subscriber_id: 'alice' };
  const { launched, wasDecided, drifts } = await anApprovedSkill(hub, { scope });
  await wasDecided(99);
  const moved = await launched('b', aDevice(), 'bob');
  const body = { subscriber_id: 'alice' };
  expect((await hub.console('POST', `/devices/${moved}/move`, { body })).status).toBe(200);
  await sql`UPDATE device_tenures SET until = ${shiftTime('until', '-5 hours')}`.execute(db());
  const device = aDevice();
  for (const person of ['bob', 'alice']) await launched('b', device, person);
  await sql`UPDATE devices
    SET subscriber_changed_at = ${shiftTime('subscriber_changed_at', '-5 hours')}
    WHERE device_id = ${device.device_id}`.execute(db());
  await lookedLast('6 hours');
  await reconcileApprovals(db());
  expect((await drifts()).sort()).toEqual([moved, device.device_id].sort());
});

it('suspends launches under approvals that started while no hub ran', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const fiveHoursAgo = new Date(Date.now() - 5 * 3_600_000).toISOString();
  for (const scope of [{ kind: 'subscriber', subscriber_id: 'alice' }, { kind: 'tenant' }]) {
    const skill = await anApprovedSkill(hub, { scope, effective_at: inAnHour });
    await skill.wasDecided(99);
    const device = await skill.launched('b');
    await skill.timesAre(fiveHoursAgo, null);
    await lookedLast('6 hours');
    await reconcileApprovals(db());
    expect(await skill.drifts()).toEqual([device]);
  }
});

it('reviews again after a review whose clock was ahead', async () => {
  const { device, drifts } = await aJoining('10 seconds');
  await lookedLast('-1 day');
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([device]);
  expect(await lookedAfter(new Date(Date.now() + 3_600_000))).toBe(false);
});

it('does not reread devices that joined before the last review', async () => {
  const { drifts } = await aJoining('20 minutes');
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([]);
});

it('retries a failed suspension, and completes the others', async () => {
  const { device, drifts } = await aJoining('30 minutes');
  await lookedLast('6 hours');
  // A constraint, for a distributed table has no triggers.
  const drifted = sql.table('product_drifts');
  await sql`ALTER TABLE ${drifted} ADD CONSTRAINT refuse CHECK (false) NOT VALID`.execute(db());
  const other = await aJoining('1 minute', 'a');
  await expect(reconcileApprovals(db())).rejects.toThrow('some approvals were not compared');
  expect(await lookedAfter(new Date(Date.now() - 1_800_000))).toBe(false);
  await sql`ALTER TABLE ${drifted} DROP CONSTRAINT refuse`.execute(db());
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([device]);
  expect(await other.drifts()).toEqual([]);
});

it('reviews launches of a transaction that was open during the job in its next run', async () => {
  const { device, drifts } = await aJoining('5 hours');
  const { began, end } = await hub.context.database.pool.connect().then(async (client) => {
    await client.query('BEGIN');
    const { rows } = await client.query<{ now: Date }>('SELECT now()');
    await client.query(
      `UPDATE device_group_members SET added_at = now() - interval '1 second' WHERE device_id = $1`,
      [device],
    );
    const end = () => client.query('COMMIT').finally(() => client.release());
    return { began: rows[0]?.now ?? new Date(0), end };
  });
  await lookedLast('1 hour');
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([]);
  await end();
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([device]);
  expect(await lookedAfter(began)).toBe(true);
});

it('answers a decision without waiting for an empty review', async () => {
  await aJoining('1 minute', 'a');
  const client = await hub.context.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM feeds WHERE tenant_id = $1 FOR UPDATE', [hub.tenantId]);
    await expect(reconcileApprovals(db())).resolves.toBeUndefined();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('suspends a device with unusually many permissions only once', async () => {
  const group = await aGroup();
  const {
    tell: report,
    review,
    wasDecided,
    drifts,
  } = await anApprovedSkill(hub, { scope: group.scope });
  await wasDecided(99);
  const permissions = Array.from({ length: 600 }, (_, i) => `permission ${i}`);
  const instances = [0, 1, 2].map((i) => ({
    path: `/${i}`,
    permissions: permissions.slice(200 * i, 200 * (i + 1)),
  }));
  const device = await report({ instances }, aDevice(), 'alice');
  await group.join(device, '1 minute');
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([device]);
  await review();
  await lookedLast('0 minutes');
  await reconcileApprovals(db());
  expect(await drifts()).toEqual([]);
});
