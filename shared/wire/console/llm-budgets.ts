// C/llm/budgets: monthly budgets of the organization and of apps, with what this month has cost.
import { type Static, Type } from 'typebox';
import { Nullable, Uuid } from '../common.ts';

/** The shares of a budget at which notification channels get an alert, in percent. */
export const BUDGET_ALERTS = [50, 80, 100] as const;
export type BudgetAlertPercent = (typeof BUDGET_ALERTS)[number];

/** `organization`, or the id of an app. */
export const ORGANIZATION = 'organization';
export const BudgetParams = Type.Object({
  tenant_id: Type.String(),
  scope: Type.String({
    description: 'organization, or the id of an app',
    pattern: '^(organization|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$',
  }),
});

export const BudgetInput = Type.Object(
  {
    /** US dollars for each calendar month in UTC. */
    monthly_usd: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }),
    /** Whether gateway nodes refuse requests from 100 % until the month ends. */
    blocks: Type.Boolean(),
  },
  { additionalProperties: false, title: 'BudgetInput' },
);
export type BudgetInput = Static<typeof BudgetInput>;

export const Budget = Type.Object(
  {
    scope: Type.String(),
    /** Null for the organization. */
    app_id: Nullable(Uuid),
    app_name: Nullable(Type.String()),
    ...BudgetInput.properties,
    /** The cost of this month's requests with a known price. */
    spent_usd: Type.Number(),
    /** Whether gateway nodes refuse requests now. */
    is_exhausted: Type.Boolean(),
  },
  { title: 'Budget' },
);
export type Budget = Static<typeof Budget>;
export const BudgetAnswer = Type.Object({ budget: Budget, request_id: Type.String() });
export const BudgetsAnswer = Type.Object({
  /** The first day of this month. */
  month: Type.String(),
  /** The cost of all requests of this month with a known price. */
  spent_usd: Type.Number(),
  items: Type.Array(Budget),
  request_id: Type.String(),
});
export type BudgetsAnswer = Static<typeof BudgetsAnswer>;
