// C/invitations: e-mail addresses that an administrator invited, and that did not accept yet.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { UserInput } from './users.ts';

export const InvitationRow = Type.Object(
  {
    invitation_id: Uuid,
    email: Type.String(),
    role: OneOf(ROLES),
    /** The link of an expired invitation is refused. */
    state: OneOf(['pending', 'expired'] as const),
    created_at: Type.String(),
    /** The e-mail address of the administrator; `operator` for the command line. */
    created_by: Type.String(),
    expires_at: Type.String(),
  },
  { title: 'Invitation' },
);
export type InvitationRow = Static<typeof InvitationRow>;

export const InvitationsQuery = Type.Object(ListQuery, { additionalProperties: false });
export const InvitationsList = ListAnswer(InvitationRow);

/** An invitation replaces an earlier invitation of the same address, whose link ends. */
export const InvitationInput = Type.Object(UserInput.properties, {
  additionalProperties: false,
  title: 'InvitationInput',
});
export type InvitationInput = Static<typeof InvitationInput>;

/** The only response with the link. */
export const InvitationIssued = Type.Object({
  invitation: InvitationRow,
  /** The address that the user opens, once, within seven days. */
  link: Type.String(),
  /** Whether the mail server accepted a mail with the link. */
  is_mailed: Type.Boolean(),
  request_id: Type.String(),
});
export type InvitationIssued = Static<typeof InvitationIssued>;

export const InvitationRevoked = Type.Object({ invitation_id: Uuid, request_id: Type.String() });
