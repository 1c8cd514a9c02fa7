// Texts of invitations.
import { visibleText } from '../ui/visible.ts';

export const invitationTexts = {
  title: 'Invite a user',
  text: 'The user opens a link, which works once within seven days, and sets a password or signs in with your login provider.',
  email: 'E-mail address',
  role: 'Role',
  invite: 'Invite user',
  failed: 'Couldn’t invite this user',
  mailed: (email: string) => visibleText`The link was mailed to ${email}. You can also copy it:`,
  notMailed: (email: string) => visibleText`No mail was sent. Send this link to ${email}:`,
  linkHint: 'The link is shown once.',
  linkOf: (email: string) => visibleText`Invitation link of ${email}`,
  open: 'Pending invitations',
  none: 'No pending invitations',
  state: 'Status',
  states: { pending: 'Pending', expired: 'Expired' },
  by: 'Invited by',
  expires: 'Expires',
  revoke: 'Revoke',
  revokeOf: (email: string) => visibleText`Revoke invitation of ${email}`,
  revokeTitle: 'Revoke this invitation?',
  revokeText: 'Its link is refused from now on. You can invite the user again.',
  revoked: 'Invitation revoked.',
} as const;
