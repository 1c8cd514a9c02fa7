// The list of products: the reach of the selection, and the same policy for several products after one preview over all.
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { productsSearch } from '../app/search.ts';
import { policyTexts } from '../policies/policy-texts.ts';
import { aPolicyInForce, aPreview } from '../policies/testing-rows.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { ProductsPage } from './ProductsPage.tsx';
import { productTexts as t } from './texts.ts';

const PREVIEW = 'POST /product-policies/bulk/preview';
const CREATE = 'POST /product-policies';

const aProduct = (name: string) =>
  ({
    ...{ product_id: `p-${name}`, product_key: name, category: 'ai_tool', name, vendor: null },
    ...{ platforms: [], sources: [], application_count: 1, device_count: 2, user_count: 1 },
    ...{ approval_status: 'pending', execution_policy: null, drifted_at: null, risk_hints: [] },
    statuses: { pending: 1, approved: 0, restricted: 0, blocked: 0 },
    ...{ first_seen_at: '2026-03-01T10:00:00.000Z', last_seen_at: '2026-03-01T10:00:00.000Z' },
  }) as ProductRow;

async function openProducts(names: string[]) {
  respond('GET /products', () => listReply(names.map(aProduct)));
  respondWith(PREVIEW, { ...aPreview(), entity_ids: [] });
  const rendered = await renderPage(ProductsPage, {
    ...{ route: '/inventory/$list', validateSearch: productsSearch },
    ...{ address: '/inventory/ai-tools', role: 'Reviewer' },
  });
  await screen.findByText(names[0] ?? '');
  return rendered;
}

const productIds = () => sentTo(PREVIEW).map(({ body }) => body.product_ids);

it('previews all selected products together, and shows their reach before a step is chosen', async () => {
  const { user } = await openProducts(['alpha', 'beta']);
  await user.click(screen.getByRole('checkbox', { name: t.select('alpha') }));
  await user.click(screen.getByRole('checkbox', { name: t.select('beta') }));
  await screen.findByText(policyTexts.reach(1, 1));
  expect(productIds().at(-1)).toEqual(['p-alpha', 'p-beta']);
  await user.click(screen.getByRole('button', { name: policyTexts.block }));
  const dialog = within(await screen.findByRole('dialog', { name: policyTexts.title }));
  const apply = dialog.getByRole('button', { name: t.applyMany(2) });
  await waitFor(() => expect(apply).toHaveProperty('disabled', false));
  expect(sentTo(PREVIEW).at(-1)?.body).toMatchObject({
    ...{ product_ids: ['p-alpha', 'p-beta'], execution_policy: 'block' },
  });
  respond('GET /product-policies', () => listReply([]));
  respond(CREATE, () => ({ status: 201, body: { policy: {} } }));
  await user.click(apply);
  await screen.findByText(t.applied(['alpha', 'beta']));
  expect(sentTo(CREATE).map(({ body }) => body.product_id)).toEqual(['p-alpha', 'p-beta']);
});

it('marks the status as the first order, and another header after a click', async () => {
  const { user } = await openProducts(['alpha']);
  const order = (name: string) =>
    screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
  expect([order(t.status), order(t.name)]).toEqual(['ascending', 'none']);
  await user.click(screen.getByRole('button', { name: t.name }));
  await waitFor(() => expect([order(t.status), order(t.name)]).toEqual(['none', 'ascending']));
  await user.click(screen.getByRole('button', { name: t.status }));
  await waitFor(() => expect(order(t.status)).toBe('ascending'));
});

it('changes the policy that a product has for the same platform and scope', async () => {
  respondWith('GET /products/p-alpha', {
    product: { policies: { count: 1, items: [aPolicyInForce({ origin: 'product_policy' })] } },
  });
  respond('GET /product-policies', () => listReply([]));
  const { user } = await openProducts(['alpha']);
  await user.click(screen.getByRole('button', { name: policyTexts.actionsFor('alpha') }));
  await user.click(await screen.findByRole('menuitem', { name: policyTexts.approve }));
  const dialog = within(await screen.findByRole('dialog', { name: policyTexts.title }));
  await dialog.findByText(policyTexts.origins.product_policy, { exact: false });
  await dialog.findByText(t.appliesToAll('alpha', ''));
  await user.selectOptions(dialog.getByRole('combobox', { name: t.platform }), 'linux');
  await dialog.findByText(t.appliesToPlatform('alpha', t.platformNames.linux));
  await user.selectOptions(dialog.getByRole('combobox', { name: t.platform }), '');
  const apply = dialog.getByRole('button', { name: t.apply });
  await waitFor(() => expect(apply).toHaveProperty('disabled', false));
  respond(`GET /product-policies`, () =>
    listReply([
      { policy_id: 'other', platform: 'linux', scope: { kind: 'tenant' }, version: '"1"' },
      { policy_id: 'pp1', platform: null, scope: { kind: 'tenant' }, version: '"3"' },
    ]),
  );
  respondWith('PATCH /product-policies/pp1', { policy: {} });
  await user.click(apply);
  await screen.findByText(t.applied(['alpha']));
  const [change] = sentTo('PATCH /product-policies/pp1');
  expect(change?.headers['if-match']).toBe('"3"');
  // Reason, severity and end of the existing policy stay.
  expect(change?.body).toEqual({
    ...{ approval_status: 'approved', execution_policy: 'allow', as_of_revision: 12 },
  });
  expect(sentTo(CREATE)).toEqual([]);
});
