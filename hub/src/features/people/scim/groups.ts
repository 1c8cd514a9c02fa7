// Writes of a directory to user groups. A member who was added by hand and is no user stays in the group.
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  type ByInTenant,
  changeGroup,
  createGroup,
  emailsOf,
  lockGroupAndRoles,
  removeGroup,
  selectMembersOf,
} from '../groups/index.ts';
import { ScimError } from './errors.ts';
import type { GroupInput } from './resources.ts';
import { type ScimGroupRow, type ScimUserRow, selectUsersAmong } from './store.ts';
import type { ScimWrites } from './users.ts';

type Member = Pick<ScimUserRow, 'user_id' | 'email' | 'email_folded'>;
export interface GroupWithUsers {
  group: ScimGroupRow;
  members: Member[];
}

/** Returns the members of each group that the directory can see. */
export async function loadGroupUsers(
  db: Db,
  tenantId: string,
  groups: readonly ScimGroupRow[],
): Promise<GroupWithUsers[]> {
  const rows = await selectMembersOf(
    db,
    tenantId,
    groups.map((group) => group.group_id),
  );
  const emails = [...new Set(rows.map((row) => row.email_folded))];
  const users = await selectUsersAmong(db, tenantId, { emails });
  const byEmail = new Map(users.map((user) => [user.email_folded, user]));
  const byGroup = Map.groupBy(rows, (row) => row.group_id);
  return groups.map((group) => ({
    group,
    members: (byGroup.get(group.group_id) ?? []).flatMap(
      (row) => byEmail.get(row.email_folded) ?? [],
    ),
  }));
}

/** Creates a group. Throws `uniqueness`, and `invalidValue` for members that are no users. */
export async function createScimGroup(
  { db }: ScimWrites,
  by: ByInTenant,
  input: GroupInput,
): Promise<GroupWithUsers> {
  return transact(db, async (tx) => {
    const members = await requireUsers(tx, by.tenantId, input.members);
    const { group } = await createGroup(tx, by, {
      name: input.displayName,
      externalId: input.externalId,
      members: members.map((member) => member.email),
    });
    return { group, members };
  });
}

/**
 * Changes a group to the result of `wantedOf`. Throws `not_found`, `uniqueness`, `precondition_failed` and
 * `last_administrator`.
 */
export async function changeScimGroup(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  groupId: string,
  versions: readonly number[] | null,
  applyTo: (before: GroupWithUsers) => Promise<GroupInput>,
): Promise<GroupWithUsers> {
  const after = await transact(db, async (tx) => {
    const locked = await lockVersion(tx, by.tenantId, groupId, versions);
    const [current] = await loadGroupUsers(tx, by.tenantId, [locked.group]);
    const input = await applyTo(current ?? { group: locked.group, members: [] });
    const members = await requireUsers(tx, by.tenantId, input.members);
    const userEmails = new Set((current?.members ?? []).map((user) => user.email_folded));
    const byHand = (await emailsOf(tx, by.tenantId, groupId)).filter(
      (email) => !userEmails.has(email),
    );
    const { group } = await changeGroup(groups, tx, by, locked, {
      name: input.displayName,
      externalId: input.externalId,
      members: [...byHand, ...members.map((user) => user.email)],
    });
    return { group, members };
  });
  groups.invalidate(by.tenantId);
  return after;
}

/** Deletes a group. Throws `not_found`, `precondition_failed` and `group_in_use`. */
export async function deleteScimGroup(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  groupId: string,
  versions: readonly number[] | null,
): Promise<void> {
  await transact(db, async (tx) => {
    await removeGroup(groups, tx, by, await lockVersion(tx, by.tenantId, groupId, versions));
  });
  groups.invalidate(by.tenantId);
}

async function lockVersion(
  tx: Tx,
  tenantId: string,
  groupId: string,
  versions: readonly number[] | null,
) {
  const locked = await lockGroupAndRoles(tx, tenantId, groupId);
  if (versions !== null && !versions.includes(locked.group.version)) {
    throw new HubError('precondition_failed');
  }
  return locked;
}

async function requireUsers(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Member[]> {
  const users = await selectUsersAmong(tx, tenantId, { ids });
  if (users.length === ids.length) return users;
  const knownIds = new Set(users.map((user) => user.user_id));
  const missing = ids.find((id) => !knownIds.has(id));
  throw new ScimError('invalidValue', `members names ${missing}, which is no user.`);
}
