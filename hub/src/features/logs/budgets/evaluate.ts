// Evaluates budgets: notifies channels about reached shares, records them in the audit log, and notifies gateway nodes about
// exhausted and renewed budgets.
import { randomUUID } from 'node:crypto';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Logger } from 'pino';
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { type Db, isDatabaseAway, type Tx, transact } from '../../../platform/db/database.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { isUnchanged, nextBudgetState, noticeSeverity } from './budget-state.ts';
import {
  type BudgetRow,
  deleteOldBudgetRecords,
  insertNotice,
  monthOf,
  selectAllBudgets,
  storeBudgetState,
} from './store.ts';

const ACTOR: Actor = { kind: 'hub', id: 'llm-budgets', email: null };

export interface BudgetAlertDeps {
  db: Db;
  log: Logger;
  /** Creates the deliveries of a notice in the transaction that stores it. */
  notifyChannels(
    tx: Tx,
    notice: { tenantId: string; noticeId: string; severity: Severity },
  ): Promise<void>;
}

export interface BudgetAlerts {
  /** Evaluates all budgets; safe to run in any process, at any time. */
  evaluate(now: Date): Promise<void>;
  deleteOld(): Promise<void>;
}

/** Returns the evaluator of budgets. */
export function createBudgetAlerts(deps: BudgetAlertDeps): BudgetAlerts {
  return {
    async evaluate(now) {
      for (const budget of await selectAllBudgets(deps.db, monthOf(now))) {
        await evaluateBudget(deps, budget, now).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          // An error of a budget must not block the evaluation of other budgets.
          deps.log.error({ err: error, tenant: budget.tenant_id }, 'could not evaluate a budget');
        });
      }
    },
    deleteOld: () => deleteOldBudgetRecords(deps.db),
  };
}

async function evaluateBudget(
  { db, notifyChannels }: BudgetAlertDeps,
  budget: BudgetRow,
  now: Date,
): Promise<void> {
  const { state, notify } = nextBudgetState(budget, monthOf(now));
  if (isUnchanged(budget, state)) return;
  const { tenant_id: tenantId, scope, spent_usd, monthly_usd, blocks } = budget;
  await transact(db, async (tx) => {
    if (!(await storeBudgetState(tx, budget, state))) return;
    if (notify !== null) {
      const noticeId = randomUUID();
      await insertNotice(tx, tenantId, {
        ...{ notice_id: noticeId, scope, month: state.month, percent: notify },
        ...{ spent_usd, monthly_usd, blocks, created_at: now },
      });
      await notifyChannels(tx, { tenantId, noticeId, severity: noticeSeverity(notify) });
      await recordAudit(tx, {
        ...{ tenantId, actor: ACTOR, operation: 'llm_budget.reached', requestId: null },
        resource: { kind: 'llm_budget', id: scope },
        detail: { month: state.month, percent: notify, spent_usd, monthly_usd, blocks },
      });
    }
    if (budget.is_exhausted === state.isExhausted) return;
    await announceConfiguration(tx, tenantId, [{ kind: 'settings', id: tenantId }]);
  });
}
