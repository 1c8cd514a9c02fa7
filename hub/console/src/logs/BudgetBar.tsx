// The spend of a month against its budget, as a bar with its figures.
import type { Budget } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { Progress } from '@mantine/core';
import { budgetTexts as t } from './budget-texts.ts';
import { usd } from './usd.ts';

const spendColor = (percent: number) =>
  percent >= 100 ? 'red' : percent >= 80 ? 'orange' : 'blue';

export function BudgetBar({ budget, label }: { budget: Budget; label: string }) {
  const { spent_usd: spent, monthly_usd: monthly, is_exhausted: isExhausted } = budget;
  const percent = Math.floor((spent / monthly) * 100);
  return (
    <div className="gw-budget" data-testid="budget-bar">
      <Progress.Root size="lg">
        <Progress.Section
          value={Math.min(percent, 100)}
          color={spendColor(percent)}
          aria-label={`${label}: ${t.spent}`}
        />
      </Progress.Root>
      <span className="gw-num gw-small">{t.of(usd(spent), usd(monthly), percent)}</span>
      {isExhausted ? <strong className="gw-small">{t.exhausted}</strong> : null}
    </div>
  );
}
