// A configuration write has an unknown outcome after the database disconnected: the operation is listed and completed
// on a repeat with its key, unless the app changed meanwhile.
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
import { isCitus } from '../../../platform/db/citus-distribution.ts';
import { transact } from '../../../platform/db/database.ts';

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

/** Makes a write wait for its app while its connection is ended. Returns the operation that remains. */
async function interrupted(
  name: string,
  method: string,
  path: string,
  options: ManagementCall,
): Promise<string> {
  const { db } = hub.context.database;
  // On Citus, a connection of a worker waits on behalf of the coordinator's, which the global id names.
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

test('completes the operation once, and then lists it as completed', async () => {
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

test('does not overwrite later changes', async () => {
  await makeApp(api, 'moved');
  const attach = (label: string, ifMatch: string) =>
    api.call('PUT', `/apps/moved/providers/${label}`, { ifMatch, body: {} });
  await attach('second', await versionOf('moved'));
  const put = await api.call('PUT', '/apps/moved/prompts/greeting', {
    ifMatch: await versionOf('moved'),
    body: { content: 'Hello' },
  });
  expect(put.status).toBe(201);
  const ifMatch = await versionOf('moved');
  const writes = [
    ['PATCH', '/apps/moved', { body: { tags: ['x'] } }],
    ['DELETE', '/apps/moved/providers/second', {}],
    ['DELETE', '/apps/moved/prompts/greeting', {}],
    ['PUT', '/apps/moved/prompts/greeting', { body: { content: 'Bye' } }],
  ] as const;
  const left: string[] = [];
  for (const [method, path, options] of writes) {
    left.push(await interrupted('moved', method, path, { ...options, ifMatch }));
  }
  // Another request made the same change as two of these.
  for (const path of ['/apps/moved/providers/second', '/apps/moved/prompts/greeting']) {
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

test('fails an operation that the tenant no longer allows', async () => {
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

test('answers a repeated rollback after its recovery, without a second rollback', async () => {
  await makeApp(api, 'back');
  const patch = async (tags: string[]) => {
    const done = await api.call('PATCH', '/apps/back', {
      ifMatch: await versionOf('back'),
      body: { tags },
    });
    expect(done.status).toBe(200);
  };
  await patch(['old']);
  const [{ version_id }] = (await api.call('GET', '/apps/back/versions')).body.items;
  await patch(['new']);
  const path = `/apps/back/versions/${version_id}/rollback`;
  const asked = { ifMatch: await versionOf('back'), body: {}, key: 'back-1' };
  const id = await interrupted('back', 'POST', path, asked);
  const recovered = await recover(id);
  expect(recovered.body).toMatchObject({ state: 'completed', app: { tags: ['old'] } });
  await patch(['newer']);
  // Sent with the version of then, and with the current version.
  for (const ifMatch of [asked.ifMatch, await versionOf('back')]) {
    const repeated = await api.call('POST', path, { ...asked, ifMatch });
    expect(repeated).toMatchObject({ status: 200, body: { operation_id: id, state: 'completed' } });
    expect(repeated.body.app).toEqual(recovered.body.app);
  }
  expect((await api.call('GET', '/apps/back')).body.app.tags).toEqual(['newer']);

  // A failed recovery releases its Idempotency-Key for a new operation.
  const again = { ifMatch: await versionOf('back'), body: {}, key: 'back-2' };
  const lost = await interrupted('back', 'POST', path, again);
  await patch(['newest']);
  expect((await recover(lost)).body.error.code).toBe('operation_superseded');
  const anew = await api.call('POST', path, { ...again, ifMatch: await versionOf('back') });
  expect(anew).toMatchObject({ status: 200, body: { app: { tags: ['old'] } } });
  expect(anew.body.operation_id).not.toBe(lost);
  expect([await stateOf(lost), await stateOf(anew.body.operation_id)]).toEqual([
    'superseded',
    'completed',
  ]);
});

test('answers a repeat that waits for the recovery', async () => {
  await makeApp(api, 'both');
  const versions = async () => (await api.call('GET', '/apps/both/versions')).body.items;
  for (const tag of ['old', 'new']) {
    const ifMatch = await versionOf('both');
    const done = await api.call('PATCH', '/apps/both', { ifMatch, body: { tags: [tag] } });
    expect(done.status).toBe(200);
  }
  const path = `/apps/both/versions/${(await versions())[1].version_id}/rollback`;
  const asked = { ifMatch: await versionOf('both'), body: {}, key: 'both-1' };
  const id = await interrupted('both', 'POST', path, asked);
  const { db } = hub.context.database;
  // The recovery has the app and waits for the history; the repeat has taken the key over and waits for the app.
  const both = await transact(db, async (tx) => {
    await sql`LOCK TABLE app_versions IN SHARE MODE`.execute(tx);
    const recovered = recover(id);
    await awaitWaiting(1);
    const repeated = api.call('POST', path, asked);
    await awaitWaiting(2);
    return { recovered, repeated };
  });
  const recovered = await both.recovered;
  expect(recovered).toMatchObject({ status: 200, body: { state: 'completed' } });
  expect(await both.repeated).toMatchObject({
    status: 200,
    body: { app: recovered.body.app, operation_id: id, state: 'completed' },
  });
  expect(await stateOf(id)).toBe('completed');
  expect(await versions()).toHaveLength(3);
});

/** Waits until this many connections wait for a lock. */
async function awaitWaiting(many: number): Promise<void> {
  const { db } = hub.context.database;
  const activity = (await isCitus(db)) ? 'citus_stat_activity' : 'pg_stat_activity';
  await expect
    .poll(async () => {
      const { rows } = await sql`
        SELECT FROM ${sql.table(activity)}
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    })
    .toBe(many);
}
