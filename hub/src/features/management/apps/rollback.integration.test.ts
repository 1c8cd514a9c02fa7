// A version refers to objects of its time. A missing object is a conflict with the present, because the empty body of
// the rollback has no error.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  type Management,
  makeApp,
  makeProvider,
  manage,
} from '../../../../../test/support/management.ts';
import { importCatalog } from '../imports/index.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  await definitions(['d1']);
});
afterAll(() => hub.stop());

function definitions(ids: string[]) {
  const custom_definitions = ids.map((edm_id) => ({ edm_id, name: edm_id }));
  const deps = { db: hub.context.database.db, sealer: hub.context.sealer };
  return importCatalog(deps, hub.tenantId, JSON.stringify({ custom_definitions }));
}

const versionOf = async (path: string) => (await api.call('GET', path)).headers.get('etag') ?? '';

/** Returns the response of a rollback to the first version with `wanted`, after `now` and then `meanwhile`. */
async function rolledBack(
  name: string,
  wanted: object,
  now: object,
  meanwhile?: () => Promise<unknown>,
) {
  await makeProvider(api, `of ${name}`, { selected_models: ['m', 'n'] });
  await makeApp(api, name, { provider_labels: [`of ${name}`] });
  const path = `/apps/${name}`;
  for (const body of [wanted, now]) {
    const ifMatch = await versionOf(path);
    expect((await api.call('PATCH', path, { ifMatch, body })).status).toBe(200);
  }
  await meanwhile?.();
  const { items } = (await api.call('GET', `${path}/versions`)).body;
  const before = await api.call('GET', path);
  const answer = await api.call('POST', `${path}/versions/${items.at(-1).version_id}/rollback`, {
    ifMatch: before.body.app.version,
  });
  expect((await api.call('GET', path)).body.app).toEqual(before.body.app);
  return [answer.status, answer.body.error.code, answer.body.error.message];
}

test('rejects a rollback to a deleted definition', async () => {
  const selected = { detection: { custom_definitions: [{ definition_id: 'd1' }] } };
  const none = { detection: { custom_definitions: [] } };
  expect(await rolledBack('defined', selected, none, () => definitions([]))).toEqual([
    409,
    'rollback_conflict',
    expect.stringContaining('/detection/custom_definitions/0'),
  ]);
});

test('rejects a rollback to a deleted JWT key, which no rollback restores', async () => {
  const public_key_pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });
  const lists = { allowed_issuers: ['https://issuer.example'], allowed_client_ids: ['client'] };
  const enabled = { access: { jwt_auth: { enabled: true, ...lists, public_key_pem } } };
  expect(await rolledBack('signed', enabled, { access: { jwt_auth: null } })).toEqual([
    409,
    'rollback_conflict',
    expect.stringContaining('/access/jwt_auth/public_key_pem'),
  ]);
});

test('rejects a rollback to a model that its provider no longer offers', async () => {
  const target = { provider_name: 'vendorA', model_name: 'm', weight: 100 };
  const routed = { routing: { routing_groups: [{ group_name: 'g', models: [target] }] } };
  const answer = await rolledBack(
    'routed',
    routed,
    { routing: { routing_groups: [] } },
    async () => {
      const path = '/providers/of%20routed';
      const body = { selected_models: ['n'] };
      await api.call('PATCH', path, { ifMatch: await versionOf(path), body });
    },
  );
  expect(answer).toEqual([
    409,
    'provider_dependency',
    expect.stringContaining('/routing/routing_groups/0/models/0/model_name'),
  ]);
});

test('rolls back while another provider lacks a model', async () => {
  await makeProvider(api, 'shrinking', { selected_models: ['m', 'n'] });
  await makeApp(api, 'detaching', { provider_labels: ['provider of detaching', 'shrinking'] });
  const target = { provider_name: 'vendorA', model_name: 'm', weight: 100 };
  const models = [{ ...target, credential_source: 'shrinking' }];
  const routed = await api.call('PATCH', '/apps/detaching', {
    ifMatch: await versionOf('/apps/detaching'),
    body: { routing: { routing_groups: [{ group_name: 'g', models }] } },
  });
  expect(routed.status).toBe(200);
  const fewer = await api.call('PATCH', '/providers/shrinking', {
    ifMatch: await versionOf('/providers/shrinking'),
    body: { selected_models: ['n'] },
  });
  expect(fewer.status).toBe(200);
  const detach = async (label: string) =>
    api.call('DELETE', `/apps/detaching/providers/${encodeURIComponent(label)}`, {
      ifMatch: await versionOf('/apps/detaching'),
    });
  expect((await detach('shrinking')).status).toBe(409);
  expect((await detach('provider of detaching')).body.app.provider_labels).toEqual(['shrinking']);
});
