// What the operator changes about a person from the command line: the way back where nobody else can sign in.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { byOperator, givePassword } from './give-password.ts';
import { lockRoles, settleRoles } from './lifted-store.ts';
import { newPasswordHash } from './passwords.ts';
import { operationOf, type Standing, standingOf } from './standing.ts';
import { selectUser, type UserRecord, updateUser } from './user-store.ts';

interface OperatorsChange {
  role?: Role;
  /** Who was disabled may sign in again. */
  enable?: boolean;
  /** Of the embedded login provider; holds in every tenant of the person. */
  password?: string | null;
}

/**
 * What is left out stays. With a new password all sessions of the person end, and one who had none gets an account.
 * Throws ConfigError where the tenant has no such person.
 */
export async function changeUser(
  db: Db,
  tenantId: string,
  userId: string,
  change: OperatorsChange,
): Promise<{ user_id: string; email: string; role: Role; given_role: Role; disabled: boolean }> {
  const { password = null } = change;
  const passwordHash = password === null ? null : await newPasswordHash(password);
  const after = await transact(db, async (tx) => {
    await lockRoles(tx, tenantId);
    const before = await selectUser(tx, tenantId, userId);
    if (before === null) throw new ConfigError(`there is no user ${userId} in this tenant`);
    const changed = await changeStanding(tx, tenantId, before, {
      role: change.role ?? before.given_role,
      disabled: before.disabled_at !== null && change.enable !== true,
    });
    if (passwordHash !== null) {
      const { email, email_folded: emailFolded } = changed;
      const by = byOperator({ tenant_id: tenantId, user_id: userId });
      await givePassword(tx, { email, emailFolded }, passwordHash, by);
    }
    return changed;
  });
  const { email, role, given_role, disabled_at } = after;
  return { user_id: userId, email, role, given_role, disabled: disabled_at !== null };
}

async function changeStanding(
  tx: Tx,
  tenantId: string,
  before: UserRecord,
  wanted: Standing,
): Promise<UserRecord> {
  const { user_id: userId, email, email_folded: folded } = before;
  const isSame =
    wanted.role === before.given_role && wanted.disabled === (before.disabled_at !== null);
  if (isSame) return before;
  if (!(await updateUser(tx, tenantId, before, wanted))) {
    throw new ConfigError(`somebody else changed ${email} just now: try again`);
  }
  await settleRoles(tx, tenantId, [folded]);
  const after = (await selectUser(tx, tenantId, userId)) ?? before;
  await notify(tx, { kind: 'forget', cache: 'person', keys: [folded] });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  await recordAudit(tx, {
    tenantId,
    actor: OPERATOR,
    operation: operationOf(standingOf(before), standingOf(after)),
    resource: { kind: 'user', id: userId },
    requestId: null,
    detail: { email, before: standingOf(before), after: standingOf(after) },
  });
  return after;
}
