// Sets a password of the embedded login provider: the sessions of the account end, and each tenant of the user records
// it in its audit trail.
import { type Actor, OPERATOR, recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { deleteSignIns } from './oidc-store.ts';
import { deleteSessionsOf } from './session-store.ts';
import { selectMemberships, upsertAccount, verifyAccount } from './store.ts';

interface InTenant {
  tenant_id: string;
  user_id: string;
}

interface PasswordChange {
  requestId: string | null;
  /** The hash of the session that continues; null ends all sessions. */
  keptSession: Buffer | null;
  actorIn(member: InTenant): Actor;
  /** The operator vouches for the address of the account. */
  isVerified?: boolean;
  /** Another tenant to record the change in, where the user may be disabled. */
  alsoIn?: InTenant;
}

/** Returns the description of a change by the operator, recorded in this tenant, too. */
export const byOperator = (alsoIn: InTenant): PasswordChange => ({
  requestId: null,
  keptSession: null,
  actorIn: () => OPERATOR,
  isVerified: true,
  alsoIn,
});

/** Stores a password; creates the account if there is none. */
export async function setPassword(
  tx: Tx,
  { email, emailFolded }: { email: string; emailFolded: string },
  passwordHash: string,
  by: PasswordChange,
): Promise<void> {
  await deleteSignIns(tx, await upsertAccount(tx, { email, emailFolded, passwordHash }));
  if (by.isVerified === true) await verifyAccount(tx, emailFolded);
  await deleteSessionsOf(tx, emailFolded, by.keptSession);
  // Open event streams end; the page of a session that continues opens its stream again.
  await notify(tx, { kind: 'forget', cache: 'person', keys: [emailFolded] });
  const extra = by.alsoIn === undefined ? [] : [by.alsoIn];
  const members = [...(await selectMemberships(tx, emailFolded)), ...extra];
  for (const member of new Map(members.map((member) => [member.tenant_id, member])).values()) {
    await notify(tx, { kind: 'page', tenant: member.tenant_id, topic: 'people' });
    await recordAudit(tx, {
      tenantId: member.tenant_id,
      actor: by.actorIn(member),
      operation: 'user.password',
      resource: { kind: 'user', id: member.user_id },
      requestId: by.requestId,
      detail: { email },
    });
  }
}
