// Budgets on the page of usage, and the budget of an app on its page.
import {
  type Budget,
  type BudgetsAnswer,
  ORGANIZATION,
} from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMayAdminister, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { BudgetBar } from './BudgetBar.tsx';
import { BudgetDialog } from './BudgetDialog.tsx';
import { budgetTexts as t } from './budget-texts.ts';
import './usage.css';
import { usd } from './usd.ts';

const ownerName = ({ app_id, app_name }: Budget): string =>
  app_id === null ? t.organization : (app_name ?? app_id);

interface Opened {
  scope: string;
  owner: string;
  budget: Budget | null;
}

/** All budgets of the tenant with the spend of this month. */
export function Budgets() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<Opened | null>(null);
  const answer = useResource<BudgetsAnswer>('gateway', '/llm/budgets');
  const shown = shownOf(answer);
  const hasOrganization = shown?.items.some(({ scope }) => scope === ORGANIZATION) ?? true;
  const open = (budget: Budget) =>
    setOpened({ scope: budget.scope, owner: ownerName(budget), budget });
  return (
    <Section
      title={t.title}
      aside={
        mayAdminister && !hasOrganization ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => setOpened({ scope: ORGANIZATION, owner: t.organization, budget: null })}
          >
            {t.setOrganization}
          </Button>
        ) : undefined
      }
    >
      <Waiting answer={answer} />
      {shown === undefined ? null : shown.items.length === 0 ? (
        <p className="gw-flat gw-dimmed">{t.unset(usd(shown.spent_usd))}</p>
      ) : (
        <DataTable
          caption={t.title}
          rows={shown.items}
          rowKey={({ scope }) => scope}
          rowTestId="budget-row"
          columns={[...COLUMNS, ...(mayAdminister ? [actions(open)] : [])]}
        />
      )}
      {opened === null ? null : <BudgetDialog {...opened} onClosed={() => setOpened(null)} />}
    </Section>
  );
}

const COLUMNS: readonly Column<Budget>[] = [
  {
    key: 'owner',
    header: t.app,
    weight: 1.2,
    render: (budget) => <Name value={ownerName(budget)} clamp />,
  },
  {
    key: 'spent',
    header: t.spent,
    weight: 2,
    render: (budget) => <BudgetBar budget={budget} label={ownerName(budget)} />,
  },
  { key: 'effect', header: t.effect, render: ({ blocks }) => (blocks ? t.blocks : t.alerts) },
];

const actions = (open: (budget: Budget) => void): Column<Budget> => ({
  key: 'actions',
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  weight: 0.8,
  render: (budget) => (
    <Button size="xs" variant="default" onClick={() => open(budget)}>
      {t.edit}
    </Button>
  ),
});

/** The budget of an app as a bar, with a button to set it. */
export function AppBudget({ appId, appName }: { appId: string; appName: string }) {
  const mayAdminister = useMayAdminister();
  const [isOpen, setOpen] = useState(false);
  const shown = shownOf(useResource<BudgetsAnswer>('gateway', '/llm/budgets'));
  if (shown === undefined) return null;
  const budget = shown.items.find(({ scope }) => scope === appId) ?? null;
  return (
    <div className="gw-app-budget">
      {budget === null ? (
        <span className="gw-dimmed">{t.none}</span>
      ) : (
        <BudgetBar budget={budget} label={appName} />
      )}
      {mayAdminister ? (
        <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
          {budget === null ? t.set : t.edit}
        </Button>
      ) : null}
      {isOpen ? (
        <BudgetDialog
          {...{ scope: appId, owner: appName, budget }}
          onClosed={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}
