// What a directory's word does to the people of a tenant: each with its audit event, in one transaction.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type ByInTenant, eraseMember, type GroupUses, renameMember } from '../groups/index.ts';
import {
  keepAnAdministrator,
  lockRoles,
  madeAs,
  operationOf,
  settleRole,
  settleRoles,
  standingOf,
} from '../identity/index.ts';
import { ScimFault } from './faults.ts';
import type { WantedUser } from './resources.ts';
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
  groups: GroupUses;
}

export interface ScimDeps extends ScimWrites {
  /** The hub's, for the addresses of resources. */
  origin: string;
}

/** Whom the directory deleted before comes back under their former id. Throws `uniqueness`. */
export function createUser(
  deps: ScimWrites,
  by: ByInTenant,
  wanted: WantedUser,
): Promise<ScimUserRow> {
  return written(deps, by, async (tx) => {
    const values = valuesOf(wanted);
    const admins = await lockRoles(tx, by.tenantId);
    const namesakes = await selectNamesakes(tx, by.tenantId, {
      userName: values.userNameFolded,
      email: values.emailFolded,
    });
    const former = namesakes.find((one) => one.email_folded === values.emailFolded);
    if (namesakes.some((one) => one !== former || !isGone(one))) throw isTaken();
    if (former !== undefined) return changed(deps, tx, by, { before: former, admins }, values);
    const made = await insertScimUser(tx, by.tenantId, randomUUID(), values);
    if (made === null) throw isTaken();
    const role = await settleRole(tx, by.tenantId, made);
    await told(tx, by, 'user.create', made, madeAs(made.email, made.role, role));
    return standing(tx, by.tenantId, made);
  });
}

/**
 * `wantedOf` says what the directory wants of the person as they are; one whose version is none of `versions` is
 * `precondition_failed`, null takes any. Throws `not_found`, `uniqueness` and `last_administrator`.
 */
export async function changeUser(
  deps: ScimWrites,
  by: ByInTenant,
  userId: string,
  versions: readonly number[] | null,
  wantedOf: (before: ScimUserRow) => Promise<WantedUser>,
): Promise<ScimUserRow> {
  return written(deps, by, async (tx) => {
    const { before, admins } = await locked(tx, by.tenantId, userId, versions);
    const values = valuesOf(await wantedOf(before));
    const namesakes = await selectNamesakes(tx, by.tenantId, {
      userName: values.userNameFolded,
      email: values.emailFolded,
    });
    if (namesakes.some((one) => one.user_id !== before.user_id)) throw isTaken();
    return changed(deps, tx, by, { before, admins }, values);
  });
}

/** They may not sign in any more, are in no group, and the directory sees them no more. */
export async function removeUser(
  deps: ScimWrites,
  by: ByInTenant,
  userId: string,
  versions: readonly number[] | null,
): Promise<void> {
  await written(deps, by, async (tx) => {
    const { before, admins } = await locked(tx, by.tenantId, userId, versions);
    const gone = await deprovision(tx, by.tenantId, before);
    if (gone === null) throw new HubError('precondition_failed');
    const groups = await eraseMember(tx, by.tenantId, before.email_folded);
    await keepAnAdministrator(tx, by.tenantId, admins);
    await groupsChanged(deps, tx, by, groups);
    await told(tx, by, 'user.deprovision', gone, { email: gone.email, groups });
  });
}

/** Throws `uniqueness` where another took the name or the address at the same moment. */
async function written<Written>(
  { db, groups }: ScimWrites,
  by: ByInTenant,
  work: (tx: Tx) => Promise<Written>,
): Promise<Written> {
  try {
    return await transact(db, work);
  } catch (error) {
    throw (error as { code?: unknown }).code === '23505' ? isTaken() : error;
  } finally {
    groups.forget(by.tenantId);
  }
}

async function groupsChanged(
  { groups }: ScimWrites,
  tx: Tx,
  by: ByInTenant,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await groups.changed(tx, by.tenantId);
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'mcp' });
}

/** A person as they are, and who administers; nobody else writes to them until the transaction ends. */
interface Locked {
  before: ScimUserRow;
  admins: readonly { user_id: string }[];
}

async function locked(
  tx: Tx,
  tenantId: string,
  userId: string,
  versions: readonly number[] | null,
): Promise<Locked> {
  const admins = await lockRoles(tx, tenantId);
  const before = await selectScimUser(tx, tenantId, userId);
  if (before === null) throw new HubError('not_found');
  if (versions !== null && !versions.includes(before.version)) {
    throw new HubError('precondition_failed');
  }
  return { before, admins };
}

async function changed(
  deps: ScimWrites,
  tx: Tx,
  by: ByInTenant,
  { before, admins }: Locked,
  values: ScimUserValues,
): Promise<ScimUserRow> {
  const isSame = !isGone(before) && JSON.stringify(valuesIn(before)) === JSON.stringify(values);
  if (isSame) return before;
  const after = await updateScimUser(tx, by.tenantId, before, values);
  if (after === null) throw new HubError('precondition_failed');
  if (after.email_folded !== before.email_folded) {
    const groups = await renameMember(tx, by.tenantId, before.email_folded, after.email_folded);
    await groupsChanged(deps, tx, by, groups);
    await notify(tx, { kind: 'forget', cache: 'person', keys: [before.email_folded] });
  }
  await settleRoles(tx, by.tenantId, [after.email_folded]);
  await keepAnAdministrator(tx, by.tenantId, admins);
  await told(tx, by, operationOf(standingOf(before), standingOf(after)), after, {
    email: before.email,
    before: standingOf(before),
    after: standingOf(after),
    ...(after.email === before.email ? {} : { renamed_to: { email: after.email } }),
  });
  return standing(tx, by.tenantId, after);
}

/** With the version that the roles of their groups left them. */
const standing = async (tx: Tx, tenantId: string, row: ScimUserRow): Promise<ScimUserRow> =>
  (await selectScimUser(tx, tenantId, row.user_id)) ?? row;

function valuesOf(wanted: WantedUser): ScimUserValues {
  const { userName, email, role, externalId, profile } = wanted;
  return {
    email,
    emailFolded: foldName(email),
    userName,
    userNameFolded: foldName(userName),
    role,
    externalId,
    profile,
    isActive: wanted.active,
  };
}

const valuesIn = (row: ScimUserRow): ScimUserValues => ({
  email: row.email,
  emailFolded: row.email_folded,
  userName: row.user_name ?? '',
  userNameFolded: foldName(row.user_name ?? ''),
  role: row.role,
  externalId: row.external_id,
  profile: row.profile ?? {},
  isActive: row.disabled_at === null,
});

const isGone = (row: ScimUserRow) => row.deprovisioned_at !== null && row.disabled_at !== null;

const isTaken = () =>
  new ScimFault('uniqueness', 'Another user already has this userName or e-mail address.');

async function told(
  tx: Tx,
  by: ByInTenant,
  operation: AuditOperation,
  user: ScimUserRow,
  detail: object,
): Promise<void> {
  // Open event streams end: the person may see less now, or nothing.
  await notify(tx, { kind: 'forget', cache: 'person', keys: [user.email_folded] });
  await notify(tx, { kind: 'page', tenant: by.tenantId, topic: 'people' });
  await recordAudit(tx, { ...by, operation, resource: { kind: 'user', id: user.user_id }, detail });
}
