// Groups of people as they are made, changed and removed, by whomever: each with its audit event, in the caller's
// transaction.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { type By, recordAudit } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors.ts';
import {
  deleteGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  replaceMembers,
  selectMembersOf,
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
}

/** Throws `already_exists` where the name is taken. */
export async function createGroup(
  tx: Tx,
  by: ByInTenant,
  { name, description = '', members = [], externalId = null }: GroupChange & { name: string },
): Promise<GroupWithEmails> {
  const emails = foldedOnce(members);
  const group = await insertGroup(tx, by.tenantId, {
    group_id: randomUUID(),
    name,
    name_folded: foldName(name),
    description,
    external_id: externalId,
  });
  if (group === null) throw taken();
  await replaceMembers(tx, by.tenantId, group.group_id, emails);
  await told(tx, by, 'create', group, { name, members: named(emails) });
  return { group, emails };
}

/** What is left out stays. Throws `already_exists` and, where another was faster, `precondition_failed`. */
export async function changeGroup(
  uses: Pick<GroupUses, 'changed'>,
  tx: Tx,
  by: ByInTenant,
  before: GroupRow,
  change: GroupChange,
): Promise<GroupWithEmails> {
  const { tenantId } = by;
  const were = await emailsOf(tx, tenantId, before.group_id);
  const { name = before.name, description = before.description } = change;
  const { externalId = before.external_id } = change;
  const emails = change.members === undefined ? were : foldedOnce(change.members);
  const isSame =
    name === before.name &&
    description === before.description &&
    externalId === before.external_id &&
    JSON.stringify(emails) === JSON.stringify(were);
  if (isSame) return { group: before, emails };
  const folded = foldName(name);
  if (await isNameTaken(tx, tenantId, folded, before.group_id)) throw taken();
  const group = await updateGroup(tx, tenantId, before, {
    name,
    name_folded: folded,
    description,
    external_id: externalId,
  });
  if (group === null) throw new HubError('precondition_failed');
  await replaceMembers(tx, tenantId, group.group_id, emails);
  const [now, then] = [new Set(emails), new Set(were)];
  await told(tx, by, 'update', group, {
    name,
    description,
    added: named(emails.filter((one) => !then.has(one))),
    removed: named(were.filter((one) => !now.has(one))),
  });
  await uses.changed(tx, tenantId);
  return { group, emails };
}

/** Throws `group_in_use` and, where another was faster, `precondition_failed`. */
export async function removeGroup(
  uses: Pick<GroupUses, 'isInUse' | 'changed'>,
  tx: Tx,
  by: ByInTenant,
  before: GroupRow,
): Promise<GroupRow> {
  const { tenantId } = by;
  if (await uses.isInUse(tx, tenantId, before.group_id)) {
    throw new HubError('group_in_use', 'Rules of the MCP gateway name this group.');
  }
  const deleted = await deleteGroup(tx, tenantId, before);
  if (deleted === null) throw new HubError('precondition_failed');
  await told(tx, by, 'delete', deleted, { name: deleted.name });
  await uses.changed(tx, tenantId);
  return deleted;
}

export async function emailsOf(db: Db, tenantId: string, groupId: string): Promise<string[]> {
  return (await selectMembersOf(db, tenantId, [groupId])).map((one) => one.email_folded).sort();
}

const foldedOnce = (emails: readonly string[]) => [...new Set(emails.map(foldName))].sort();

const taken = () => new HubError('already_exists', '/name is taken by another group.');

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
