// A person's new password for the embedded login provider, whoever gives it: their sessions end, and each of their tenants
// has it in its trail.
import { randomUUID } from 'node:crypto';
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { deleteSignIns } from './oidc-store.ts';
import { tellSessionsChanged } from './session-routes.ts';
import { deleteSessionsOf } from './session-store.ts';
import { selectAccountByEmail, selectMemberships, upsertAccount } from './store.ts';

/** Makes the account where there is none. `kept` is the hash of the session that goes on; null: all end. */
export async function givePassword(
  tx: Tx,
  whose: { email: string; emailFolded: string },
  passwordHash: string,
  by: {
    requestId: string | null;
    kept: Buffer | null;
    actorIn(member: { user_id: string }): Actor;
    /** Also told in this tenant, where the person may be disabled. */
    alsoIn?: { tenant_id: string; user_id: string };
  },
): Promise<void> {
  const { email, emailFolded } = whose;
  await upsertAccount(tx, { accountId: randomUUID(), email, emailFolded, passwordHash });
  const account = await selectAccountByEmail(tx, emailFolded);
  if (account !== null) await deleteSignIns(tx, account.account_id);
  await deleteSessionsOf(tx, emailFolded, by.kept);
  // Open event streams end; that of a session which goes on is opened again by its page.
  await notify(tx, { kind: 'forget', cache: 'person', keys: [emailFolded] });
  await tellSessionsChanged(tx, emailFolded);
  const members = await selectMemberships(tx, emailFolded);
  const told = new Map(
    [...members, ...(by.alsoIn === undefined ? [] : [by.alsoIn])].map((one) => [
      one.tenant_id,
      one.user_id,
    ]),
  );
  for (const [tenantId, userId] of told) {
    await recordAudit(tx, {
      tenantId,
      actor: by.actorIn({ user_id: userId }),
      operation: 'user.password',
      resource: { kind: 'user', id: userId },
      requestId: by.requestId,
      detail: { email },
    });
  }
}
