// The page of a user: the apps on the user's devices, each with the policy control for this user.
import type { IdentityAnswer } from '@gatewarden/shared/wire/console/identity.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { policyTexts } from '../decisions/policy-texts.ts';
import { aPreview } from '../decisions/testing-rows.ts';
import { aProductDetail } from '../testing/product-rows.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { UserPage } from './UserPage.tsx';

const PREVIEW = 'POST /product-policies/bulk/preview';
const AT = '2026-03-01T10:00:00.000Z';
const IDENTITY: IdentityAnswer['identity'] = {
  email: 'grace@example.com',
  devices: [
    {
      ...{ device_id: 'd1', hostname: 'laptop-7', subscriber_id: 'Grace@example.com' },
      ...{ platform: 'linux', last_seen_at: AT, entity_count: 1 },
    },
  ],
  apps: 1,
  open_alerts: 0,
  access_requests: { open: 0, all: 0 },
  llm: { requests: 0, blocked: 0, cost_usd: 0 },
  mcp: { calls: 0, blocked: 0 },
  groups: [],
  account: null,
};
const APP = {
  ...{ entity_id: 'e1', kind: 'application', source: 'apt', name: 'curl', publisher: null },
  ...{ platform: 'linux', versions: [], device_count: 2, approval_status: 'pending' },
  ...{ execution_policy: null, named_decision_id: null, drifted_at: null },
  ...{ first_seen_at: AT, last_seen_at: AT },
};

it('opens the policy control of the app alone before the hub has grouped it', async () => {
  respond('GET /discovered-apps/e1/product', () => refusal(404, 'not_found', 'Not found.'));
  respondWith('GET /discovered-apps/e1/policies', { policies: { count: 0, items: [] } });
  respond('GET /discovered-apps/e1/devices', () => listReply([]));
  respond('GET /devices', () => listReply([]));
  respondWith('POST /overrides/preview', aPreview());
  const { user } = await openUser('Reviewer');
  await user.click(screen.getByRole('button', { name: policyTexts.actionsFor('curl') }));
  await user.click(await screen.findByRole('menuitem', { name: policyTexts.block }));
  await screen.findByText(policyTexts.appliesToApp);
  await waitFor(() =>
    expect(sentTo('POST /overrides/preview')[0]?.body.match).toEqual({ entity_id: 'e1' }),
  );
});

async function openUser(role: Role) {
  respondWith('GET /identity', { identity: IDENTITY });
  respond('GET /discovered-apps', () => listReply([APP]));
  const rendered = await renderPage(UserPage, {
    ...{ route: '/users/$email', address: '/users/grace%40example.com', role },
  });
  await screen.findByText('curl');
  return rendered;
}

it('opens the policy control of a product for this user, as the device writes the user', async () => {
  respondWith('GET /discovered-apps/e1/product', { product: aProductDetail() });
  respondWith('GET /products/p1', { product: aProductDetail() });
  respond('GET /devices', () => listReply([]));
  respondWith(PREVIEW, { ...aPreview(), entity_ids: [] });
  const { user } = await openUser('Reviewer');
  expect(sentTo('GET /discovered-apps')[0]?.query.subscriber_id).toBe('grace@example.com');
  await user.click(screen.getByRole('button', { name: policyTexts.actionsFor('curl') }));
  await user.click(await screen.findByRole('menuitem', { name: policyTexts.block }));
  const dialog = within(await screen.findByRole('dialog', { name: policyTexts.title }));
  const scope = await dialog.findByRole('radio', { name: texts.decide.scopes.subscriber });
  expect(scope).toHaveProperty('checked', true);
  expect(dialog.getByTestId('applies-to').textContent).toContain('curl');
  await waitFor(() => expect(sentTo(PREVIEW)).toHaveLength(1));
  expect(sentTo(PREVIEW)[0]?.body).toMatchObject({
    ...{ product_ids: ['p1'], platform: null },
    execution_policy: 'block',
    scope: { kind: 'subscriber', subscriber_id: 'Grace@example.com' },
  });
});

it('offers a viewer the list of apps without a policy control', async () => {
  await openUser('Viewer');
  expect(screen.queryByRole('button', { name: policyTexts.actionsFor('curl') })).toBe(null);
});
