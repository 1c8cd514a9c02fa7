// Invites a user: stores the invitation, and returns its link, which is also mailed where the hub has a mail server. The console
// and the command line invite in the same way.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, randomBase62 } from '@gatewarden/shared/secrets.ts';
import type { InvitationInput } from '@gatewarden/shared/wire/console/invitations.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { actorOf, type Person } from '../../../platform/auth/person.ts';
import type { MailConfig } from '../../../platform/config/config.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { attempt, sendMail } from '../../../platform/delivery/attempt.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { selectMemberId } from './store.ts';
import { invitationMail } from './user-invitation-mail.ts';
import { INVITATION_PATH } from './user-invitation-pages.ts';
import {
  type InvitationRecord,
  selectInvitationByToken,
  upsertUserInvitation,
} from './user-invitation-store.ts';

const DAYS = 7;
const TOKEN_LENGTH = 43;
/** An administrator waits for the mail server no longer; the link is shown in any case. */
const MAIL_MS = 10_000;

export interface InviteDeps {
  db: Db;
  origin: string;
  /** Null: no mail is sent. */
  mail: MailConfig | null;
}

/** An invitation with its link, which is not stored. */
export interface IssuedInvitation {
  invitation: InvitationRecord;
  link: string;
  /** Whether the mail server accepted a mail with the link. */
  is_mailed: boolean;
}

/**
 * Invites an e-mail address to the tenant of `person`. An earlier invitation of the address ends. Throws `already_exists` for a
 * user of the tenant.
 */
export async function inviteUser(
  deps: InviteDeps,
  person: Person,
  { email, role }: InvitationInput,
  requestId: string | null,
): Promise<IssuedInvitation> {
  const { db, origin } = deps;
  const { tenantId } = person;
  const token = randomBase62(TOKEN_LENGTH);
  const invitation = await transact(db, async (tx) => {
    if ((await selectMemberId(tx, tenantId, foldName(email))) !== null) {
      throw new HubError('already_exists', `${email} is already a user.`);
    }
    const stored = await upsertUserInvitation(tx, {
      ...{ tenant_id: tenantId, invitation_id: randomUUID(), email, role },
      ...{ email_folded: foldName(email), tokenHash: hashSecret(token) },
      ...{ createdBy: person.email, days: DAYS },
    });
    await recordAudit(tx, {
      ...{ tenantId, actor: actorOf(person), requestId, operation: 'invitation.create' },
      resource: { kind: 'invitation', id: stored.invitation_id },
      detail: { email, role, expires_at: stored.expires_at },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
    return stored;
  });
  const link = `${origin}${INVITATION_PATH}?token=${token}`;
  const isMailed = await mailLink(deps, person, invitation, { link, token });
  return { invitation, link, is_mailed: isMailed };
}

/** Sends the link. Returns false without a mail server, and where the server does not accept the mail. */
async function mailLink(
  { db, mail }: InviteDeps,
  person: Person,
  invitation: InvitationRecord,
  { link, token }: { link: string; token: string },
): Promise<boolean> {
  const pending = await selectInvitationByToken(db, hashSecret(token));
  if (mail === null || pending === null) return false;
  const text = invitationMail({
    ...{ tenant: pending.tenant_name, invitedBy: person.email, link, days: DAYS },
  });
  const message = { to: [invitation.email], id: invitation.invitation_id, ...text };
  const neverStopped = new AbortController().signal;
  const outcome = await attempt(MAIL_MS, neverStopped, (signal) => sendMail(mail, message, signal));
  return outcome.is === 'delivered';
}
