// SQL of budgets, of the spend by month and app, and of the notices about budgets.
import { ORGANIZATION } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { type RawBuilder, sql } from 'kysely';
import type { CopyTx } from '../../../platform/db/copy-transactions.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { LlmRow } from '../events/index.ts';

/** Requests of an app that the hub does not know count for the organization. */
const UNKNOWN_APP = '00000000-0000-0000-0000-000000000000';

/** Returns the first day of the month in UTC, like 2026-03-01. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** Adds the costs of new rows to the month in which they are stored. Keys are sorted, so that batches cannot deadlock. */
export async function addSpend(tx: CopyTx, stored: readonly LlmRow[], now: Date): Promise<void> {
  const sums = new Map<string, { tenant_id: string; app_id: string; cost: number }>();
  for (const { tenant_id, app_id, cost_usd: cost } of stored) {
    if (cost === null || cost === 0) continue;
    const spend = { tenant_id, app_id: app_id ?? UNKNOWN_APP, cost: 0 };
    const key = `${spend.tenant_id} ${spend.app_id}`;
    const sum = sums.get(key) ?? spend;
    sums.set(key, { ...sum, cost: sum.cost + cost });
  }
  if (sums.size === 0) return;
  const sorted = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  await tx.rows(sql`
    INSERT INTO llm_spend AS s (tenant_id, month, app_id, cost_usd)
    SELECT tenant_id, ${monthOf(now)}::date, app_id, cost
    FROM json_to_recordset(${JSON.stringify(sorted)}::json)
      AS added (tenant_id uuid, app_id uuid, cost double precision)
    ON CONFLICT (tenant_id, month, app_id)
    DO UPDATE SET cost_usd = s.cost_usd + excluded.cost_usd`);
}

export interface BudgetRow {
  tenant_id: string;
  scope: string;
  monthly_usd: number;
  blocks: boolean;
  /** The month of `notified_percent` and of `is_exhausted`; null before the first evaluation. */
  state_month: string | null;
  /** The highest share of the month about which channels were notified, 0 for none. */
  notified_percent: number;
  is_exhausted: boolean;
  version: number;
  spent_usd: number;
}

const COLUMNS = sql`
  b.tenant_id, b.scope, b.monthly_usd, b.blocks, b.state_month, b.notified_percent,
  b.is_exhausted, b.version`;

/** Selects budgets with the spend of the month. */
const budgetsWhere = (month: string, condition: RawBuilder<unknown>) => sql<BudgetRow>`
  SELECT b.tenant_id, b.scope, b.monthly_usd, b.blocks, b.state_month::text AS state_month,
    b.notified_percent, b.is_exhausted, b.version, coalesce(sum(s.cost_usd), 0) AS spent_usd
  FROM llm_budgets b
  LEFT JOIN llm_spend s ON s.tenant_id = b.tenant_id AND s.month = ${month}::date
    AND (b.scope = ${ORGANIZATION} OR s.app_id::text = b.scope)
  WHERE ${condition}
  GROUP BY ${COLUMNS}
  ORDER BY b.tenant_id, b.scope = ${ORGANIZATION} DESC, b.scope`;

/** Returns the budgets of all tenants with the spend of the month. */
export function selectAllBudgets(db: Db, month: string): Promise<BudgetRow[]> {
  return rows(db, budgetsWhere(month, sql`true`));
}

/** Returns the budgets of a tenant with the spend of the month. */
export function selectBudgets(db: Db, tenantId: string, month: string): Promise<BudgetRow[]> {
  return rows(db, budgetsWhere(month, sql`b.tenant_id = ${tenantId}`));
}

/** Returns the cost of all requests of a tenant in the month. */
export async function selectSpend(db: Db, tenantId: string, month: string): Promise<number> {
  const sum = await row(
    db,
    sql<{ spent: number }>`
      SELECT coalesce(sum(cost_usd), 0) AS spent FROM llm_spend
      WHERE tenant_id = ${tenantId} AND month = ${month}::date`,
  );
  return sum?.spent ?? 0;
}

/** Stores a budget. Its alerts begin anew, because the shares of another amount are other amounts. */
export async function storeBudget(
  tx: Tx,
  tenantId: string,
  scope: string,
  budget: { monthly_usd: number; blocks: boolean },
): Promise<void> {
  await sql`
    INSERT INTO llm_budgets AS b (tenant_id, scope, monthly_usd, blocks)
    VALUES (${tenantId}, ${scope}, ${budget.monthly_usd}, ${budget.blocks})
    ON CONFLICT (tenant_id, scope) DO UPDATE SET monthly_usd = excluded.monthly_usd,
      blocks = excluded.blocks, notified_percent = 0, version = b.version + 1`.execute(tx);
}

/** Deletes a budget. Returns false if there is none. */
export async function deleteBudget(tx: Tx, tenantId: string, scope: string): Promise<boolean> {
  const deleted = await row(
    tx,
    sql`DELETE FROM llm_budgets WHERE tenant_id = ${tenantId} AND scope = ${scope} RETURNING 1`,
  );
  return deleted !== null;
}

/** Stores the state of a budget. Returns false if another hub process or a change of the budget was faster. */
export async function storeBudgetState(
  tx: Tx,
  budget: BudgetRow,
  state: { month: string; percent: number; isExhausted: boolean },
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      UPDATE llm_budgets SET state_month = ${state.month}::date,
        notified_percent = ${state.percent}, is_exhausted = ${state.isExhausted},
        version = version + 1
      WHERE tenant_id = ${budget.tenant_id} AND scope = ${budget.scope}
        AND version = ${budget.version}
      RETURNING 1`,
  );
  return stored !== null;
}

/** Returns the scopes of a tenant whose requests gateway nodes refuse. */
export async function selectExhausted(db: Db, tenantId: string): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ scope: string }>`
      SELECT scope FROM llm_budgets WHERE tenant_id = ${tenantId} AND is_exhausted
      ORDER BY scope`,
  );
  return found.map(({ scope }) => scope);
}

export interface BudgetNotice {
  notice_id: string;
  scope: string;
  app_name: string | null;
  month: string;
  percent: number;
  spent_usd: number;
  monthly_usd: number;
  blocks: boolean;
  created_at: Date;
}

/** Stores what a notice reports, because later spend must not change the text of a repeated attempt. */
export async function insertNotice(
  tx: Tx,
  tenantId: string,
  notice: Omit<BudgetNotice, 'app_name'>,
): Promise<void> {
  await sql`
    INSERT INTO llm_budget_notices (tenant_id, notice_id, scope, month, percent, spent_usd,
      monthly_usd, blocks, created_at)
    VALUES (${tenantId}, ${notice.notice_id}, ${notice.scope}, ${notice.month}::date,
      ${notice.percent}, ${notice.spent_usd}, ${notice.monthly_usd}, ${notice.blocks},
      ${notice.created_at}::timestamptz)`.execute(tx);
}

/** Returns a notice with the name of its app; null if it is deleted. */
export function selectNotice(
  db: Db,
  tenantId: string,
  noticeId: string,
): Promise<BudgetNotice | null> {
  return row(
    db,
    sql<BudgetNotice>`
      SELECT n.notice_id, n.scope, a.name AS app_name, n.month::text AS month, n.percent,
        n.spent_usd, n.monthly_usd, n.blocks, n.created_at
      FROM llm_budget_notices n
      LEFT JOIN apps a ON a.tenant_id = n.tenant_id AND a.app_id::text = n.scope
      WHERE n.tenant_id = ${tenantId} AND n.notice_id = ${noticeId}`,
  );
}

/** Deletes notices after 90 days and spend after two years. */
export async function deleteOldBudgetRecords(db: Db): Promise<void> {
  await sql`
    DELETE FROM llm_budget_notices WHERE created_at < now() - interval '90 days'`.execute(db);
  // Citus refuses a comparison of a date with a timestamp here.
  await sql`
    DELETE FROM llm_spend WHERE month < (now() - interval '2 years')::date`.execute(db);
}
