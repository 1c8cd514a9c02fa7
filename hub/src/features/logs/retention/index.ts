// What is not kept any more: whole days for all, rows for tenants that keep less.
import {
  createCopyTransactions,
  type TransactCopying,
} from '../../../platform/db/copy-transactions.ts';
import {
  type Database,
  type Db,
  databaseTime,
  type StatementCounter,
  type Tx,
} from '../../../platform/db/database.ts';
import { maintainTimedPartitions, type TimedTable } from '../../../platform/db/partitions.ts';
import {
  deleteBefore,
  deletePersonsRows,
  foldEmail,
  MICROS,
  RETENTION_DAYS,
  selectShortened,
} from '../events/index.ts';

const TABLES: readonly TimedTable[] = [
  { table: 'llm_requests', ids: 'llm_request_ids', days: RETENTION_DAYS },
  { table: 'mcp_tool_calls', ids: 'mcp_tool_call_ids', days: RETENTION_DAYS },
];

const TRIED_AGAIN_MS = 60_000;

/** Makes the days that rows may be of, and drops what is past them. Safe to run anywhere, at any time. */
export async function maintainLogs(db: Db, now: Date): Promise<void> {
  for (const table of TABLES) await maintainTimedPartitions(db, table, now);
  for (const { tenant_id: tenantId, retention_days: days } of await selectShortened(db)) {
    await deleteBefore(db, tenantId, now.getTime() * 1_000 - days * MICROS.day);
  }
}

/**
 * Transactions that store rows of logs. Their days are made ahead; where a clock has leapt beyond those (a machine that
 * slept for a week), they are made now, and the rows stored then: the job would come up to an hour later, and the
 * gateway's own rows wait for nobody.
 */
export function createRowStoring(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  counter: StatementCounter,
): TransactCopying {
  const transact = createCopyTransactions(db, pool, counter);
  let making: Promise<void> | null = null;
  /** Where a day cannot be made, as with a hub's clock far from the database's, it is not tried with every row. */
  let notBefore = 0;
  const makeDays = () => {
    making ??= databaseTime(db)
      .then((now) => maintainLogs(db, now))
      .finally(() => {
        making = null;
      });
    return making;
  };
  return async (work) => {
    try {
      return await transact(work);
    } catch (error) {
      if (!hasNoDay(error) || performance.now() < notBefore) throw error;
      await makeDays();
      return transact(work).catch((again: unknown) => {
        if (hasNoDay(again)) notBefore = performance.now() + TRIED_AGAIN_MS;
        throw again;
      });
    }
  };
}

/** What stands on a worker for a whole table; each of its days has a name of its own. */
const WHOLE_SHARD = new RegExp(`\\b(${TABLES.map((one) => one.table).join('|')})_\\d+\\b`);

/**
 * PostgreSQL has no code of its own for a row without a partition: a check that failed, of no constraint with a name.
 * Citus passes on no code where it copies rows to a worker, but the worker's words, in whatever language: they name the
 * whole table, and those of every other failure one of its days.
 */
function hasNoDay(error: unknown): boolean {
  const { code, constraint, message } = error as Partial<Record<string, unknown>>;
  if (code === 'XX000') return WHOLE_SHARD.test(String(message));
  return code === '23514' && constraint === undefined;
}

/** Erases the rows of a person who is known by an e-mail address; gives how many. */
export async function erasePersonsLogs(tx: Tx, tenantId: string, person: string): Promise<number> {
  const email = foldEmail(person);
  return email === null ? 0 : deletePersonsRows(tx, tenantId, email);
}
