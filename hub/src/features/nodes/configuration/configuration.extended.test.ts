// A gateway node receives the whole configuration once, then changes in commit order, at once in a long poll, and
// nothing of other tenants.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, call, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, makeApp, manage } from '../../../../../test/support/management.ts';
import { importCatalog } from '../../management/imports/index.ts';
import { resumeTenant, suspendTenant } from '../../people/tenants/index.ts';
import { createNodeToken } from '../tokens/index.ts';

let hub: TestHub;
let api: Management;
let token: string;

beforeAll(async () => {
  hub = await startTestHub();
  api = await manage(hub);
  ({ token } = await createNodeToken(hub.context.database.db, {
    name: 'node',
    tenantId: hub.tenantId,
  }));
});
afterAll(() => hub.stop());

const config = (query = '', bearer = token): Promise<Answer> =>
  call(`${hub.url}/node/v1/config${query}`, 'GET', { authorization: `Bearer ${bearer}` });

async function all(bearer = token): Promise<{ items: Record<string, unknown>[]; cursor: string }> {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await config(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, bearer);
    items.push(...body.items);
    cursor = body.next_cursor;
    if (!body.has_more) return { items, cursor };
  }
}

test('delivers apps, providers with credentials, hashed keys and prompts, then changes', async () => {
  const made = await makeApp(api, 'served');
  const prompt = await api.call('PUT', '/apps/served/prompts/p', {
    ifMatch: made.body.app.version,
    body: { content: 'Hello' },
  });
  const { items, cursor } = await all();
  const kinds = items.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['app', 'key', 'prompt', 'provider']);
  const docOf = (kind: string) => items.find((item) => item.kind === kind)?.doc;
  expect(docOf('provider')).toMatchObject({
    label: 'provider of served',
    provider_settings: { api_key: 'secret-of-provider of served' },
  });
  expect(docOf('key')).toMatchObject({
    app_id: made.body.app.app_id,
    secret_sha256: createHash('sha256').update(made.body.key.secret).digest('hex'),
  });
  expect(docOf('prompt')).toMatchObject({ prompt_id: 'p', content: 'Hello' });
  expect((await config(`?cursor=${cursor}`)).body).toMatchObject({ items: [], has_more: false });
  await api.call('DELETE', '/apps/served/prompts/p', { ifMatch: prompt.body.app_version });
  const [key] = (await api.call('GET', '/apps/served/keys')).body.items;
  await api.call('DELETE', `/apps/served/keys/${key.key_id}`, { ifMatch: key.version });
  const { body } = await config(`?cursor=${cursor}`);
  expect(body.items).toMatchObject([
    { kind: 'prompt', deleted: true, doc: null },
    { kind: 'key', id: key.key_id, deleted: true, doc: null },
  ]);
});

test('delivers members and definition of a smart group, and their removal', async () => {
  const { db } = hub.context.database;
  const load = (file: object) =>
    importCatalog({ db, sealer: hub.context.sealer }, hub.tenantId, JSON.stringify(file));
  const { cursor } = await all();
  await load({
    smart_groups: [{ group_name: 'finance', members: ['a@example.com'] }],
    custom_definitions: [{ edm_id: 'edm-1', name: 'Customers', kind: 'edm' }],
    categories: [{ id: 'h', name: 'H', subcategories: [], actions: ['block'], scopes: ['both'] }],
  });
  const { body } = await config(`?cursor=${cursor}`);
  expect(body.items).toMatchObject([
    { kind: 'category', id: 'h', doc: { actions: ['block'] } },
    { kind: 'custom_definition', id: 'edm-1', doc: { definition_id: 'edm-1' } },
    { kind: 'smart_group', id: 'finance', doc: { members: ['a@example.com'] } },
  ]);
  await load({ smart_groups: [] });
  expect((await config(`?cursor=${body.next_cursor}`)).body.items).toMatchObject([
    { kind: 'smart_group', id: 'finance', deleted: true, doc: null },
  ]);
});

test('ends a response at its size limit, and continues from there', async () => {
  const made = await makeApp(api, 'wordy');
  const { cursor } = await all();
  let version = made.body.app.version;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const id of ids) {
    const { body } = await api.call('PUT', `/apps/wordy/prompts/${id}`, {
      ifMatch: version,
      body: { content: id.repeat(900_000) },
    });
    version = body.app_version;
  }
  const first = (await config(`?limit=500&cursor=${cursor}`)).body;
  expect(first).toMatchObject({ has_more: true });
  const second = (await config(`?limit=500&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ has_more: false });
  const prompts = [...first.items, ...second.items].filter(({ kind }) => kind === 'prompt');
  expect(prompts.map(({ doc }) => doc.prompt_id)).toEqual(ids);
  expect(first.items.length).toBeLessThan(ids.length);
});

test('logs each delivery of credentials, of a legacy app as well', async () => {
  const { db } = hub.context.database;
  const own = await hub.newTenant('Legacy');
  const { token: legacyToken } = await createNodeToken(db, { name: 'l', tenantId: own.tenantId });
  const file = {
    legacy_apps: [
      {
        name: 'old',
        providers: [
          { provider_name: 'vendorA', provider_settings: { api_key: 'one' } },
          { provider_name: 'vendorA', provider_settings: { api_key: 'two' } },
        ],
      },
    ],
  };
  await importCatalog({ db, sealer: hub.context.sealer }, own.tenantId, JSON.stringify(file));
  await all(legacyToken);
  const { rows } = await sql<{ credentials: number }>`
    SELECT max(credentials) AS credentials FROM node_deliveries d
    JOIN node_tokens t USING (token_id) WHERE t.name = 'l'`.execute(db);
  expect(rows).toEqual([{ credentials: 2 }]);
});

test('answers a waiting node when a change is saved', async () => {
  const { cursor } = await all();
  const waiting = config(`?cursor=${cursor}&wait=60`);
  const made = await makeApp(api, 'awaited');
  const first = await waiting;
  expect(first.body.items.length).toBeGreaterThan(0);
  const after = await all();
  expect(after.items.map(({ id }) => id)).toContain(made.body.app.app_id);
});

test('removes the configuration of a suspended tenant from a node of all tenants, and restores it', async () => {
  const { db } = hub.context.database;
  const { token: sharedToken } = await createNodeToken(db, { name: 'shared', tenantId: null });
  const { tenantId } = await hub.newTenant('Suspended');
  const file = { custom_definitions: [{ edm_id: 'edm-2', name: 'Staff', kind: 'edm' }] };
  await importCatalog({ db, sealer: hub.context.sealer }, tenantId, JSON.stringify(file));
  const before = await all(sharedToken);
  const invalidateCaches = async () => undefined;
  await suspendTenant(db, tenantId, invalidateCaches);
  const suspended = (await config(`?cursor=${before.cursor}`, sharedToken)).body;
  expect(suspended.items).toMatchObject([
    { tenant_id: tenantId, id: 'edm-2', deleted: true, doc: null },
  ]);
  await resumeTenant(db, tenantId, invalidateCaches);
  const resumed = (await config(`?cursor=${suspended.next_cursor}`, sharedToken)).body;
  expect(resumed.items).toMatchObject([
    { tenant_id: tenantId, id: 'edm-2', deleted: false, doc: { name: 'Staff' } },
  ]);
});

test('counts the running processes of nodes that serve the tenant', async () => {
  const { db } = hub.context.database;
  const own = await hub.newTenant('Limited');
  const first = await createNodeToken(db, { name: 'a', tenantId: own.tenantId });
  const second = await createNodeToken(db, { name: 'b', tenantId: own.tenantId });
  const poll = async (token: string, instance: string) =>
    (await config(`?instance=${instance}`, token)).body.live_nodes;
  expect((await config('', first.token)).body.live_nodes).toBe(1);
  expect(await poll(first.token, 'a')).toBe(1);
  expect(await poll(first.token, 'b')).toBe(2);
  expect(await poll(second.token, 'a')).toBe(3);
  await sql`UPDATE node_instances SET polled_at = now() - interval '91 seconds'
    WHERE token_id = ${first.token_id}`.execute(db);
  expect(await poll(second.token, 'a')).toBe(1);
});

test('serves a node its own tenant only, and only with a node token', async () => {
  const { db } = hub.context.database;
  const other = await hub.newTenant('Other');
  const foreign = await createNodeToken(db, { name: 'other', tenantId: other.tenantId });
  const everywhere = await createNodeToken(db, { name: 'all', tenantId: null });
  expect((await all(foreign.token)).items).toEqual([]);
  expect((await all(everywhere.token)).items.length).toBeGreaterThan(0);
  const { cursor } = await all();
  expect((await config(`?cursor=${cursor}`, foreign.token)).body.error.code).toBe('invalid_cursor');
  expect((await config('', hub.agentToken)).body.error.code).toBe('invalid_node_token');
  expect((await config('', api.secret)).status).toBe(401);
  expect((await config('?wait=x')).status).toBe(400);
});
