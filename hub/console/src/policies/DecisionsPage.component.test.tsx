// The page of policies: order by its headers and in the address, and how many policies there are.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { decisionsSearch } from '../app/search.ts';
import { productTexts } from '../products/texts.ts';
import { aProductDetail } from '../testing/product-rows.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { DecisionsPage } from './DecisionsPage.tsx';
import { policyTexts } from './policy-texts.ts';
import { anOverride, aPreview } from './testing-rows.ts';

const t = texts.decisions;
const LIST = 'GET /overrides';

async function openPolicies(search = '', total: number | null = 2134) {
  const items = [anOverride({ expires_at: '2040-01-01T10:00:00.000Z' })];
  respondWith(LIST, { items, next_cursor: 'next', total, request_id: 'r' });
  respondWith('GET /emergency-stop', { enforcement_ceiling: 'enforce' });
  const rendered = await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: `/policies${search}`, role: 'Viewer' },
  });
  await screen.findByTestId('decision-row');
  return rendered;
}

const order = (name: string) =>
  screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

it('shows the last changed policies first, sorts by a header, and returns by a second click', async () => {
  const { user, search } = await openPolicies();
  expect(sentTo(LIST)[0]?.query).toEqual({ product_policies: 'once', sort: '-updated_at' });
  expect([order(t.changed), order(t.ends)]).toEqual(['descending', 'none']);
  await user.click(screen.getByRole('button', { name: t.ends }));
  await waitFor(() => expect(search()).toEqual({ sort: 'expires_at' }));
  await waitFor(() => expect(sentTo(LIST).at(-1)?.query).toMatchObject({ sort: 'expires_at' }));
  expect([order(t.changed), order(t.ends)]).toEqual(['none', 'ascending']);
  await user.click(screen.getByRole('button', { name: t.ends }));
  await waitFor(() => expect(search()).toEqual({}));
});

it('leaves out the column of ends where no policy has an end', async () => {
  await openPolicies();
  expect(screen.getByRole('columnheader', { name: t.ends })).toBeTruthy();
  cleanup();
  respond(LIST, () => listReply([anOverride()]));
  await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: '/policies', role: 'Viewer' },
  });
  await screen.findByTestId('decision-row');
  expect(screen.queryByRole('columnheader', { name: t.ends })).toBe(null);
});

it('reads the order of the address', async () => {
  await openPolicies('?sort=-execution_policy');
  expect(sentTo(LIST)[0]?.query).toMatchObject({ sort: '-execution_policy' });
  expect(order(policyTexts.label)).toBe('descending');
});

it('drops an unknown order of the address', async () => {
  await openPolicies('?sort=nonsense');
  expect(sentTo(LIST)[0]?.query).toEqual({ product_policies: 'once', sort: '-updated_at' });
});

it.each([
  [2134, '1–1 of 2,134'],
  [null, '1–1, more available'],
])('shows the total %s as %s', async (total, text) => {
  await openPolicies('', total);
  expect(screen.getByText(text)).toBeTruthy();
});

it('shows a product policy once, with its platforms, and leads to its product', async () => {
  const product = { product_id: 'p1', name: 'Claude Code', platform: null, app_count: 3 };
  respondWith('GET /emergency-stop', { enforcement_ceiling: 'enforce' });
  respond(LIST, () =>
    listReply([anOverride({ match: { entity_id: 'e1' }, product_policy_id: 'pp1', product })]),
  );
  await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: '/policies', role: 'Reviewer' },
  });
  const row = within(await screen.findByTestId('decision-row'));
  const href = row.getByRole('link', { name: 'Claude Code' }).getAttribute('href');
  expect(href).toMatch(/\/inventory\/products\/p1$/);
  expect(row.getByText(policyTexts.allPlatforms)).toBeTruthy();
  expect(row.queryByRole('button', { name: texts.rollout.buttonNamed('Claude Code') })).toBe(null);
});

it('names the user beside a device, since devices may share a host name', async () => {
  respondWith('GET /emergency-stop', { enforcement_ceiling: 'enforce' });
  const rows = ['d1', 'd2'].map((device_id) =>
    anOverride({
      ...{ override_id: `o-${device_id}`, match: { name: 'curl' } },
      scope: { kind: 'device', device_id },
    }),
  );
  respond(LIST, () => listReply(rows));
  respond('GET /device-name', ({ query }) => ({
    status: 200,
    body: { hostname: 'laptop', subscriber_id: query.of === 'd1' ? 'ada@x.org' : 'grace@x.org' },
  }));
  await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: '/policies', role: 'Reviewer' },
  });
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'laptop' })).toHaveLength(2));
  expect(screen.getByText('ada@x.org')).toBeTruthy();
  expect(screen.getByText('grace@x.org')).toBeTruthy();
});

it('edits and removes the policy of a product on a platform from the list', async () => {
  const product = {
    product_id: 'p1',
    name: 'Claude Code',
    platform: 'win32' as const,
    app_count: 3,
  };
  const policy = {
    ...{ policy_id: 'pp1', version: '"4"', product_id: 'p1', product_name: 'Claude Code' },
    ...{ platform: 'win32', scope: { kind: 'tenant' }, approval_status: 'blocked' },
    ...{ execution_policy: 'block', severity: 'high', reason: 'Not licensed' },
    ...{ effective_at: null, expires_at: null, entity_ids: [] },
  };
  respondWith('GET /emergency-stop', { enforcement_ceiling: 'enforce' });
  respond(LIST, () =>
    listReply([anOverride({ match: { entity_id: 'e1' }, product_policy_id: 'pp1', product })]),
  );
  respondWith('GET /product-policies/pp1', { policy });
  respondWith('GET /products/p1', { product: aProductDetail({ name: 'Claude Code' }) });
  respond('GET /product-policies', () => listReply([policy]));
  respondWith('POST /product-policies/bulk/preview', { ...aPreview(), entity_ids: [] });
  const { user } = await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: '/policies', role: 'Reviewer' },
  });
  const name = policyTexts.productOn('Claude Code', texts.platforms.win32);
  await user.click(await screen.findByRole('button', { name: t.editNamed(name) }));
  const dialog = within(await screen.findByRole('dialog', { name: texts.decide.editTitle }));
  const reason = await dialog.findByRole('textbox', { name: texts.decide.reason });
  expect(reason).toHaveProperty('value', 'Not licensed');
  expect(dialog.queryByRole('combobox', { name: t.platform })).toBe(null);
  const apply = dialog.getByRole('button', { name: productTexts.apply });
  await waitFor(() => expect(apply).toHaveProperty('disabled', false));
  await user.click(dialog.getByRole('radio', { name: policyTexts.steps.approved }));
  await waitFor(() => expect(apply).toHaveProperty('disabled', false));
  respondWith('PATCH /product-policies/pp1', { policy });
  await user.click(apply);
  await screen.findByText(productTexts.applied([name]));
  const [change] = sentTo('PATCH /product-policies/pp1');
  expect([change?.headers['if-match'], change?.body.execution_policy]).toEqual(['"4"', 'allow']);
  expect(change?.body).not.toHaveProperty('platform');

  await user.click(screen.getByRole('button', { name: t.withdrawNamed(name) }));
  respondWith('DELETE /product-policies/pp1', { deleted: true });
  await user.click(await screen.findByRole('button', { name: productTexts.remove }));
  await screen.findByText(productTexts.removed);
  expect(sentTo('DELETE /product-policies/pp1')[0]?.headers['if-match']).toBe('"4"');
});
