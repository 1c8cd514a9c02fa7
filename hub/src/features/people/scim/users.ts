// Writes of a directory to the users of a tenant, each with its audit event in one transaction.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  type ByInTenant,
  eraseMember,
  type GroupDependents,
  renameMember,
} from '../groups/index.ts';
import {
  applyGroupRole,
  applyGroupRoles,
  auditOperationOf,
  creationDetail,
  lockRoles,
  memberStateOf,
  requireAdministrator,
} from '../identity/index.ts';
import { ScimError } from './errors.ts';
import type { UserInput } from './resources.ts';
import {
  deprovision,
  insertScimUser,
  type ScimUserRow,
  type ScimUserValues,
  selectNamesakes,
  selectScimUser,
  updateScimUser,
} from './store.ts';

export interface ScimWrites {
  db: Db;
  groups: GroupDependents;
}

export interface ScimDeps extends ScimWrites {
  /** The hub's origin, for the locations of resources. */
  origin: string;
}

/** Creates a user. A user whom the directory deleted before returns with their former id. Throws `uniqueness`. */
export function createUser(
  deps: ScimWrites,
  by: ByInTenant,
  input: UserInput,
): Promise<ScimUserRow> {
  return transactWrite(deps, by, async (tx) => {
    const values = toValues(input);
    const admins = await lockRoles(tx, by.tenantId);
    const namesakes = await selectNamesakes(tx, by.tenantId, {
      userName: values.userNameFolded,
      email: values.emailFolded,
    });
    const deprovisioned = namesakes.find((user) => user.email_folded === values.emailFolded);
    if (namesakes.some((user) => user !== deprovisioned || !isDeprovisioned(user)))
      throw duplicateError();
    if (deprovisioned !== undefined)
      return updateUser(deps, tx, by, { before: deprovisioned, admins }, values);
    const inserted = await insertScimUser(tx, by.tenantId, randomUUID(), values);
    if (inserted === null) throw duplicateError();
    const role = await applyGroupRole(tx, by.tenantId, inserted);
    await recordUserChange(
      tx,
      by,
      'user.create',
      inserted,
      creationDetail(inserted.email, inserted.role, role),
    );
    return reload(tx, by.tenantId, inserted);
  });
}

/**
 * Changes a user to the result of `wantedOf`. `versions`: the accepted versions, null for any. Throws `not_found`,
 * `uniqueness`, `precondition_failed` and `last_administrator`.
 */
export async function changeUser(
  deps: ScimWrites,
  by: ByInTenant,
  userId: string,
  versions: readonly number[] | null,
  applyTo: (before: ScimUserRow) => Promise<UserInput>,
): Promise<ScimUserRow> {
  return transactWrite(deps, by, async (tx) => {
    const { before, admins } = await lockUser(tx, by.tenantId, userId, versions);
    const values = toValues(await applyTo(before));
    const namesakes = await selectNamesakes(tx, by.tenantId, {
      userName: values.userNameFolded,
      email: values.emailFolded,
    });
    if (namesakes.some((user) => user.user_id !== before.user_id)) throw duplicateError();
    return updateUser(deps, tx, by, { before, admins }, values);
  });
}

/** Deprovisions a user: they cannot sign in, are in no group, and the directory does not see them any more. */
export async function removeUser(
  deps: ScimWrites,
  by: ByInTenant,
  userId: string,
  versions: readonly number[] | null,
): Promise<void> {
  await transactWrite(deps, by, async (tx) => {
    const { before, admins } = await lockUser(tx, by.tenantId, userId, versions);
    const deprovisioned = await deprovision(tx, by.tenantId, before);
    if (deprovisioned === null) throw new HubError('precondition_failed');
    const groups = await eraseMember(tx, by.tenantId, before.email_folded);
    await requireAdministrator(tx, by.tenantId, admins);
    await publishGroupChange(deps, tx, by, groups);
    await recordUserChange(tx, by, 'user.deprovision', deprovisioned, {
      email: deprovisioned.email,
      groups,
    });
  });
}

/** Runs a write in a transaction. Throws `uniqueness` if a concurrent write took the name or the address. */
async function transactWrite<Result>(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(db, work);
  } catch (error) {
    throw (error as { code?: unknown }).code === '23505' ? duplicateError() : error;
  } finally {
    groups.invalidate(by.tenantId);
  }
}

async function publishGroupChange(
  { groups }: ScimWrites,
  tx: Tx,
  by: ByInTenant,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await groups.publishChange(tx, by.tenantId);
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'mcp' });
}

/** A user and the administrators of the tenant, locked until the transaction ends. */
interface LockedUser {
  before: ScimUserRow;
  admins: readonly { user_id: string }[];
}

async function lockUser(
  tx: Tx,
  tenantId: string,
  userId: string,
  versions: readonly number[] | null,
): Promise<LockedUser> {
  const admins = await lockRoles(tx, tenantId);
  const before = await selectScimUser(tx, tenantId, userId);
  if (before === null) throw new HubError('not_found');
  if (versions !== null && !versions.includes(before.version)) {
    throw new HubError('precondition_failed');
  }
  return { before, admins };
}

async function updateUser(
  deps: ScimWrites,
  tx: Tx,
  by: ByInTenant,
  { before, admins }: LockedUser,
  values: ScimUserValues,
): Promise<ScimUserRow> {
  const isSame =
    !isDeprovisioned(before) && JSON.stringify(storedValues(before)) === JSON.stringify(values);
  if (isSame) return before;
  const after = await updateScimUser(tx, by.tenantId, before, values);
  if (after === null) throw new HubError('precondition_failed');
  if (after.email_folded !== before.email_folded) {
    const groups = await renameMember(tx, by.tenantId, before.email_folded, after.email_folded);
    await publishGroupChange(deps, tx, by, groups);
    await notify(tx, { kind: 'forget', cache: 'person', keys: [before.email_folded] });
  }
  await applyGroupRoles(tx, by.tenantId, [after.email_folded]);
  await requireAdministrator(tx, by.tenantId, admins);
  await recordUserChange(
    tx,
    by,
    auditOperationOf(memberStateOf(before), memberStateOf(after)),
    after,
    {
      email: before.email,
      before: memberStateOf(before),
      after: memberStateOf(after),
      ...(after.email === before.email ? {} : { renamed_to: { email: after.email } }),
    },
  );
  return reload(tx, by.tenantId, after);
}

/** Returns the user with the version after the roles of their groups were applied. */
const reload = async (tx: Tx, tenantId: string, row: ScimUserRow): Promise<ScimUserRow> =>
  (await selectScimUser(tx, tenantId, row.user_id)) ?? row;

function toValues(input: UserInput): ScimUserValues {
  const { userName, email, role, externalId, profile } = input;
  return {
    email,
    emailFolded: foldName(email),
    userName,
    userNameFolded: foldName(userName),
    role,
    externalId,
    profile,
    isActive: input.active,
  };
}

const storedValues = (row: ScimUserRow): ScimUserValues => ({
  email: row.email,
  emailFolded: row.email_folded,
  userName: row.user_name ?? '',
  userNameFolded: foldName(row.user_name ?? ''),
  role: row.role,
  externalId: row.external_id,
  profile: row.profile ?? {},
  isActive: row.disabled_at === null,
});

const isDeprovisioned = (row: ScimUserRow) =>
  row.deprovisioned_at !== null && row.disabled_at !== null;

const duplicateError = () =>
  new ScimError('uniqueness', 'Another user already has this userName or e-mail address.');

async function recordUserChange(
  tx: Tx,
  by: ByInTenant,
  operation: AuditOperation,
  user: ScimUserRow,
  detail: object,
): Promise<void> {
  // Open event streams end: the user may see less now, or nothing.
  await notify(tx, { kind: 'forget', cache: 'person', keys: [user.email_folded] });
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'people' });
  await recordAudit(tx, { ...by, operation, resource: { kind: 'user', id: user.user_id }, detail });
}
