// C/invitations: administrators invite e-mail addresses with a role, list the open invitations and revoke them.
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
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type InviteDeps, inviteUser } from './invite-user.ts';
import {
  deleteUserInvitation,
  type InvitationRecord,
  selectUserInvitations,
} from './user-invitation-store.ts';

export interface UserInvitationDeps extends InviteDeps {
  cursors: CursorSealer;
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
      const issued = await inviteUser(deps, personOf(request), request.body, request.id);
      reply.code(201);
      return {
        ...issued,
        invitation: invitationRow(issued.invitation),
        request_id: request.id,
      };
    },
  );
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
