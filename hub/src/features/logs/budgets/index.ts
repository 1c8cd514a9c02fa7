// Budgets of the LLM gateway: a monthly amount for the organization or an app, alerts at 50, 80 and 100 %, and, if a budget
// blocks, refusal at the gateway nodes until the month ends.
// Main types: `BudgetRow` (store.ts), `BudgetNotice`.
// Invariants: the spend of a month is added in the transaction that stores the rows, so that it outlives their retention; an
// alert is sent once per budget, month and share, over all hub processes.
// Start reading at evaluate.ts, then routes.ts.
export { type BudgetAlerts, createBudgetAlerts } from './evaluate.ts';
export { registerBudgets } from './routes.ts';
export { addSpend, selectExhausted, selectNotice } from './store.ts';
