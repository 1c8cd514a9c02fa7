// A person's new password for the embedded login provider, whoever gives it: their sessions end, and each of their tenants
// has it in its trail.
import { type Actor, OPERATOR, recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { deleteSignIns } from './oidc-store.ts';
import { deleteSessionsOf } from './session-store.ts';
import { selectMemberships, upsertAccount } from './store.ts';

interface InTenant {
  tenant_id: string;
  user_id: string;
}

interface GivenBy {
  requestId: string | null;
  /** The hash of the session that goes on; null: all end. */
  kept: Buffer | null;
  actorIn(member: InTenant): Actor;
  /** Also told in this tenant, where the person may be disabled. */
  alsoIn?: InTenant;
}

export const byOperator = (alsoIn: InTenant): GivenBy => ({
  requestId: null,
  kept: null,
  actorIn: () => OPERATOR,
  alsoIn,
});

/** Makes the account where there is none. */
export async function givePassword(
  tx: Tx,
  { email, emailFolded }: { email: string; emailFolded: string },
  passwordHash: string,
  by: GivenBy,
): Promise<void> {
  await deleteSignIns(tx, await upsertAccount(tx, { email, emailFolded, passwordHash }));
  await deleteSessionsOf(tx, emailFolded, by.kept);
  // Open event streams end; that of a session which goes on is opened again by its page.
  await notify(tx, { kind: 'forget', cache: 'person', keys: [emailFolded] });
  const also = by.alsoIn === undefined ? [] : [by.alsoIn];
  const members = [...(await selectMemberships(tx, emailFolded)), ...also];
  for (const one of new Map(members.map((member) => [member.tenant_id, member])).values()) {
    await notify(tx, { kind: 'page', tenant: one.tenant_id, topic: 'people' });
    await recordAudit(tx, {
      tenantId: one.tenant_id,
      actor: by.actorIn(one),
      operation: 'user.password',
      resource: { kind: 'user', id: one.user_id },
      requestId: by.requestId,
      detail: { email },
    });
  }
}
