// The confirmation before a user is erased: the typed name, and the result with remaining work.
import type { EraseAnswer } from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { ErasePerson } from './ErasePerson.tsx';
import { eraseTexts } from './erase-texts.ts';

const ERASE = 'POST /people/grace/erase';

async function openQuestion() {
  const { user } = await renderPart(<ErasePerson person="grace" onClosed={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByRole('textbox', { name: eraseTexts.typeIt });
  const confirm = dialog.getByRole('button', { name: eraseTexts.erase });
  return { user, dialog, name, confirm };
}

it('requires the typed name before the erasure', async () => {
  const { user, name, confirm } = await openQuestion();
  expect(confirm).toHaveProperty('disabled', true);
  await user.type(name, 'grac{Enter}');
  expect(confirm).toHaveProperty('disabled', true);
  await user.type(name, 'e');
  expect(confirm).toHaveProperty('disabled', false);
  expect(sentTo(ERASE)).toEqual([]);
});

it('shows the erased records and the groups with rules that name the user', async () => {
  const counts = { devices: 2, activity: 1, alerts: 3, decisions: 0, log_rows: 4, mcp_rows: 0 };
  const answer = { ...counts, group_rules: [{ group_id: 'g1', name: 'Build farm' }] };
  respondWith(ERASE, answer);
  const { user, dialog, name } = await openQuestion();
  await user.type(name, 'grace{Enter}');
  await dialog.findByText(eraseTexts.groupRules);
  for (const line of eraseTexts.counts(answer as unknown as EraseAnswer)) {
    expect(dialog.getByText(line)).toBeTruthy();
  }
  expect(dialog.getByRole('link', { name: 'Build farm' })).toBeTruthy();
});

it('shows the reason of a rejected erasure and keeps the typed name', async () => {
  respond(ERASE, () => refusal(500, 'internal', 'broken'));
  const { user, dialog, name } = await openQuestion();
  await user.type(name, 'grace{Enter}');
  await dialog.findByText(eraseTexts.failed);
  expect(name).toHaveProperty('value', 'grace');
});
