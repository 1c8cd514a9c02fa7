// An approval for a few devices or users compares only their launches, however many others have the product.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anApprovedSkill } from '../../../../../test/support/approved-skill.ts';
import { aDevice } from '../../../../../test/support/builders.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { transact } from '../../../platform/db/database.ts';
import { loadApprovalAudience } from './approvals.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** Returns the devices from which launches are read; null: all devices with the app. */
async function asked(entityId: string) {
  const { db } = hub.context.database;
  const meant = await transact(db, (tx) => loadApprovalAudience(tx, hub.tenantId, entityId));
  return meant === 'everybody' ? meant : (meant.only?.toSorted() ?? null);
}

const ofPerson = (subscriber_id: string) => ({ scope: { kind: 'subscriber', subscriber_id } });

it('reads launches of the approved user and device', async () => {
  const [person, other] = [`p-${randomUUID()}`, `p-${randomUUID()}`];
  const skill = await anApprovedSkill(hub, ofPerson(person));
  expect(await asked(skill.entityId)).toEqual([]);
  const theirs = await skill.launched('a', aDevice(), person);
  const device = await skill.launched('a', aDevice(), other);
  await skill.launched('a', aDevice(), other);
  expect(await asked(skill.entityId)).toEqual([theirs]);
  await skill.decide({ scope: { kind: 'device', device_id: device } });
  expect(await asked(skill.entityId)).toEqual([theirs, device].sort());
  const later = await skill.launched('b', aDevice(), person);
  expect((await skill.drifts()).includes(later)).toBe(true);
});

it('reads all launches when an approval is for a group or a rollout', async () => {
  const { body } = await hub.console('POST', '/device-groups', { body: { name: randomUUID() } });
  const group = { scope: { kind: 'group', group_id: body.group.group_id } };
  const grouped = await anApprovedSkill(hub, ofPerson('alice'));
  await grouped.decide(group);
  expect(await asked(grouped.entityId)).toBeNull();
  const { entityId, decide } = await anApprovedSkill(hub, ofPerson('alice'));
  await decide({ match: { entity_id: entityId, kind: 'ai_tool' } });
  expect(await asked(entityId)).toBeNull();
  await decide({});
  expect(await asked(entityId)).toBe('everybody');
});

it('reads all launches when the approvals name more users than the limit', async () => {
  const { entityId, decide } = await anApprovedSkill(hub, ofPerson('alice'));
  for (let i = 1; i < 50; i++) await decide(ofPerson(`p-${i}`));
  expect(await asked(entityId)).not.toBeNull();
  await decide(ofPerson('p-50'));
  expect(await asked(entityId)).toBeNull();
});
