// A secret that is shown once: in its dialog, and with accidental ways to close it.
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { Dialog } from './Dialog.tsx';
import { SecretBox } from './SecretBox.tsx';

const SECRET = 'gwe_4f2a';

function IssuedSecret() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <Dialog title="New token" onClosed={() => setOpen(false)}>
      {(close) => (
        <SecretBox label="Token" hint="Shown once" secret={SECRET} note="Copy it" onDone={close} />
      )}
    </Dialog>
  );
}

const secretField = () => screen.getByRole('textbox', { name: /^Token/ });

it('keeps a secret after Escape and a click outside', async () => {
  const { user } = await renderPart(<IssuedSecret />);
  expect(await screen.findByDisplayValue(SECRET)).toBe(secretField());
  await user.keyboard('{Escape}');
  await user.click(document.querySelector('.mantine-Modal-overlay') as Element);
  expect(secretField()).toHaveProperty('value', SECRET);
});

it('offers no close button while a secret is shown', async () => {
  await renderPart(<IssuedSecret />);
  await screen.findByDisplayValue(SECRET);
  expect(screen.queryByRole('button', { name: texts.ui.close })).toBe(null);
});

it('stays at the page with the secret when another address is opened', async () => {
  const { goTo, path } = await renderPart(<IssuedSecret />);
  await screen.findByDisplayValue(SECRET);
  await goTo('/alerts');
  expect(path()).toBe('/part');
  expect(secretField()).toHaveProperty('value', SECRET);
});

it('removes a secret from the document once the person confirms to have it', async () => {
  const { user } = await renderPart(<IssuedSecret />);
  await screen.findByDisplayValue(SECRET);
  await user.click(screen.getByRole('button', { name: texts.ui.secretKept }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(document.documentElement.innerHTML).not.toContain(SECRET);
});

it('copies a secret to the clipboard and reports it', async () => {
  const { user } = await renderPart(<IssuedSecret />);
  await screen.findByDisplayValue(SECRET);
  await user.click(screen.getByRole('button', { name: texts.ui.copySecret }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(texts.ui.copied));
  expect(await navigator.clipboard.readText()).toBe(SECRET);
});

it('leaves the page once the secret is confirmed', async () => {
  const { user, goTo, path } = await renderPart(<IssuedSecret />);
  await screen.findByDisplayValue(SECRET);
  await user.click(screen.getByRole('button', { name: texts.ui.secretKept }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  await goTo('/alerts');
  await waitFor(() => expect(path()).toBe('/alerts'));
});

it('closes a dialog without a secret on Escape', async () => {
  let closed = 0;
  const { user } = await renderPart(
    <Dialog title="Plain" onClosed={() => closed++}>
      {() => <p>content</p>}
    </Dialog>,
  );
  await screen.findByText('content');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(closed).toBe(1));
});
