// Invitations: the link is shown once with its delivery, and an open invitation is revoked after a confirmation.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { InviteButton, OpenInvitations } from './Invitations.tsx';
import { invitationTexts as t } from './invitation-texts.ts';

const LINK = 'https://hub.example/console/invitation?token=abc';
const anInvitation = (fields: object = {}) => ({
  ...{ invitation_id: 'i1', email: 'bob@example.com', role: 'Reviewer', state: 'pending' },
  ...{ created_at: '2026-03-01T10:00:00.000Z', created_by: 'ada@example.com' },
  ...{ expires_at: '2026-03-08T10:00:00.000Z' },
  ...fields,
});

async function openWith(invitations: readonly object[] = []) {
  respond('GET /invitations', () => listReply(invitations));
  return renderPart(
    <>
      <InviteButton />
      <OpenInvitations />
    </>,
  );
}

async function openForm() {
  const { user } = await openWith();
  await user.click(screen.getByRole('button', { name: t.invite }));
  const dialog = within(await screen.findByRole('dialog'));
  const email = dialog.getByRole('textbox', { name: t.email });
  const send = () => user.click(dialog.getByRole('button', { name: t.invite }));
  return { user, dialog, email, send };
}

it.each([
  [true, t.mailed('bob@example.com')],
  [false, t.notMailed('bob@example.com')],
])('shows the link of an invitation, mailed: %s', async (isMailed, text) => {
  const { user, dialog, email, send } = await openForm();
  respondWith('POST /invitations', { invitation: anInvitation(), link: LINK, is_mailed: isMailed });
  await user.type(email, ' bob@example.com ');
  await user.selectOptions(dialog.getByRole('combobox', { name: t.role }), 'Reviewer');
  await send();
  await dialog.findByDisplayValue(LINK);
  dialog.getByText(text);
  expect(sentTo('POST /invitations')[0]?.body).toEqual({
    ...{ email: 'bob@example.com', role: 'Reviewer' },
  });
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: texts.ui.secretKept }));
  expect(document.documentElement.innerHTML).not.toContain(LINK);
});

it('keeps the typed address after an error of the hub', async () => {
  const { user, email, send } = await openForm();
  respond('POST /invitations', () => refusal(409, 'already_exists', 'This is already a user.'));
  await user.type(email, 'bob@example.com');
  await send();
  await screen.findByText(/already a user/);
  expect(email).toHaveProperty('value', 'bob@example.com');
});

it('revokes an open invitation after a confirmation', async () => {
  const { user } = await openWith([anInvitation({ state: 'expired' })]);
  await screen.findByText(t.states.expired);
  respondWith('DELETE /invitations/i1', {});
  await user.click(screen.getByRole('button', { name: t.revokeOf('bob@example.com') }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.revoke }));
  await screen.findByText(t.revoked);
});
