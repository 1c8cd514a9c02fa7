// The mail with the link of an invitation. Pure.
import { toSingleLine } from '../../../platform/delivery/single-line.ts';

/** Returns subject and text; `tenant` and `invitedBy` are typed by people, and stay on their line. */
export function invitationMail(invitation: {
  tenant: string;
  invitedBy: string;
  link: string;
  days: number;
}): { subject: string; text: string } {
  const { link, days } = invitation;
  const tenant = toSingleLine(invitation.tenant);
  return {
    subject: `Invitation to ${tenant} on Gatewarden`,
    text: [
      `${toSingleLine(invitation.invitedBy)} invites you to ${tenant} on Gatewarden.`,
      `Open this link within ${days} days to accept:`,
      link,
      'If you don’t expect this invitation, ignore this mail.',
    ].join('\n\n'),
  };
}
