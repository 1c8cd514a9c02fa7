// Groups by rule follow what devices and their people are: at once where the rule changes, within a minute where those do.
// Memberships are stored like those that people add by hand, so overrides, channels and previews make no difference.
import { foldName } from '@gatewarden/shared/names.ts';
import type { GroupRule } from '@gatewarden/shared/wire/console/device-groups.ts';
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { selectNamesByMember } from '../../people/groups/index.ts';
import { type DeviceFacts, ruleTakes } from './membership-query.ts';
import {
  type DeviceRow,
  type RuledGroup,
  selectDevices,
  selectMemberIds,
  selectRuledGroups,
  writeMembers,
} from './membership-query-store.ts';
import { selectGroup } from './store.ts';

const ACTOR: Actor = { kind: 'hub', id: 'device-groups', email: null };
/** The author of memberships that a query created. */
const BY_RULE = 'by rule';
/** The number of devices that an audit event names; further devices are counted. */
const NAMED_MAX = 100;

type Ruled = Pick<RuledGroup, 'group_id' | 'rule'>;

type DeviceFactsRow = DeviceRow & DeviceFacts;

const asksForPeople = ({ conditions }: GroupRule) =>
  conditions.some((condition) => condition.field === 'people_group');

/** Whoever a directory or an administrator puts into a group of people takes their devices along. */
async function factsOf(
  db: Db,
  tenantId: string,
  rules: readonly GroupRule[],
): Promise<DeviceFactsRow[]> {
  const devices = await selectDevices(db, tenantId);
  const people = rules.some(asksForPeople) ? await selectNamesByMember(db, tenantId) : [];
  const namesOf = new Map(people.map((person) => [person.email_folded, person.names]));
  return devices.map((device) => ({
    ...device,
    people_group: namesOf.get(foldName(device.subscriber_id)) ?? [],
  }));
}

const fitting = (rule: GroupRule, devices: readonly DeviceFactsRow[]) =>
  devices.filter((device) => ruleTakes(rule, device));

async function differenceOf(
  db: Db,
  tenantId: string,
  { group_id: groupId, rule }: Ruled,
  devices: readonly DeviceFactsRow[],
): Promise<{ joined: string[]; left: string[]; count: number }> {
  const members = await selectMemberIds(db, tenantId, groupId);
  const taken = new Set(fitting(rule, devices).map((deviceFacts) => deviceFacts.device_id));
  return {
    joined: [...taken].filter((id) => !members.has(id)),
    left: [...members].filter((id) => !taken.has(id)),
    count: taken.size,
  };
}

/**
 * Applies the group's query in the transaction of a write with this feed number. Returns who joined, who
 * left, and how many are in it.
 */
export async function applyRule(tx: Tx, tenantId: string, group: Ruled, revision: number) {
  const change = await differenceOf(tx, tenantId, group, await factsOf(tx, tenantId, [group.rule]));
  const { joined, left } = change;
  await writeMembers(tx, tenantId, {
    groupId: group.group_id,
    revision,
    joined,
    left,
    by: BY_RULE,
  });
  return change;
}

/** The devices that a rule would take in. */
export async function takenBy(
  db: Db,
  tenantId: string,
  rule: GroupRule,
): Promise<DeviceFactsRow[]> {
  return fitting(rule, await factsOf(db, tenantId, [rule]));
}

/** Lets every group by rule follow. Safe to repeat, by many hubs at once. One that fails keeps no other back. */
export async function followRules(db: Db): Promise<void> {
  let tenantId = '';
  let devices: DeviceFactsRow[] = [];
  const groups = await selectRuledGroups(db);
  await forEachIsolated(groups, 'some groups could not follow', async (group) => {
    if (tenantId !== group.tenant_id) {
      const ofTenant = groups.filter((row) => row.tenant_id === group.tenant_id);
      devices = await factsOf(
        db,
        group.tenant_id,
        ofTenant.map((row) => row.rule),
      );
      tenantId = group.tenant_id;
    }
    const { joined, left } = await differenceOf(db, tenantId, group, devices);
    if (joined.length + left.length > 0) await follow(db, group);
  });
}

async function follow(db: Db, { tenant_id: tenantId, group_id: groupId }: RuledGroup) {
  await transact(db, async (tx) => {
    const revision = await advanceFeed(tx, tenantId, 'governance');
    // Behind the feed's lock: the group, its rule or the devices may have changed while we waited.
    const group = await selectGroup(tx, tenantId, groupId);
    if (group === null || group.rule === null) return;
    const { rule, name } = group;
    const { joined, left } = await applyRule(tx, tenantId, { group_id: groupId, rule }, revision);
    if (joined.length + left.length === 0) return;
    await recordAudit(tx, {
      tenantId,
      actor: ACTOR,
      operation: 'device_group.follow_rule',
      resource: { kind: 'device_group', id: groupId },
      requestId: null,
      detail: {
        name,
        joined: joined.slice(0, NAMED_MAX),
        joined_count: joined.length,
        left: left.slice(0, NAMED_MAX),
        left_count: left.length,
      },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'device-groups' });
  });
}
