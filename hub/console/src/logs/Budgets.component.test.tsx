// Budgets: bars with figures, a new budget of the organization, and the removal of an app's budget.
import type { Budget } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { respondWith, sentTo } from '../testing/responder.ts';
import { AppBudget, Budgets } from './Budgets.tsx';
import { budgetTexts as t } from './budget-texts.ts';

const APP = '01900000-0000-7000-8000-00000000000a';
const aBudget = (fields: Partial<Budget> = {}): Budget => ({
  ...{ scope: APP, app_id: APP, app_name: 'help desk', monthly_usd: 100, blocks: true },
  ...{ spent_usd: 84.2, is_exhausted: false },
  ...fields,
});
const answerWith = (items: Budget[]) =>
  respondWith('GET /llm/budgets', {
    ...{ month: '2026-03-01', spent_usd: 90, items, request_id: 'r' },
  });

it('shows each budget as a bar, and adds a budget of the organization', async () => {
  answerWith([aBudget()]);
  respondWith('PUT /llm/budgets/organization', { budget: aBudget() });
  const { user } = await renderPart(<Budgets />);
  const row = within(await screen.findByTestId('budget-row'));
  expect(row.getByText('$84.20 of $100.00 (84%)')).toBeTruthy();
  expect(row.getByText(t.blocks)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: t.setOrganization }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: t.amount }), '500');
  await user.click(dialog.getByRole('switch'));
  await user.click(dialog.getByRole('button', { name: t.save }));
  await expect
    .poll(() => sentTo('PUT /llm/budgets/organization')[0]?.body)
    .toEqual({ monthly_usd: 500, blocks: true });
});

it('removes the budget of an app, and marks a spent budget', async () => {
  answerWith([aBudget({ spent_usd: 120, is_exhausted: true })]);
  respondWith(`DELETE /llm/budgets/${APP}`, { request_id: 'r' });
  const { user } = await renderPart(<AppBudget appId={APP} appName="help desk" />);
  await screen.findByText(t.exhausted);
  await user.click(screen.getByRole('button', { name: t.edit }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.remove }));
  await expect.poll(() => sentTo(`DELETE /llm/budgets/${APP}`).length).toBe(1);
});

it('shows the spend without a budget, and offers a Viewer no change', async () => {
  answerWith([]);
  await renderPart(<Budgets />, 'Viewer');
  await screen.findByText(t.unset('$90.00'));
  expect(screen.queryByRole('button')).toBeNull();
});
