// Creates, changes and deletes user groups for administrators and directories: each write records an audit event in the
// caller's transaction.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { GroupRole } from '@gatewarden/shared/wire/vocabulary.ts';
import { type By, recordAudit } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { applyGroupRoles, lockRoles, requireAdministrator } from '../identity/index.ts';
import {
  deleteGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  lockGroup,
  removeFromGroups,
  replaceMembers,
  selectMembersOf,
  updateGroup,
} from './store.ts';

export interface ByInTenant extends By {
  tenantId: string;
}

/** Features that refer to groups. */
export interface GroupDependents {
  /** Returns whether deleting the group would silently end something that refers to it. */
  isInUse(tx: Tx, tenantId: string, groupId: string): Promise<boolean>;
  /** Invalidates caches of memberships in every process when the transaction commits. */
  publishChange(tx: Tx, tenantId: string): Promise<void>;
  /** Invalidates caches of memberships in this process at once. */
  invalidate(tenantId: string): void;
}

/** A group and the folded addresses of its members, sorted. */
export interface GroupWithEmails {
  group: GroupRow;
  emails: string[];
}

export interface GroupChange {
  name?: string;
  description?: string;
  members?: readonly string[];
  externalId?: string | null;
  role?: GroupRole | null;
}

/** A group about to change: the group and all roles of the tenant are locked until the transaction ends. */
export interface LockedGroup {
  group: GroupRow;
  /** The administrators of the tenant before the change. */
  admins: readonly unknown[];
}

/** Locks the roles of the tenant and the group. Throws `not_found`. */
export async function lockGroupAndRoles(
  tx: Tx,
  tenantId: string,
  groupId: string,
): Promise<LockedGroup> {
  const admins = await lockRoles(tx, tenantId);
  const group = await lockGroup(tx, tenantId, groupId);
  if (group === null) throw new HubError('not_found');
  return { group, admins };
}

/** Creates a group with its members. Throws `already_exists` if the name is taken. */
export async function createGroup(
  tx: Tx,
  by: ByInTenant,
  { name, description = '', members = [], ...rest }: GroupChange & { name: string },
): Promise<GroupWithEmails> {
  const { externalId = null, role = null } = rest;
  const emails = foldEmails(members);
  const admins = await lockRoles(tx, by.tenantId);
  const group = await insertGroup(tx, by.tenantId, {
    group_id: randomUUID(),
    name,
    name_folded: foldName(name),
    description,
    external_id: externalId,
    role,
  });
  if (group === null) throw nameTakenError();
  await replaceMembers(tx, by.tenantId, group.group_id, emails);
  const roleChanges = role === null ? {} : await applyRoles(tx, by.tenantId, emails, admins);
  await recordGroupChange(tx, by, 'create', group, {
    name,
    ...roleDetail(role),
    members: toEmailRecords(emails),
    ...roleChanges,
  });
  return { group, emails };
}

/**
 * Changes the given fields of a group; omitted fields keep their values. Throws `already_exists`, `last_administrator`,
 * and `precondition_failed` if another writer was faster.
 */
export async function changeGroup(
  uses: Pick<GroupDependents, 'publishChange'>,
  tx: Tx,
  by: ByInTenant,
  { group: before, admins }: LockedGroup,
  change: GroupChange,
): Promise<GroupWithEmails> {
  const { tenantId } = by;
  const emailsBefore = await emailsOf(tx, tenantId, before.group_id);
  const { name = before.name, description = before.description } = change;
  const { externalId = before.external_id, role = before.role } = change;
  const emails = change.members === undefined ? emailsBefore : foldEmails(change.members);
  const isSame =
    name === before.name &&
    description === before.description &&
    externalId === before.external_id &&
    role === before.role &&
    JSON.stringify(emails) === JSON.stringify(emailsBefore);
  if (isSame) return { group: before, emails };
  const folded = foldName(name);
  if (await isNameTaken(tx, tenantId, folded, before.group_id)) throw nameTakenError();
  const group = await updateGroup(tx, tenantId, before, {
    name,
    name_folded: folded,
    description,
    external_id: externalId,
    role,
  });
  if (group === null) throw new HubError('precondition_failed');
  await replaceMembers(tx, tenantId, group.group_id, emails);
  const [emailsNow, emailsThen] = [new Set(emails), new Set(emailsBefore)];
  const affectsRoles = role !== null || before.role !== null;
  const roleChanges = affectsRoles
    ? await applyRoles(tx, tenantId, [...new Set([...emails, ...emailsBefore])], admins)
    : {};
  await recordGroupChange(tx, by, 'update', group, {
    name,
    description,
    ...(role === before.role ? roleDetail(role) : { role: { before: before.role, after: role } }),
    added: toEmailRecords(emails.filter((email) => !emailsThen.has(email))),
    removed: toEmailRecords(emailsBefore.filter((email) => !emailsNow.has(email))),
    ...roleChanges,
  });
  await uses.publishChange(tx, tenantId);
  return { group, emails };
}

/** Deletes a group. Throws `group_in_use`, and the errors of `changeGroup`. */
export async function removeGroup(
  uses: Pick<GroupDependents, 'isInUse' | 'publishChange'>,
  tx: Tx,
  by: ByInTenant,
  { group: before, admins }: LockedGroup,
): Promise<GroupRow> {
  const { tenantId } = by;
  if (await uses.isInUse(tx, tenantId, before.group_id)) {
    throw new HubError(
      'group_in_use',
      'This group is used by MCP access rules. Remove them first.',
    );
  }
  const emailsBefore = before.role === null ? [] : await emailsOf(tx, tenantId, before.group_id);
  const deleted = await deleteGroup(tx, tenantId, before);
  if (deleted === null) throw new HubError('precondition_failed');
  const roleChanges =
    before.role === null ? {} : await applyRoles(tx, tenantId, emailsBefore, admins);
  await recordGroupChange(tx, by, 'delete', deleted, {
    name: deleted.name,
    ...roleDetail(before.role),
    ...roleChanges,
  });
  await uses.publishChange(tx, tenantId);
  return deleted;
}

/**
 * Removes a person from all groups, with the roles that the groups gave. Returns the ids of the groups. Throws
 * `last_administrator`.
 */
export async function eraseMember(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<string[]> {
  const admins = await lockRoles(tx, tenantId);
  const groups = await removeFromGroups(tx, tenantId, emailFolded);
  if (groups.length > 0) await applyRoles(tx, tenantId, [emailFolded], admins);
  return groups;
}

/**
 * Applies the roles of these people after a change of their groups. Returns the changed roles for the audit trail; the
 * people concerned have them from their next request on. Throws `last_administrator`.
 */
async function applyRoles(
  tx: Tx,
  tenantId: string,
  emails: readonly string[],
  admins: readonly unknown[],
): Promise<{ roles?: object[] }> {
  const changed = (await applyGroupRoles(tx, tenantId, emails)).filter(
    (change) => change.before !== change.after,
  );
  if (changed.length === 0) return {};
  await requireAdministrator(tx, tenantId, admins);
  const keys = changed.map((change) => change.email_folded);
  await notify(tx, { kind: 'forget', cache: 'person', keys });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  return { roles: changed.map(({ email, before, after }) => ({ email, before, after })) };
}

const roleDetail = (role: GroupRole | null) => (role === null ? {} : { role });

/** Returns the folded addresses of the members of a group, sorted. */
export async function emailsOf(db: Db, tenantId: string, groupId: string): Promise<string[]> {
  return (await selectMembersOf(db, tenantId, [groupId]))
    .map((member) => member.email_folded)
    .sort();
}

const foldEmails = (emails: readonly string[]) => [...new Set(emails.map(foldName))].sort();

const nameTakenError = () =>
  new HubError('already_exists', 'Another user group has this name. Choose a different name.');

/** Returns the addresses as the audit trail records people: each in a field of its own, so that it can be erased. */
const toEmailRecords = (emails: readonly string[]) => emails.map((email) => ({ email }));

async function recordGroupChange(
  tx: Tx,
  by: ByInTenant,
  verb: AuditVerb<'people_group'>,
  group: GroupRow,
  detail: object,
): Promise<void> {
  // Pages of the MCP gateway show groups too, because access policies name them.
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'mcp' });
  await recordAudit(tx, {
    ...by,
    operation: `people_group.${verb}`,
    resource: { kind: 'people_group', id: group.group_id },
    detail,
  });
}
