// C/llm/budgets: lists, sets and deletes budgets.
import {
  type Budget,
  BudgetAnswer,
  BudgetInput,
  BudgetParams,
  BudgetsAnswer,
  ORGANIZATION,
} from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type BudgetRow,
  deleteBudget,
  monthOf,
  selectBudgets,
  selectSpend,
  storeBudget,
} from './store.ts';

interface BudgetDeps {
  db: Db;
  /** Returns the names of the tenant's apps by id. */
  appNames(tenantId: string): Promise<ReadonlyMap<string, string>>;
  /** Evaluates budgets after a change, so that nodes are notified without waiting for the schedule. */
  evaluate(now: Date): Promise<void>;
}

/** Registers the budgets. */
export function registerBudgets(app: App, deps: BudgetDeps): void {
  const { db } = deps;
  registerBudgetDeletion(app, db);
  app.get(
    '/llm/budgets',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'List budgets with the spend of this month',
        response: { 200: BudgetsAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const month = monthOf(new Date());
      const names = await deps.appNames(tenantId);
      return {
        month,
        spent_usd: await selectSpend(db, tenantId, month),
        items: (await selectBudgets(db, tenantId, month)).map((budget) => toWire(budget, names)),
        request_id: request.id,
      };
    },
  );

  app.put(
    '/llm/budgets/:scope',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Set the monthly budget of the organization or of an app',
        params: BudgetParams,
        body: BudgetInput,
        response: { 200: BudgetAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { scope } = request.params;
      const names = await deps.appNames(tenantId);
      if (scope !== ORGANIZATION && !names.has(scope)) throw new HubError('not_found');
      await transact(db, async (tx) => {
        await storeBudget(tx, tenantId, scope, request.body);
        await recordByPerson(tx, request, {
          operation: 'llm_budget.set',
          resource: { kind: 'llm_budget', id: scope },
          detail: request.body,
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'gateway' });
      });
      await deps.evaluate(new Date());
      const budgets = await selectBudgets(db, tenantId, monthOf(new Date()));
      const budget = budgets.find((item) => item.scope === scope);
      if (budget === undefined) throw new HubError('not_found');
      return { budget: toWire(budget, names), request_id: request.id };
    },
  );
}

function registerBudgetDeletion(app: App, db: Db): void {
  app.delete(
    '/llm/budgets/:scope',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Delete the budget of the organization or of an app',
        params: BudgetParams,
        response: { 200: Type.Object({ request_id: Type.String() }) },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { scope } = request.params;
      await transact(db, async (tx) => {
        if (!(await deleteBudget(tx, tenantId, scope))) throw new HubError('not_found');
        await recordByPerson(tx, request, {
          operation: 'llm_budget.delete',
          resource: { kind: 'llm_budget', id: scope },
          detail: {},
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'gateway' });
        await announceConfiguration(tx, tenantId, [{ kind: 'settings', id: tenantId }]);
      });
      return { request_id: request.id };
    },
  );
}

function toWire(budget: BudgetRow, names: ReadonlyMap<string, string>): Budget {
  const { scope, monthly_usd, blocks, spent_usd, is_exhausted } = budget;
  const appId = scope === ORGANIZATION ? null : scope;
  return {
    ...{ scope, app_id: appId, app_name: appId === null ? null : (names.get(appId) ?? null) },
    ...{ monthly_usd, blocks, spent_usd, is_exhausted },
  };
}
