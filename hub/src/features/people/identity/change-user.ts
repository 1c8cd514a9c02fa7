// Changes of a user by the operator at the command line: recovery when no administrator can sign in.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { auditOperationOf, type MemberState, memberStateOf } from './member-state.ts';
import { newPasswordHash } from './passwords.ts';
import { applyGroupRoles, lockRoles } from './role-store.ts';
import { byOperator, setPassword } from './set-password.ts';
import { selectUser, type UserRecord, updateUser } from './user-store.ts';

interface OperatorChange {
  role?: Role;
  /** Enables a disabled user again. */
  enable?: boolean;
  /** A new password of the embedded login provider, which applies in every tenant of the user. */
  password?: string | null;
}

/**
 * Changes the given fields of a user; omitted fields keep their values. A new password ends all sessions of the user,
 * and creates the account if there is none. Throws ConfigError if the tenant has no such user.
 */
export async function changeUser(
  db: Db,
  tenantId: string,
  userId: string,
  change: OperatorChange,
): Promise<{ user_id: string; email: string; role: Role; given_role: Role; disabled: boolean }> {
  const { password = null } = change;
  const passwordHash = password === null ? null : await newPasswordHash(password);
  const after = await transact(db, async (tx) => {
    await lockRoles(tx, tenantId);
    const before = await selectUser(tx, tenantId, userId);
    if (before === null) throw new ConfigError(`there is no user ${userId} in this tenant`);
    const user = await updateMemberState(tx, tenantId, before, {
      role: change.role ?? before.given_role,
      disabled: before.disabled_at !== null && change.enable !== true,
    });
    if (passwordHash !== null) {
      const { email, email_folded: emailFolded } = user;
      const passwordChange = byOperator({ tenant_id: tenantId, user_id: userId });
      await setPassword(tx, { email, emailFolded }, passwordHash, passwordChange);
    }
    return user;
  });
  const { email, role, given_role, disabled_at } = after;
  return { user_id: userId, email, role, given_role, disabled: disabled_at !== null };
}

async function updateMemberState(
  tx: Tx,
  tenantId: string,
  before: UserRecord,
  after: MemberState,
): Promise<UserRecord> {
  const { user_id: userId, email, email_folded: folded } = before;
  const isSame =
    after.role === before.given_role && after.disabled === (before.disabled_at !== null);
  if (isSame) return before;
  if (!(await updateUser(tx, tenantId, before, after))) {
    throw new ConfigError(`somebody else changed ${email} just now: try again`);
  }
  await applyGroupRoles(tx, tenantId, [folded]);
  const stored = (await selectUser(tx, tenantId, userId)) ?? before;
  await notify(tx, { kind: 'forget', cache: 'person', keys: [folded] });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  await recordAudit(tx, {
    tenantId,
    actor: OPERATOR,
    operation: auditOperationOf(memberStateOf(before), memberStateOf(stored)),
    resource: { kind: 'user', id: userId },
    requestId: null,
    detail: { email, before: memberStateOf(before), after: memberStateOf(stored) },
  });
  return stored;
}
