// The role of a user, which two administrators may change concurrently.
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { loseAnswer, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ChangeRole } from './PersonDialogs.tsx';
import { settingsTexts } from './texts.ts';

const t = settingsTexts.people;
const PATCH = 'PATCH /users/u1';

const aUser = (fields: Partial<UserRow> = {}) =>
  ({
    ...{ user_id: 'u1', email: 'grace@example.com', role: 'Viewer', given_role: 'Viewer' },
    ...{ state: 'enabled', version: '"1"' },
    ...fields,
  }) as UserRow;

async function openDialog(user = aUser()) {
  const rendered = await renderPart(<ChangeRole user={user} onClosed={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  const store = dialog.getByRole('button', { name: t.change });
  const choose = (role: keyof typeof t.roles) =>
    rendered.user.click(dialog.getByRole('radio', { name: t.roles[role] }));
  return { ...rendered, dialog, store, choose };
}

it('disables the button for the current role', async () => {
  const { store, choose } = await openDialog();
  expect(store).toHaveProperty('disabled', true);
  await choose('Admin');
  expect(store).toHaveProperty('disabled', false);
});

it('shows a concurrent change of the role before it is overwritten', async () => {
  const { user, dialog, store, choose } = await openDialog();
  await choose('Admin');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /users/u1', { user: aUser({ given_role: 'Reviewer', version: '"2"' }) });
  await user.click(store);
  await dialog.findByText(t.roleNow('Reviewer'), { exact: false });
  respondWith(PATCH, { user: aUser({ given_role: 'Admin' }) });
  await user.click(store);
  await screen.findByText(t.changed);
  expect(sentTo(PATCH).map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"']);
});

it('reports no conflict when the response to a first attempt was lost', async () => {
  const { user, dialog, store, choose } = await openDialog();
  await choose('Admin');
  respond(PATCH, loseAnswer);
  await user.click(store);
  await dialog.findByText(texts.errors.unreachable);
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /users/u1', { user: aUser({ given_role: 'Admin', version: '"2"' }) });
  await user.click(store);
  await screen.findByText(t.changed);
});

it('explains that the last administrator keeps the role', async () => {
  const { user, dialog, store, choose } = await openDialog(
    aUser({ role: 'Admin', given_role: 'Admin' }),
  );
  await choose('Viewer');
  respond(PATCH, () => refusal(409, 'last_administrator', 'no'));
  await user.click(store);
  await dialog.findByText(t.lastAdmin);
});

it('hints at a role that comes from a group', async () => {
  const { dialog } = await openDialog(aUser({ role: 'Admin' }));
  expect(dialog.getByText(t.lifted('Admin'))).toBeTruthy();
});
