// The checks of `doctor`. Their texts are for an operator in the middle of the night.
import { checkAudit } from '../platform/audit-checkpoints.ts';
import { ConfigError } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { isCitus, misplacedTables } from '../platform/db/citus-distribution.ts';
import { schemaState } from '../platform/db/migrate.ts';
import { findRowSecurityGap, ROW_SECURITY_GAPS } from '../platform/db/row-security.ts';
import { checkServer } from '../platform/db/server-requirements.ts';

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

/** Checks of an installation. Each reports its own problem, and a failed check does not stop the next. */
export async function checkInstallation(context: Context): Promise<Check[]> {
  const checks: Check[] = [];
  const check = async (name: string, work: () => Promise<string>) => {
    try {
      checks.push({ name, ok: true, detail: await work() });
    } catch (error) {
      checks.push({ name, ok: false, detail: (error as Error).message });
    }
  };
  const { pool, db } = context.database;
  await check('database', async () => {
    const { version, unusable, fault, lack } = await checkServer(db);
    const wrong = unusable ?? fault;
    if (wrong !== null) throw new ConfigError(wrong);
    return lack === null ? `PostgreSQL ${version}` : `PostgreSQL ${version}; ${lack}`;
  });
  let isEmpty = false;
  await check('schema', async () => {
    const { missing, unknown, isNew } = await schemaState(db);
    isEmpty = isNew;
    if (isEmpty) throw new ConfigError('none, the database is empty: run migrate, or restore');
    if (unknown.length > 0)
      throw new ConfigError(`of a newer version: ${summarizeProblems(unknown)}`);
    if (missing.length > 0)
      throw new ConfigError(`lacks ${summarizeProblems(missing)}: run migrate`);
    return 'of this version';
  });
  // A missing part can be neither good nor bad.
  const checkContents: typeof check = (name, work) =>
    check(name, () => {
      if (isEmpty) throw new ConfigError('not looked at: the database is empty');
      return work();
    });
  if (await isCitus(db)) {
    await checkContents('distribution', async () => {
      const misplaced = await misplacedTables(db);
      if (misplaced.length === 0) return 'each table is placed on Citus as declared';
      const named = misplaced.map((item) => `${item.table} (${item.is}, not ${item.declared})`);
      throw new ConfigError(`${summarizeProblems(named)}: run migrate`);
    });
  }
  await checkContents('row security', async () => {
    const lack = await findRowSecurityGap(db);
    if (lack !== 'none' && lack !== 'citus') throw new ConfigError(ROW_SECURITY_GAPS[lack]);
    return ROW_SECURITY_GAPS[lack];
  });
  await checkContents('master key', async () => {
    await context.loadSecrets();
    return 'opens the stored secrets';
  });
  await checkContents('audit trail', async () => {
    const { auditKey } = await context.loadSecrets();
    const found = await checkAudit(db, auditKey);
    if (found.problems.length > 0) throw new ConfigError(summarizeProblems(found.problems));
    const heads = found.heads.map((head) => `${head.tenant_id} ${head.checkpoint} ${head.mac}`);
    const events = `${found.events} events as they were written`;
    return heads.length === 0 ? events : [`${events}, last checkpoints:`, ...heads].join(' ');
  });
  await check('durability', async () => {
    const found = await pool.query<{ name: string }>(
      "SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'",
    );
    if (found.rows.length > 0) throw new ConfigError(`${found.rows[0]?.name} is off`);
    return 'acknowledged means on disk';
  });
  return checks;
}

const PROBLEMS_TOLD = 20;

/** The first ones; a trail that was rewritten has thousands. */
export function summarizeProblems(problems: readonly string[]): string {
  const more = problems.length - PROBLEMS_TOLD;
  const last = more > 0 ? [`and ${more} more`] : [];
  return [...problems.slice(0, PROBLEMS_TOLD), ...last].join('; ');
}
