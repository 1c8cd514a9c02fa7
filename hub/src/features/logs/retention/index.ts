// Retention of logs: whole days are dropped as partitions for all tenants, rows are deleted for tenants with a shorter
// retention.
// Main types: `TransactCopying` of platform/db, a transaction that copies rows.
// Invariants: a partition exists before its day begins; expired rows are deleted at the latest an hour after.
// Depends on events and on the partitions of platform/db.
// Start reading at `maintainLogs`. The number of days is LOG_RETENTION_DAYS_MAX in shared/wire/console/logs.ts.
import { LOG_RETENTION_DAYS_MAX } from '@gatewarden/shared/wire/console/logs.ts';
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
  selectShortRetentions,
} from '../events/index.ts';

const TABLES: readonly TimedTable[] = [
  { table: 'llm_requests', ids: 'llm_request_ids', days: LOG_RETENTION_DAYS_MAX },
  { table: 'mcp_tool_calls', ids: 'mcp_tool_call_ids', days: LOG_RETENTION_DAYS_MAX },
];

const RETRY_AFTER_MS = 60_000;

/**
 * Creates the partitions of coming days, and drops those past the retention. Safe to run in any process, at any time.
 */
export async function maintainLogs(db: Db, now: Date): Promise<void> {
  for (const table of TABLES) await maintainTimedPartitions(db, table, now);
  for (const { tenant_id: tenantId, retention_days: days } of await selectShortRetentions(db)) {
    await deleteBefore(db, tenantId, now.getTime() * 1_000 - days * MICROS.day);
  }
}

/**
 * Returns transactions that store log rows. Partitions are created ahead; if a clock has leapt beyond them (a machine
 * that slept for a week), they are created now and the transaction is retried: the job would come up to an hour later,
 * and the gateway cannot wait.
 */
export function createRowStoring(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  counter: StatementCounter,
): TransactCopying {
  const transact = createCopyTransactions(db, pool, counter);
  let creation: Promise<void> | null = null;
  /**
   * If a partition cannot be created, as when the hub's clock is far from the database's, it is not tried with every
   * row.
   */
  let notBefore = 0;
  const createPartitions = () => {
    creation ??= databaseTime(db)
      .then((now) => maintainLogs(db, now))
      .finally(() => {
        creation = null;
      });
    return creation;
  };
  return async (work) => {
    try {
      return await transact(work);
    } catch (error) {
      if (!isPartitionMissing(error) || performance.now() < notBefore) throw error;
      await createPartitions();
      return transact(work).catch((secondError: unknown) => {
        if (isPartitionMissing(secondError)) notBefore = performance.now() + RETRY_AFTER_MS;
        throw secondError;
      });
    }
  };
}

/** The name of a complete table on a worker; each of its partitions has a name of its own. */
const TABLE_SHARD = new RegExp(`\\b(${TABLES.map((table) => table.table).join('|')})_\\d+\\b`);

/**
 * Returns whether a row had no partition. PostgreSQL reports a check violation without a constraint's name. Citus
 * passes on no code when it copies rows to a worker, only the worker's message in any language: it names the complete
 * table, while every other failure names a partition.
 */
function isPartitionMissing(error: unknown): boolean {
  const { code, constraint, message } = error as Partial<Record<string, unknown>>;
  if (code === 'XX000') return TABLE_SHARD.test(String(message));
  return code === '23514' && constraint === undefined;
}

/** Erases the rows that name a person's e-mail address. Returns their number. */
export async function erasePersonsLogs(tx: Tx, tenantId: string, person: string): Promise<number> {
  const email = foldEmail(person);
  return email === null ? 0 : deletePersonsRows(tx, tenantId, email);
}
