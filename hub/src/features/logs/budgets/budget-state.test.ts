// Budget states: alerts once per share and month, and exhaustion until the month ends.
import { expect, it } from 'vitest';
import { nextBudgetState, noticeSeverity } from './budget-state.ts';
import type { BudgetRow } from './store.ts';

const MONTH = '2026-03-01';
const budget = (fields: Partial<BudgetRow>): BudgetRow => ({
  ...{ tenant_id: 't', scope: 'organization', monthly_usd: 100, blocks: true, version: 1 },
  ...{ state_month: MONTH, notified_percent: 0, is_exhausted: false, spent_usd: 0 },
  ...fields,
});

it.each<[string, Partial<BudgetRow>, number | null, number, boolean]>([
  ['notifies about nothing below 50 %', { spent_usd: 49.9 }, null, 0, false],
  ['notifies at 50 %', { spent_usd: 50 }, 50, 50, false],
  ['notifies once per share', { spent_usd: 79, notified_percent: 50 }, null, 50, false],
  ['notifies about the highest of several shares', { spent_usd: 85 }, 80, 80, false],
  ['exhausts the budget at 100 %', { spent_usd: 100, notified_percent: 80 }, 100, 100, true],
  ['exhausts no budget that only notifies', { spent_usd: 120, blocks: false }, 100, 100, false],
  [
    'begins anew in another month',
    { spent_usd: 10, state_month: '2026-02-01', notified_percent: 100, is_exhausted: true },
    null,
    0,
    false,
  ],
  ['begins before the first evaluation', { spent_usd: 60, state_month: null }, 50, 50, false],
])('%s', (_claim, fields, notify, percent, isExhausted) => {
  expect(nextBudgetState(budget(fields), MONTH)).toEqual({
    state: { month: MONTH, percent, isExhausted },
    notify,
  });
});

it('raises the severity with the share', () => {
  expect([50, 80, 100].map(noticeSeverity)).toEqual(['low', 'medium', 'high']);
});
