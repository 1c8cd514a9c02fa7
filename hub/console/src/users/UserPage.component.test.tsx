// The page of a user: the apps on the user's devices, each with the policy control for this user.
import type { IdentityAnswer } from '@gatewarden/shared/wire/console/identity.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { policyTexts } from '../policies/policy-texts.ts';
import { aPreview } from '../policies/testing-rows.ts';
import { aProductDetail } from '../testing/product-rows.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { userTexts } from './texts.ts';
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
  respond('GET /overrides', () => listReply([]));
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

async function openUser(role: Role, identity = IDENTITY) {
  respondWith('GET /identity', { identity });
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
  respond('GET /product-policies', () => listReply([]));
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

it('leads from each count to a list of the user, and names the device of an app', async () => {
  await openUser('Viewer');
  const facts = within(screen.getByRole('region', { name: userTexts.facts }));
  const hrefOf = (value: string) => {
    const link = facts.getAllByRole('link').find(({ textContent }) => textContent === value);
    return link?.getAttribute('href');
  };
  expect(hrefOf(userTexts.requestCount(0, 0))).toMatch(
    /access-requests\?subscriber_id=grace(@|%40)example\.com$/,
  );
  expect(hrefOf('0')).toMatch(
    /activity\/alerts\?subscriber_id=grace(@|%40)example\.com&state=open$/,
  );
  expect(hrefOf('1')).toMatch(/\/devices\?query=grace(@|%40)example\.com$/);
  const apps = facts.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(apps.join()).toMatch(/inventory\/all\?subscriber_id=grace(@|%40)example\.com/);
  expect(facts.getByText(userTexts.llmUse('$0.00', 0))).toBeTruthy();
  const app = within(screen.getByTestId('user-app-row'));
  expect(app.getByText(texts.platforms.linux)).toBeTruthy();
  expect(app.getByRole('link', { name: 'laptop-7' })).toBeTruthy();
});

it('leads to the alerts of all devices of a user with several devices', async () => {
  const [device] = IDENTITY.devices;
  if (device === undefined) throw new Error('the identity has a device');
  const second = { ...device, device_id: 'd2', hostname: 'laptop-8' };
  await openUser('Viewer', { ...IDENTITY, open_alerts: 3, devices: [device, second] });
  expect(screen.getByRole('link', { name: '3' }).getAttribute('href')).toMatch(
    /alerts\?subscriber_id=grace(@|%40)example\.com&state=open$/,
  );
  const [, row] = screen.getAllByTestId('user-device-row');
  const alerts = within(row as HTMLElement).getByRole('link', { name: userTexts.alertsOf });
  expect(alerts.getAttribute('href')).toMatch(/alerts\?device_id=d2&state=open$/);
  expect(within(screen.getByTestId('user-app-row')).getByText(userTexts.several(2))).toBeTruthy();
});

it('offers a viewer the list of apps without a policy control', async () => {
  await openUser('Viewer');
  expect(screen.queryByRole('button', { name: policyTexts.actionsFor('curl') })).toBe(null);
});
