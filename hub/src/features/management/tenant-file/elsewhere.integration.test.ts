// A tenant that is not as tidy as a new one has to be, carried to another: what can be done is, what cannot is said.
import { createManagementClient, type ManagementClient } from '@gatewarden/management-client';
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, makeProvider, resource } from '../../../../../test/support/management.ts';
import { createTenant } from '../../people/tenants/index.ts';
import { importCatalog } from '../imports/index.ts';
import { createManagementKey } from '../keys/index.ts';
import { optIn } from '../settings/index.ts';
import { applyTenant, diffTenant, dumpTenant } from './index.ts';

let hub: TestHub;
let api: Management;
let from: ManagementClient;
let to: ManagementClient;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

beforeEach(async () => {
  api = await aTenant();
  from = clientOf(api);
  to = clientOf(await aTenant());
});

const clientOf = ({ secret }: Management) =>
  createManagementClient({ baseUrl: hub.url, token: secret });

async function aTenant(): Promise<Management> {
  const { db } = hub.context.database;
  const { tenant_id: tenantId } = await createTenant(db, 'any');
  await optIn(db, tenantId);
  const wanted = { name: 'file', scopes: [...SCOPES], expiresAt: null };
  const { key: secret } = await createManagementKey(db, tenantId, wanted);
  const call: Management['call'] = (method, path, options) =>
    resource(hub, secret, method, path, options);
  return { tenantId, secret, call };
}

const ENV = { GATEWARDEN_PROVIDER_P_API_KEY: 'p', GATEWARDEN_PROVIDER_Q_API_KEY: 'q' };

async function patchProvider(label: string, body: object): Promise<void> {
  const { provider } = (await api.call('GET', `/providers/${label}`)).body;
  const options = { ifMatch: provider.version, body };
  expect((await api.call('PATCH', `/providers/${label}`, options)).status).toBe(200);
}

test('an app whose provider is disabled is carried over with it', async () => {
  await makeProvider(api, 'p', { selected_models: ['m'] });
  await makeProvider(api, 'q', { enabled: false });
  await api.call('POST', '/apps', { body: { name: 'one', provider_labels: ['p'] } });
  await patchProvider('p', { enabled: false });
  const file = await dumpTenant(from);
  await applyTenant(to, file, ENV);
  expect(await diffTenant(to, file, {})).toMatchObject({ in_sync: true, unmanaged: [] });
  const { applied } = await applyTenant(to, file, ENV);
  expect(applied.map(({ result }) => result)).toEqual(['unchanged', 'unchanged']);
});

test('a model that is routed to and offered by nobody any more is named in the head', async () => {
  await makeProvider(api, 'p', { selected_models: ['m', 'n'] });
  const target = (model_name: string) => ({ provider_name: 'vendorA', model_name, weight: 50 });
  const routing_groups = [{ group_name: 'g', models: [target('m'), target('n')] }];
  const made = await api.call('POST', '/apps', {
    body: { name: 'routed', provider_labels: ['p'], routing: { routing_groups } },
  });
  expect(made.status).toBe(201);
  expect(await dumpTenant(from)).not.toContain('# REFUSED');
  await patchProvider('p', { selected_models: ['n'] });
  const file = await dumpTenant(from);
  expect(file.split('\n').filter((line) => line.startsWith('# REFUSED'))).toEqual([
    '# REFUSED BY ANOTHER TENANT: the app "routed" routes to the model "m", which none of its providers offers any more.',
  ]);
  expect((await diffTenant(from, file, {})).in_sync).toBe(true);
  await expect(applyTenant(to, file, ENV)).rejects.toThrow(/^app routed: .*model_name/);
});

test('legacy apps whose names only look alike are told as those that share a name', async () => {
  const providers = [{ provider_name: 'gw_ai', provider_settings: {} }];
  const { database, sealer } = hub.context;
  await importCatalog(
    { db: database.db, sealer },
    api.tenantId,
    JSON.stringify({
      legacy_apps: ['caf\u00e9', 'CAFE\u0301'].map((name) => ({ name, providers })),
    }),
  );
  const file = await dumpTenant(from);
  expect(file).toMatch(/# NOT IN THIS FILE: the legacy apps that are all called "caf/i);
  expect((await diffTenant(from, file, {})).in_sync).toBe(true);
});

test('jwt_auth: {} switches it off here as in a PATCH', async () => {
  const jwt_auth = { enabled: false, kid: 'k' };
  await api.call('POST', '/apps', { body: { name: 'one', mode: 'sdk', access: { jwt_auth } } });
  const file = 'format: gatewarden-tenant/v1\napps: [{name: one, access: {jwt_auth: {}}}]';
  expect((await diffTenant(from, file, {})).changes).toMatchObject([
    { resource: 'app one', fields: [{ field: '/access/jwt_auth' }] },
  ]);
  await applyTenant(from, file, {});
  expect((await api.call('GET', '/apps/one')).body.app.access).toEqual({ jwt_auth: null });
  expect((await diffTenant(from, file, {})).in_sync).toBe(true);
});
