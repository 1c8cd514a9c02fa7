// C/invitations: administrators invite e-mail addresses with a role, list the open invitations and revoke them.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, randomBase62 } from '@gatewarden/shared/secrets.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  InvitationInput,
  InvitationIssued,
  InvitationRevoked,
  type InvitationRow,
  InvitationsList,
  InvitationsQuery,
} from '@gatewarden/shared/wire/console/invitations.ts';
import { Type } from 'typebox';
import { type Person, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import type { MailConfig } from '../../../platform/config/config.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { attempt, sendMail } from '../../../platform/delivery/attempt.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectMemberId } from './store.ts';
import { invitationMail } from './user-invitation-mail.ts';
import { INVITATION_PATH } from './user-invitation-pages.ts';
import {
  deleteUserInvitation,
  type InvitationRecord,
  selectInvitationByToken,
  selectUserInvitations,
  upsertUserInvitation,
} from './user-invitation-store.ts';

const DAYS = 7;
const TOKEN_LENGTH = 43;
/** An administrator waits for the mail server no longer; the link is shown in any case. */
const MAIL_MS = 10_000;

export interface UserInvitationDeps {
  db: Db;
  cursors: CursorSealer;
  origin: string;
  /** Null: no mail is sent. */
  mail: MailConfig | null;
}

/** Registers the list, the creation and the revocation of invitations. */
export function registerUserInvitations(app: App, deps: UserInvitationDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/invitations',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'List open invitations',
        querystring: InvitationsQuery,
        response: { 200: InvitationsList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'invitations',
        fetch: (tenantId, after, limit) => selectUserInvitations(db, tenantId, after, limit),
        keyOf: (invitation) => [invitation.sort_key, invitation.invitation_id],
        item: invitationRow,
      }),
  );
  registerInvitationCreation(app, deps);
  app.delete(
    '/invitations/:invitation_id',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Revoke an invitation',
        params: Type.Object({ tenant_id: Type.String(), invitation_id: Uuid }),
        response: { 200: InvitationRevoked },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const invitationId = request.params.invitation_id.toLowerCase();
      await transact(db, async (tx) => {
        const revoked = await deleteUserInvitation(tx, tenantId, invitationId);
        if (revoked === null) throw new HubError('not_found');
        await recordByPerson(tx, request, {
          operation: 'invitation.revoke',
          resource: { kind: 'invitation', id: invitationId },
          detail: { email: revoked.email },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
      });
      return { invitation_id: invitationId, request_id: request.id };
    },
  );
}

function registerInvitationCreation(app: App, deps: UserInvitationDeps): void {
  const { db, origin } = deps;
  app.post(
    '/invitations',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Invite a user; the response contains the link once',
        body: InvitationInput,
        response: { 201: InvitationIssued },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { email, role } = request.body;
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
        await recordByPerson(tx, request, {
          operation: 'invitation.create',
          resource: { kind: 'invitation', id: stored.invitation_id },
          detail: { email, role, expires_at: stored.expires_at },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
        return stored;
      });
      const link = `${origin}${INVITATION_PATH}?token=${token}`;
      const isMailed = await mailLink(deps, person, invitation, { link, token });
      reply.code(201);
      return {
        invitation: invitationRow(invitation),
        ...{ link, is_mailed: isMailed, request_id: request.id },
      };
    },
  );
}

/** Sends the link. Returns false without a mail server, and where the server does not accept the mail. */
async function mailLink(
  { db, mail }: UserInvitationDeps,
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

const invitationRow = (invitation: InvitationRecord): InvitationRow => ({
  invitation_id: invitation.invitation_id,
  email: invitation.email,
  role: invitation.role,
  state: invitation.is_expired ? 'expired' : 'pending',
  created_at: invitation.created_at.toISOString(),
  created_by: invitation.created_by,
  expires_at: invitation.expires_at.toISOString(),
});
