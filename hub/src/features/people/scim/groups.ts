// What a directory's word does to groups of people. Who is in a group by hand and is no user stays in it.
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  type ByInTenant,
  changeGroup,
  createGroup,
  emailsOf,
  holdGroup,
  removeGroup,
  selectMembersOf,
} from '../groups/index.ts';
import { ScimFault } from './faults.ts';
import type { WantedGroup } from './resources.ts';
import { type ScimGroupRow, type ScimUserRow, selectUsersAmong } from './store.ts';
import type { ScimWrites } from './users.ts';

type Member = Pick<ScimUserRow, 'user_id' | 'email' | 'email_folded'>;
export interface GroupWithUsers {
  group: ScimGroupRow;
  members: Member[];
}

/** Those of the groups' people that the directory sees. */
export async function usersIn(
  db: Db,
  tenantId: string,
  groups: readonly ScimGroupRow[],
): Promise<GroupWithUsers[]> {
  const rows = await selectMembersOf(
    db,
    tenantId,
    groups.map((one) => one.group_id),
  );
  const emails = [...new Set(rows.map((one) => one.email_folded))];
  const users = await selectUsersAmong(db, tenantId, { emails });
  const byEmail = new Map(users.map((one) => [one.email_folded, one]));
  const byGroup = Map.groupBy(rows, (one) => one.group_id);
  return groups.map((group) => ({
    group,
    members: (byGroup.get(group.group_id) ?? []).flatMap(
      (one) => byEmail.get(one.email_folded) ?? [],
    ),
  }));
}

/** Throws `uniqueness`, and `invalidValue` for members that are no users. */
export async function newGroup(
  { db }: ScimWrites,
  by: ByInTenant,
  wanted: WantedGroup,
): Promise<GroupWithUsers> {
  return transact(db, async (tx) => {
    const members = await usersWith(tx, by.tenantId, wanted.members);
    const { group } = await createGroup(tx, by, {
      name: wanted.displayName,
      externalId: wanted.externalId,
      members: members.map((one) => one.email),
    });
    return { group, members };
  });
}

/** As `changeUser`, for a group. */
export async function changedGroup(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  groupId: string,
  versions: readonly number[] | null,
  wantedOf: (before: GroupWithUsers) => Promise<WantedGroup>,
): Promise<GroupWithUsers> {
  const after = await transact(db, async (tx) => {
    const held = await existing(tx, by.tenantId, groupId, versions);
    const [known] = await usersIn(tx, by.tenantId, [held.group]);
    const wanted = await wantedOf(known ?? { group: held.group, members: [] });
    const members = await usersWith(tx, by.tenantId, wanted.members);
    const users = new Set((known?.members ?? []).map((one) => one.email_folded));
    const byHand = (await emailsOf(tx, by.tenantId, groupId)).filter((one) => !users.has(one));
    const { group } = await changeGroup(groups, tx, by, held, {
      name: wanted.displayName,
      externalId: wanted.externalId,
      members: [...byHand, ...members.map((one) => one.email)],
    });
    return { group, members };
  });
  groups.forget(by.tenantId);
  return after;
}

export async function endGroup(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  groupId: string,
  versions: readonly number[] | null,
): Promise<void> {
  await transact(db, async (tx) => {
    await removeGroup(groups, tx, by, await existing(tx, by.tenantId, groupId, versions));
  });
  groups.forget(by.tenantId);
}

async function existing(
  tx: Tx,
  tenantId: string,
  groupId: string,
  versions: readonly number[] | null,
) {
  const held = await holdGroup(tx, tenantId, groupId);
  if (versions !== null && !versions.includes(held.group.version)) {
    throw new HubError('precondition_failed');
  }
  return held;
}

async function usersWith(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Member[]> {
  const users = await selectUsersAmong(tx, tenantId, { ids });
  if (users.length === ids.length) return users;
  const known = new Set(users.map((one) => one.user_id));
  const missing = ids.find((one) => !known.has(one));
  throw new ScimFault('invalidValue', `members names ${missing}, which is no user.`);
}
