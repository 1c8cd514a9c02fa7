// Parts of Home: the bar of apps by policy, the lists of products, and the setup checklist.
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { SETUP_STEPS, type SetupStep } from '@gatewarden/shared/wire/console/setup-steps.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { policyTexts } from '../policies/policy-texts.ts';
import { aPreview } from '../policies/testing-rows.ts';
import { aProductDetail } from '../testing/product-rows.ts';
import { renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { PolicySteps } from './PolicySteps.tsx';
import { NewProducts, TopProducts } from './Products.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { productListTexts, setupTexts, stepTexts } from './texts.ts';

const none = { restricted: 0, blocked: 0, quarantined: 0 };
const overview = (apps: OverviewAnswer['apps']) => ({ apps }) as OverviewAnswer;

it('shows each policy step with its number and a link to its list, and the numbers as a table', async () => {
  const apps: OverviewAnswer['apps'] = [
    { category: 'ai_tool', unreviewed: 4, approved: 2, ...none, blocked: 1, custom: 1 },
    { category: 'package', unreviewed: 1_200, approved: 0, ...none, custom: 0 },
  ];
  const { user } = await renderPart(<PolicySteps overview={overview(apps)} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(stepTexts.bar(1_207));
  const row = screen.getByRole('link', { name: /Unreviewed/ });
  expect(row.textContent).toContain('1,204');
  expect(row.getAttribute('href')).toContain('/inventory/all?policy_step=unreviewed');
  screen.getByText(stepTexts.custom(1));
  await user.click(screen.getByRole('button', { name: stepTexts.table }));
  const rows = within(await screen.findByRole('table')).getAllByRole('row');
  expect(rows.map((item) => item.lastElementChild?.textContent)).toEqual([
    ...[stepTexts.total, '7', '1,200'],
  ]);
});

it('shows no bar before the first app', async () => {
  await renderPart(<PolicySteps overview={overview([])} />);
  expect(screen.queryByRole('region')).toBe(null);
});

it('opens the policy control of a new product with the chosen step', async () => {
  const product = aProductDetail({ category: 'ai_tool', name: 'Cursor' });
  respondWith('GET /products/p1', { product });
  respond('GET /product-policies', () => listReply([]));
  respondWith('POST /product-policies/bulk/preview', aPreview());
  const { user } = await renderPart(<NewProducts newest={[product]} />);
  await user.click(screen.getByRole('button', { name: productListTexts.block('Cursor') }));
  const dialog = within(await screen.findByRole('dialog'));
  const step = await dialog.findByRole('radio', { name: policyTexts.steps.blocked });
  expect(step).toHaveProperty('checked', true);
});

it('offers no policy to a Viewer', async () => {
  await renderPart(<NewProducts newest={[aProductDetail()]} />, 'Viewer');
  expect(screen.queryByRole('button')).toBe(null);
});

it('lists the products on most devices, without products on no device', async () => {
  const rows = [
    aProductDetail({ name: 'Cursor' }),
    aProductDetail({ name: 'Old', device_count: 0 }),
  ];
  respond('GET /products', () => listReply(rows));
  await renderPart(<TopProducts category="ai_tool" />);
  await screen.findByRole('link', { name: 'Cursor' });
  expect(screen.queryByRole('link', { name: 'Old' })).toBe(null);
  expect(sentTo('GET /products')[0]?.query).toEqual({
    ...{ category: 'ai_tool', sort: '-device_count', limit: '10' },
  });
});

const setup = (done: readonly SetupStep[]) => ({
  steps: SETUP_STEPS.map((step) => ({ step, is_done: done.includes(step) })),
});

it('links each open step of the checklist to its page, until the checklist is hidden', async () => {
  respondWith('GET /setup', setup(['device']));
  const { user } = await renderPart(<SetupChecklist />);
  await screen.findByText(setupTexts.progress(1, 8));
  expect(screen.queryByRole('link', { name: setupTexts.steps.device })).toBe(null);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toHaveLength(7);
  expect(links).toContainEqual(expect.stringMatching(/\/settings\/notifications$/));
  await user.click(screen.getByRole('button', { name: setupTexts.hide }));
  expect(screen.queryByText(setupTexts.title)).toBe(null);
});

it('shows no checklist after all steps, and only to Admins', async () => {
  respondWith('GET /setup', setup(SETUP_STEPS));
  await renderPart(<SetupChecklist />);
  await expect.poll(() => sentTo('GET /setup').length).toBe(1);
  expect(screen.queryByText(setupTexts.title)).toBe(null);
});

it('reads no checklist for a Reviewer', async () => {
  await renderPart(<SetupChecklist />, 'Reviewer');
  expect(sentTo('GET /setup')).toEqual([]);
});
