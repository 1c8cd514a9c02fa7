// Tokens that administrators issue: created once, shown once, and revoked after a confirmation.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AddDevicesPage } from '../add-devices/AddDevicesPage.tsx';
import { renderPart } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { Directory } from './Directory.tsx';
import { settingsTexts } from './texts.ts';

const t = settingsTexts.tokens;
const CREATE = 'POST /agent-tokens';
const SECRET = 'gwe_4f2a';

const aToken = (fields: object = {}) => ({
  ...{ token_id: 't1', name: 'laptops', status: 'active', enrol_only: true },
  ...{ created_at: '2026-03-01T10:00:00.000Z', expires_at: null },
  ...fields,
});

async function openForm() {
  respond('GET /agent-tokens', () => listReply([]));
  const rendered = await renderPart(<AddDevicesPage />);
  await rendered.user.click(await screen.findByRole('button', { name: t.new }));
  const dialog = within(await screen.findByRole('dialog'));
  const create = () => dialog.getByRole('button', { name: t.create });
  return { ...rendered, dialog, create };
}

it('requires a name for a token', async () => {
  const { user, dialog, create } = await openForm();
  expect(create()).toHaveProperty('disabled', true);
  await user.type(dialog.getByRole('textbox', { name: t.name }), '  ');
  expect(create()).toHaveProperty('disabled', true);
});

it('shows a new token only until the user confirms', async () => {
  const { user, dialog, create } = await openForm();
  respondWith(CREATE, { secret: SECRET });
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'laptops');
  await user.click(create());
  await dialog.findByDisplayValue(SECRET);
  respond('GET /agent-tokens', () => listReply([aToken()]));
  await user.keyboard('{Escape}');
  expect(dialog.getByDisplayValue(SECRET)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: texts.ui.secretKept }));
  expect(screen.queryByRole('dialog')).toBe(null);
  expect(document.documentElement.innerHTML).not.toContain(SECRET);
});

it('revokes a token of a lost response before it creates another', async () => {
  const { user, dialog, create } = await openForm();
  respond(CREATE, loseAnswer);
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'laptops');
  await user.click(create());
  await dialog.findByText(texts.ui.mayBeMade);
  const lost = sentTo(CREATE)[0]?.body.token_id;
  respondWith(`DELETE /agent-tokens/${lost}`, {});
  respondWith(CREATE, { secret: SECRET });
  await user.click(create());
  await dialog.findByDisplayValue(SECRET);
  expect(sentTo(`DELETE /agent-tokens/${lost}`)).toHaveLength(1);
  expect(sentTo(CREATE)[1]?.body.token_id).not.toBe(lost);
});

it('keeps the typed name after an error of the hub', async () => {
  const { user, dialog, create } = await openForm();
  respond(CREATE, () => refusal(409, 'limit_reached', 'There are too many.'));
  await user.type(dialog.getByRole('textbox', { name: t.name }), 'laptops');
  await user.click(create());
  await dialog.findByText('There are too many.');
  expect(dialog.queryByText(texts.ui.mayBeMade)).toBe(null);
  expect(dialog.getByRole('textbox', { name: t.name })).toHaveProperty('value', 'laptops');
});

it('revokes an active token after a confirmation', async () => {
  respond('GET /agent-tokens', () =>
    listReply([aToken(), aToken({ token_id: 't2', name: 'old', status: 'revoked' })]),
  );
  respondWith('DELETE /agent-tokens/t1', {});
  const { user } = await renderPart(<AddDevicesPage />);
  await user.click(await screen.findByRole('button', { name: t.revokeOf('laptops') }));
  expect(screen.queryByRole('button', { name: t.revokeOf('old') })).toBe(null);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.revoke }));
  await screen.findByText(t.revoked);
});

it('shows tokens to administrators only', async () => {
  await renderPart(<AddDevicesPage />, 'Reviewer');
  expect(screen.queryByRole('button', { name: t.new })).toBe(null);
});

it('shows the address for a directory beside its tokens', async () => {
  respond('GET /scim-tokens', () => listReply([aToken({ last_used_at: null })]));
  await renderPart(<Directory />);
  await screen.findByText('laptops');
  expect(screen.getByText(`${window.location.origin}/scim/v2`)).toBeTruthy();
});
