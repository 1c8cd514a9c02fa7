// A configuration write whose outcome stayed unknown, because the database went away under it: the operation is told,
// asked for, and carried out again by the key that began it, unless the app was changed since.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  type Management,
  type ManagementCall,
  makeApp,
  makeProvider,
  manage,
} from '../../../../../test/support/management.ts';
import { transact } from '../../../platform/db/database.ts';
import { isCitus } from '../../../platform/db/distribute.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await startTestHub();
  api = await manage(hub);
  await makeProvider(api, 'second');
});
afterAll(() => hub.stop());

const versionOf = async (name: string): Promise<string> =>
  (await api.call('GET', `/apps/${name}`)).body.app.version;

/** A write that waits for its app while the connection it waits on is ended. Gives the operation that is left. */
async function interrupted(
  name: string,
  method: string,
  path: string,
  options: ManagementCall,
): Promise<string> {
  const { db } = hub.context.database;
  // On Citus it is a worker's connection that waits, for one of the coordinator that the global id names.
  const isSpread = await isCitus(db);
  const answer = await transact(db, async (tx) => {
    await sql`SELECT FROM apps WHERE tenant_id = ${hub.tenantId} AND name = ${name} FOR UPDATE`.execute(
      tx,
    );
    const asked = api.call(method, path, options);
    await expect
      .poll(async () => {
        const ended = await sql`
          SELECT pg_terminate_backend(${sql.ref(isSpread ? 'global_pid' : 'pid')})
          FROM ${sql.table(isSpread ? 'citus_stat_activity' : 'pg_stat_activity')}
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        return ended.rows.length;
      })
      .toBe(1);
    return asked;
  });
  expect([answer.status, answer.body.error.code]).toEqual([503, 'operation_pending']);
  return answer.body.error.operation_id;
}

const stateOf = async (id: string) => (await api.call('GET', `/operations/${id}`)).body.state;
const recover = (id: string, by: Management = api) =>
  by.call('POST', `/operations/${id}/recover`, { body: {} });

test('it is carried out once, and told as completed after that', async () => {
  await makeApp(api, 'plain');
  const before = await versionOf('plain');
  const id = await interrupted('plain', 'PATCH', '/apps/plain', {
    ifMatch: before,
    body: { tags: ['late'] },
  });
  expect([await stateOf(id), await versionOf('plain')]).toEqual(['pending', before]);
  const other = await manage(hub);
  expect((await other.call('GET', `/operations/${id}`)).status).toBe(404);
  expect((await recover(id, other)).status).toBe(404);
  const done = await recover(id);
  expect(done).toMatchObject({
    status: 200,
    body: { operation_id: id, state: 'completed', app: { tags: ['late'] }, warnings: [] },
  });
  const again = await recover(id);
  expect(again.body).toEqual({
    operation_id: id,
    state: 'completed',
    request_id: again.body.request_id,
  });
  expect(await versionOf('plain')).toBe(done.body.app.version);
  expect((await api.call('GET', '/apps/plain/versions')).body.items).toHaveLength(1);
});

test('what was changed since is not overwritten', async () => {
  await makeApp(api, 'moved');
  const attach = (label: string, ifMatch: string) =>
    api.call('PUT', `/apps/moved/providers/${label}`, { ifMatch, body: {} });
  await attach('second', await versionOf('moved'));
  const put = await api.call('PUT', '/apps/moved/prompts/one', {
    ifMatch: await versionOf('moved'),
    body: { content: 'Hello' },
  });
  expect(put.status).toBe(201);
  const ifMatch = await versionOf('moved');
  const writes = [
    ['PATCH', '/apps/moved', { body: { tags: ['x'] } }],
    ['DELETE', '/apps/moved/providers/second', {}],
    ['DELETE', '/apps/moved/prompts/one', {}],
    ['PUT', '/apps/moved/prompts/one', { body: { content: 'Bye' } }],
  ] as const;
  const left: string[] = [];
  for (const [method, path, options] of writes) {
    left.push(await interrupted('moved', method, path, { ...options, ifMatch }));
  }
  // Another did the same as two of them.
  for (const path of ['/apps/moved/providers/second', '/apps/moved/prompts/one']) {
    const gone = await api.call('DELETE', path, { ifMatch: await versionOf('moved') });
    expect(gone.status).toBe(200);
  }
  const after = await api.call('GET', '/apps/moved');
  for (const id of left) {
    for (let time = 0; time < 2; time++) {
      const refused = await recover(id);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'operation_superseded']);
      expect(await stateOf(id)).toBe('superseded');
    }
  }
  expect((await api.call('GET', '/apps/moved')).body.app).toEqual(after.body.app);
});

test('what the tenant does not allow any more has failed', async () => {
  await makeApp(api, 'refused');
  const id = await interrupted('refused', 'PUT', '/apps/refused/providers/second', {
    ifMatch: await versionOf('refused'),
    body: {},
  });
  const { provider } = (await api.call('GET', '/providers/second')).body;
  const disabled = await api.call('PATCH', '/providers/second', {
    ifMatch: provider.version,
    body: { enabled: false },
  });
  expect(disabled.status).toBe(200);
  expect((await recover(id)).body.error.code).toBe('provider_dependency');
  expect(await stateOf(id)).toBe('failed');
  expect((await recover(id)).body.error.code).toBe('operation_not_recoverable');
});
