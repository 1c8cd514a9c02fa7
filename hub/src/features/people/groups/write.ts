// Groups of people as they are made, changed and removed, by whomever: each with its audit event, in the caller's
// transaction.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { GroupRole } from '@gatewarden/shared/wire/vocabulary.ts';
import { type By, recordAudit } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { keepAnAdministrator, lockRoles, settleRoles } from '../identity/index.ts';
import {
  deleteGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  lockGroup,
  replaceMembers,
  selectMembersOf,
  takeOut,
  updateGroup,
} from './store.ts';

export interface ByInTenant extends By {
  tenantId: string;
}

/** What others make of groups. */
export interface GroupUses {
  /** What would end silently, because its group is gone. */
  isInUse(tx: Tx, tenantId: string, groupId: string): Promise<boolean>;
  /** Who is in a group has changed; in every process when the transaction commits. */
  changed(tx: Tx, tenantId: string): Promise<void>;
  /** The same, in this process, at once. */
  forget(tenantId: string): void;
}

/** A group and the folded addresses of who is in it, sorted. */
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

/** One that is about to be changed: nobody else changes it, or anybody's role, until the transaction ends. */
export interface HeldGroup {
  group: GroupRow;
  /** Who administers the tenant now. */
  admins: readonly unknown[];
}

/** Throws `not_found`. */
export async function holdGroup(tx: Tx, tenantId: string, groupId: string): Promise<HeldGroup> {
  const admins = await lockRoles(tx, tenantId);
  const group = await lockGroup(tx, tenantId, groupId);
  if (group === null) throw new HubError('not_found');
  return { group, admins };
}

/** Throws `already_exists` where the name is taken. */
export async function createGroup(
  tx: Tx,
  by: ByInTenant,
  { name, description = '', members = [], ...rest }: GroupChange & { name: string },
): Promise<GroupWithEmails> {
  const { externalId = null, role = null } = rest;
  const emails = foldedOnce(members);
  const admins = await lockRoles(tx, by.tenantId);
  const group = await insertGroup(tx, by.tenantId, {
    group_id: randomUUID(),
    name,
    name_folded: foldName(name),
    description,
    external_id: externalId,
    role,
  });
  if (group === null) throw taken();
  await replaceMembers(tx, by.tenantId, group.group_id, emails);
  const lifted = role === null ? {} : await settled(tx, by.tenantId, emails, admins);
  await told(tx, by, 'create', group, { name, ...saidOf(role), members: named(emails), ...lifted });
  return { group, emails };
}

/**
 * What is left out stays. Throws `already_exists`, `last_administrator` and, where another was faster,
 * `precondition_failed`.
 */
export async function changeGroup(
  uses: Pick<GroupUses, 'changed'>,
  tx: Tx,
  by: ByInTenant,
  { group: before, admins }: HeldGroup,
  change: GroupChange,
): Promise<GroupWithEmails> {
  const { tenantId } = by;
  const were = await emailsOf(tx, tenantId, before.group_id);
  const { name = before.name, description = before.description } = change;
  const { externalId = before.external_id, role = before.role } = change;
  const emails = change.members === undefined ? were : foldedOnce(change.members);
  const isSame =
    name === before.name &&
    description === before.description &&
    externalId === before.external_id &&
    role === before.role &&
    JSON.stringify(emails) === JSON.stringify(were);
  if (isSame) return { group: before, emails };
  const folded = foldName(name);
  if (await isNameTaken(tx, tenantId, folded, before.group_id)) throw taken();
  const group = await updateGroup(tx, tenantId, before, {
    name,
    name_folded: folded,
    description,
    external_id: externalId,
    role,
  });
  if (group === null) throw new HubError('precondition_failed');
  await replaceMembers(tx, tenantId, group.group_id, emails);
  const [now, then] = [new Set(emails), new Set(were)];
  const lifts = role !== null || before.role !== null;
  const lifted = lifts
    ? await settled(tx, tenantId, [...new Set([...emails, ...were])], admins)
    : {};
  await told(tx, by, 'update', group, {
    name,
    description,
    ...(role === before.role ? saidOf(role) : { role: { before: before.role, after: role } }),
    added: named(emails.filter((one) => !then.has(one))),
    removed: named(were.filter((one) => !now.has(one))),
    ...lifted,
  });
  await uses.changed(tx, tenantId);
  return { group, emails };
}

/** As `changeGroup`; throws `group_in_use`, too. */
export async function removeGroup(
  uses: Pick<GroupUses, 'isInUse' | 'changed'>,
  tx: Tx,
  by: ByInTenant,
  { group: before, admins }: HeldGroup,
): Promise<GroupRow> {
  const { tenantId } = by;
  if (await uses.isInUse(tx, tenantId, before.group_id)) {
    throw new HubError(
      'group_in_use',
      'This group is used by MCP access rules. Remove them first.',
    );
  }
  const were = before.role === null ? [] : await emailsOf(tx, tenantId, before.group_id);
  const deleted = await deleteGroup(tx, tenantId, before);
  if (deleted === null) throw new HubError('precondition_failed');
  const lifted = before.role === null ? {} : await settled(tx, tenantId, were, admins);
  await told(tx, by, 'delete', deleted, {
    name: deleted.name,
    ...saidOf(before.role),
    ...lifted,
  });
  await uses.changed(tx, tenantId);
  return deleted;
}

/**
 * A person is forgotten: in no group any more, and with the role that they were given. Gives the groups that they were
 * in. Throws `last_administrator`.
 */
export async function eraseMember(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<string[]> {
  const admins = await lockRoles(tx, tenantId);
  const groups = await takeOut(tx, tenantId, emailFolded);
  if (groups.length > 0) await settled(tx, tenantId, [emailFolded], admins);
  return groups;
}

/** What the trail says of the roles that followed; whose they are see it with their next request. */
async function settled(
  tx: Tx,
  tenantId: string,
  emails: readonly string[],
  admins: readonly unknown[],
): Promise<{ roles?: object[] }> {
  const lifted = (await settleRoles(tx, tenantId, emails)).filter(
    (one) => one.before !== one.after,
  );
  if (lifted.length === 0) return {};
  await keepAnAdministrator(tx, tenantId, admins);
  const keys = lifted.map((one) => one.email_folded);
  await notify(tx, { kind: 'forget', cache: 'person', keys });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  return { roles: lifted.map(({ email, before, after }) => ({ email, before, after })) };
}

const saidOf = (role: GroupRole | null) => (role === null ? {} : { role });

export async function emailsOf(db: Db, tenantId: string, groupId: string): Promise<string[]> {
  return (await selectMembersOf(db, tenantId, [groupId])).map((one) => one.email_folded).sort();
}

const foldedOnce = (emails: readonly string[]) => [...new Set(emails.map(foldName))].sort();

const taken = () =>
  new HubError('already_exists', 'Another user group has this name. Choose a different name.');

/** As the audit trail names people: by a field of its own, so that one can be forgotten. */
const named = (emails: readonly string[]) => emails.map((email) => ({ email }));

async function told(
  tx: Tx,
  by: ByInTenant,
  verb: AuditVerb<'people_group'>,
  group: GroupRow,
  detail: object,
): Promise<void> {
  // Its pages are among those of the MCP gateway, whose rules name groups.
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'mcp' });
  await recordAudit(tx, {
    ...by,
    operation: `people_group.${verb}`,
    resource: { kind: 'people_group', id: group.group_id },
    detail,
  });
}
