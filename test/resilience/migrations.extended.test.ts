// Several simultaneous `migrate` processes, and killed migrations, end with the same schema as an undisturbed run.
// GATEWARDEN_KILLS=30 is the long run, instead of a single kill.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrationNames } from '@gatewarden/hub/src/platform/db/migrate.ts';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { emptyDatabase } from '../support/hub.ts';
import { HUB_MAIN, jsonCommand, spawnProgram, startProgram } from '../support/programs.ts';

const KILLS = Number(process.env.GATEWARDEN_KILLS ?? 1);
const AT_ONCE = 5;
/** Lists everything in a schema: columns, constraints, indexes, row security policies and privileges. */
const SCHEMA = `
  SELECT string_agg(line, E'\\n' ORDER BY line) AS all FROM (
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT format('%s %s %s %s', tablename, policyname, roles, qual) FROM pg_policies
      WHERE schemaname = current_schema()
    UNION ALL SELECT format('%s %s %s', table_name, grantee, privilege_type) FROM information_schema.role_table_grants
      WHERE table_schema = current_schema()
    UNION ALL SELECT 'done ' || name FROM kysely_migration
  ) AS lines`;

const environment = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  HUB_MASTER_KEY: 'ab'.repeat(32),
});
const migrate = async (databaseUrl: string) =>
  (await jsonCommand<{ migrated: string[] }>(HUB_MAIN, ['migrate'], environment(databaseUrl)))
    .migrated;

async function schemaOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<{ all: string }>(SCHEMA)).rows[0]?.all ?? '';
  } finally {
    await client.end();
  }
}

it('runs each migration once with five simultaneous processes, which all succeed', {
  timeout: 300_000,
}, async () => {
  const databaseUrl = await emptyDatabase();
  const ran = await Promise.all(Array.from({ length: AT_ONCE }, () => migrate(databaseUrl)));
  expect(ran.flat().sort()).toEqual(migrationNames());
  expect(await migrate(databaseUrl)).toEqual([]);
});

it('serves from three hubs that start at once on an empty database', {
  timeout: 300_000,
}, async () => {
  const env = { ...environment(await emptyDatabase()), HUB_PORT: '0', HUB_MIGRATE: 'auto' };
  const started = await Promise.all([1, 2, 3].map(() => startProgram(HUB_MAIN, ['serve'], env)));
  expect(await Promise.all(started.map((program) => program.end('SIGTERM')))).toEqual([0, 0, 0]);
});

// A distributed schema is made in many steps outside of the migrations, each of which is looked at again by the next run.
it.skipIf(inject('postgres').isCitus)(
  `resumes after a kill at any point (${KILLS} kills)`,
  { timeout: 60_000 + KILLS * 30_000 },
  async () => {
    const quiet = await emptyDatabase();
    const began = performance.now();
    await migrate(quiet);
    const completeMs = performance.now() - began;
    const expected = await schemaOf(quiet);
    expect(expected.split('\n').length).toBeGreaterThan(500);

    let cutShort = 0;
    // If a fast machine ended each migration before its kill, further kills come ever earlier until one lands in time.
    for (let kill = 0; kill < KILLS || cutShort === 0; kill++) {
      const databaseUrl = await emptyDatabase();
      const program = spawnProgram(HUB_MAIN, ['migrate'], environment(databaseUrl));
      const share = 0.2 + 0.8 * ((kill + randomInt(100) / 100) / KILLS);
      await sleep(completeMs * (kill < KILLS ? share : 0.2 / 2 ** (kill - KILLS)));
      if ((await program.end('SIGKILL')) === 'SIGKILL') cutShort++;
      await migrate(databaseUrl);
      expect(await schemaOf(databaseUrl)).toBe(expected);
    }
  },
);
