// The gate before every page: without a session, with a session, and with a session that ends while the user types.
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SESSION_PATH } from '../api/client.ts';
import { SESSION_KEY } from '../api/keys.ts';
import { providerTypeLabel, setVendorNames } from '../gateway/vendors.ts';
import { renderPart, SELF } from '../testing/render.tsx';
import { loseAnswer, refusal, respond, respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { SignedIn } from './SignedIn.tsx';

const SESSION = `GET ${SESSION_PATH}`;
const session = { email: SELF, csrf_token: 'c', tenants: [] };
const noSession = () => refusal(401, 'unauthenticated', '');

it('offers sign-in with a return address without a session', async () => {
  respond(SESSION, noSession);
  await renderPart(<SignedIn />);
  const link = await screen.findByRole('link', { name: texts.signIn.action });
  expect(link.getAttribute('href')).toMatch(/^\/console\/sign-in\?return_to=/);
});

it('shows that the hub is unreachable and offers a retry', async () => {
  respond(SESSION, loseAnswer);
  const { user } = await renderPart(<SignedIn />);
  await screen.findByText(texts.errors.unreachable);
  respond(SESSION, noSession);
  await user.click(screen.getByRole('button', { name: texts.ui.retry }));
  await screen.findByRole('link', { name: texts.signIn.action });
});

it('covers the page when a session ends, until the user signs in again', async () => {
  respondWith(SESSION, session);
  const { queries } = await renderPart(<SignedIn />);
  await waitFor(() => expect(queries.getQueryData(SESSION_KEY)).toEqual(session));
  expect(screen.queryByRole('dialog')).toBe(null);
  act(() => queries.setQueryData(SESSION_KEY, null));
  const dialog = within(await screen.findByRole('dialog', { name: texts.signIn.againTitle }));
  expect(dialog.getByRole('link', { name: texts.signIn.action }).getAttribute('target')).toBe(
    '_blank',
  );
  act(() => queries.setQueryData(SESSION_KEY, { ...session, csrf_token: 'c2' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
});

it('shows the names that the operator gave provider vendors', async () => {
  respondWith(SESSION, { ...session, provider_names: { D: 'Acme' } });
  const { queries } = await renderPart(<SignedIn />);
  await waitFor(() => expect(queries.getQueryData(SESSION_KEY)).not.toBe(undefined));
  await waitFor(() => expect(providerTypeLabel('vendorD')).toBe('Acme'));
  setVendorNames({});
});
