// The state of a budget in a month. Pure.
import { BUDGET_ALERTS } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { BudgetRow } from './store.ts';

export interface BudgetState {
  month: string;
  /** The highest share about which channels are notified, 0 for none. */
  percent: number;
  isExhausted: boolean;
}

/** Returns the state after an evaluation, and the share to notify about; null for no notice. */
export function nextBudgetState(
  budget: BudgetRow,
  month: string,
): { state: BudgetState; notify: number | null } {
  const isSameMonth = budget.state_month === month;
  const before = isSameMonth ? budget.notified_percent : 0;
  const share = (budget.spent_usd / budget.monthly_usd) * 100;
  const reached = BUDGET_ALERTS.findLast((percent) => share >= percent) ?? 0;
  return {
    state: {
      month,
      percent: Math.max(before, reached),
      isExhausted: budget.blocks && share >= 100,
    },
    notify: reached > before ? reached : null,
  };
}

/** Returns whether nothing has to be stored. */
export const isUnchanged = (budget: BudgetRow, state: BudgetState): boolean =>
  budget.state_month === state.month &&
  budget.notified_percent === state.percent &&
  budget.is_exhausted === state.isExhausted;

/** Returns the severity by which notification channels select a notice. */
export function noticeSeverity(percent: number): Severity {
  if (percent >= 100) return 'high';
  return percent >= 80 ? 'medium' : 'low';
}
