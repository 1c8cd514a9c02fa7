// A user's actions on a server: a key that is never shown again, and a failed login.
import type { OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ServerActions } from './ServerActions.tsx';

const t = texts.own.connections;
const PUT = 'PUT /mcp/connections/b1';
const KEY = 'sk-own-key';

const aServer = (fields: Partial<OwnServer> = {}) =>
  ({
    ...{ backend_id: 'b1', name: 'Files', url: 'https://hub.example/files/mcp' },
    ...{ auth_kind: 'personal_key', connection: 'missing', aggregated: true },
    ...fields,
  }) as OwnServer;

async function openKeyForm() {
  const rendered = await renderPart(<ServerActions server={aServer()} />, 'Member');
  await rendered.user.click(screen.getByRole('button', { name: t.addKeyNamed('Files') }));
  const dialog = within(await screen.findByRole('dialog'));
  const key = dialog.getByLabelText(new RegExp(`^${t.key}`)) as HTMLInputElement;
  const submit = () => rendered.user.click(dialog.getByRole('button', { name: t.addKey }));
  return { ...rendered, dialog, key, submit };
}

it('hides a key while the user types, and removes it after storing', async () => {
  const { user, key, submit } = await openKeyForm();
  respondWith(PUT, {});
  expect(key.type).toBe('password');
  await user.type(key, ` ${KEY} `);
  await submit();
  await screen.findByText(t.keyStored);
  expect(sentTo(PUT)[0]?.body).toEqual({ secret: KEY });
  expect(document.documentElement.innerHTML).not.toContain(KEY);
});

it('rejects an empty key', async () => {
  const { dialog, submit } = await openKeyForm();
  await submit();
  expect(dialog.getByText(t.keyNeeded)).toBeTruthy();
  expect(sentTo(PUT)).toEqual([]);
});

it('keeps the typed key after an error of the hub', async () => {
  const { user, dialog, key, submit } = await openKeyForm();
  respond(PUT, () => refusal(503, 'unavailable', 'Not now.'));
  await user.type(key, KEY);
  await submit();
  await dialog.findByText('Not now.');
  expect(key.value).toBe(KEY);
});

it('removes a stored key after a confirmation', async () => {
  respondWith('DELETE /mcp/connections/b1', {});
  const { user } = await renderPart(
    <ServerActions server={aServer({ connection: 'connected' })} />,
    'Member',
  );
  await user.click(screen.getByRole('button', { name: t.removeKeyNamed('Files') }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.removeKey }));
  await screen.findByText(t.keyRemoved);
});

it('reports a login that fails to start on the current page', async () => {
  respond('POST /mcp/grants/b1/start', () => refusal(502, 'upstream_error', 'No answer.'));
  const { user } = await renderPart(<ServerActions server={aServer({ auth_kind: 'oauth' })} />);
  await user.click(screen.getByRole('button', { name: t.connectNamed('Files') }));
  await screen.findByText(t.failed);
  expect(screen.getByText(/No answer\./)).toBeTruthy();
});
