// What is not kept any more: whole days for all, rows for tenants that keep less.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { maintainTimedPartitions, type TimedTable } from '../../../platform/db/partitions.ts';
import {
  deleteBefore,
  deletePersonsRows,
  foldEmail,
  MICROS,
  RETENTION_DAYS,
  selectShortened,
} from '../rows/index.ts';

const TABLES: readonly TimedTable[] = [
  { table: 'llm_requests', ids: 'llm_request_ids', days: RETENTION_DAYS },
  { table: 'mcp_tool_calls', ids: 'mcp_tool_call_ids', days: RETENTION_DAYS },
];

/** Makes the days that rows may be of, and drops what is past them. Safe to run anywhere, at any time. */
export async function maintainLogs(db: Db, now: Date): Promise<void> {
  for (const table of TABLES) await maintainTimedPartitions(db, table, now);
  for (const { tenant_id: tenantId, retention_days: days } of await selectShortened(db)) {
    await deleteBefore(db, tenantId, now.getTime() * 1_000 - days * MICROS.day);
  }
}

/** Erases the rows of a person who is known by an e-mail address; gives how many. */
export async function erasePersonsLogs(tx: Tx, tenantId: string, person: string): Promise<number> {
  const email = foldEmail(person);
  return email === null ? 0 : deletePersonsRows(tx, tenantId, email);
}
