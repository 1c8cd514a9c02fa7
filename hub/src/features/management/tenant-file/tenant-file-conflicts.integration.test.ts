// A tenant with inconsistent old data is copied to another tenant: the copy includes everything possible, and reports
// the rest.
import { createManagementClient, type ManagementClient } from '@gatewarden/management-client';
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
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
  hub = await sharedTestHub();
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

const SOON = { name: 'soon', expires_at: '2098-01-01T00:00:00.000Z' };

const ENV = { GATEWARDEN_PROVIDER_P_API_KEY: 'p', GATEWARDEN_PROVIDER_Q_API_KEY: 'q' };

async function patchProvider(label: string, body: object): Promise<void> {
  const { provider } = (await api.call('GET', `/providers/${label}`)).body;
  const options = { ifMatch: provider.version, body };
  expect((await api.call('PATCH', `/providers/${label}`, options)).status).toBe(200);
}

test('copies an app together with its disabled provider', async () => {
  await makeProvider(api, 'p', { selected_models: ['m'] });
  await makeProvider(api, 'q', { enabled: false });
  await api.call('POST', '/apps', { body: { name: 'desk', provider_labels: ['p'] } });
  await patchProvider('p', { enabled: false });
  const file = await dumpTenant(from);
  await applyTenant(to, file, ENV);
  expect(await diffTenant(to, file, {})).toMatchObject({ in_sync: true, unmanaged: [] });
  const { applied } = await applyTenant(to, file, ENV);
  expect(applied.map(({ result }) => result)).toEqual(['unchanged', 'unchanged']);
});

test('names a routed model that no provider offers in the file header', async () => {
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

test('reports legacy apps with similar names as apps that share a name', async () => {
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

test('turns jwt_auth off with {}, like a PATCH', async () => {
  const jwt_auth = { enabled: false, kid: 'k' };
  await api.call('POST', '/apps', { body: { name: 'desk', mode: 'sdk', access: { jwt_auth } } });
  const file = 'format: gatewarden-tenant/v1\napps: [{name: desk, access: {jwt_auth: {}}}]';
  expect((await diffTenant(from, file, {})).changes).toMatchObject([
    { resource: 'app desk', fields: [{ field: '/access/jwt_auth' }] },
  ]);
  await applyTenant(from, file, {});
  expect((await api.call('GET', '/apps/desk')).body.app.access).toEqual({ jwt_auth: null });
  expect((await diffTenant(from, file, {})).in_sync).toBe(true);
});

test('plans no step for an expired key, and orders a changed end first', async () => {
  await api.call('POST', '/apps', { body: { name: 'desk', mode: 'sdk', initial_key: SOON } });
  const { db } = hub.context.database;
  const file = await dumpTenant(from);
  expect(file).toContain('name: soon');
  await sql`UPDATE app_keys SET expires_at = now() WHERE tenant_id = ${api.tenantId}`.execute(db);
  const over = file.replace(SOON.expires_at, '2001-01-01T00:00:00.000Z');
  expect(over).not.toBe(file);
  expect(await diffTenant(from, over, {})).toMatchObject({ changes: [], unmanaged: [] });
  expect((await applyTenant(from, over, {})).applied).toEqual([]);
  // Another tenant never had the key: its app has the default key.
  await applyTenant(to, over, {});
  expect(await diffTenant(to, over, {})).toMatchObject({
    changes: [],
    unmanaged: ['key Default of app desk'],
  });
  expect(await dumpTenant(from)).toContain('keys: []');
  await expect(diffTenant(from, file, {})).rejects.toThrow(
    'key soon of app desk has expired: revoke it, and a new key is created',
  );
  // An active key contradicts such a file.
  await sql`UPDATE app_keys SET expires_at = NULL WHERE tenant_id = ${api.tenantId}`.execute(db);
  expect((await diffTenant(from, over, {})).in_sync).toBe(false);
  await expect(applyTenant(from, over, {})).rejects.toThrow(
    /^key soon of app desk: .*in the future/,
  );
});

test('treats a pattern named env as a pattern, and reads only secrets from variables', async () => {
  const detection = { edm_pattern_sensitivities: { env: 'low' } };
  await api.call('POST', '/apps', { body: { name: 'desk', mode: 'sdk', detection } });
  const file = await dumpTenant(from);
  expect(await diffTenant(from, file, { low: 'high' })).toMatchObject({ changes: [], unset: [] });
  await applyTenant(to, file, { low: 'high' });
  expect(await dumpTenant(to)).toBe(file);
  const head = 'format: gatewarden-tenant/v1\napps: ';
  const tagged = `${head}[{name: desk, tags: [{env: HOME}]}]`;
  await expect(diffTenant(from, tagged, { HOME: '/root' })).rejects.toThrow('/apps/0/tags/0');
});

test('rejects a duplicate key or prompt in a file', async () => {
  const head = 'format: gatewarden-tenant/v1\napps: ';
  const twice = (members: string) => diffTenant(from, `${head}[{name: desk, ${members}}]`, {});
  await expect(twice('keys: [{name: A}, {name: a}]')).rejects.toThrow(
    '/apps/0/keys/1 names "a" a second time',
  );
  const prompts = '{prompt_id: p, content: x}, {prompt_id: p, content: y}';
  await expect(twice(`prompt_templates: [${prompts}]`)).rejects.toThrow(
    '/apps/0/prompt_templates/1 names "p" a second time',
  );
});

test('reads a list again from its start when it changes between two pages', async () => {
  const make = (name: string) => api.call('POST', '/apps', { body: { name, mode: 'sdk' } });
  await Promise.all(Array.from({ length: 20 }, (_, i) => make(`first ${i}`)));
  let asked = 0;
  // Pages of three, and a new app after the second page of each of the first two reads.
  const busy = createManagementClient({
    baseUrl: hub.url,
    token: api.secret,
    async fetch(request) {
      const url = new URL(request.url);
      const isApps = url.pathname.endsWith('/apps');
      if (isApps) url.searchParams.set('limit', '3');
      const answer = await fetch(new Request(url, request));
      if (isApps && ++asked % 2 === 0 && asked <= 4) await make(`later ${asked}`);
      return answer;
    },
  });
  const file = await dumpTenant(busy);
  expect(file.match(/- name: (first|later)/g)).toHaveLength(22);
  expect(await dumpTenant(from)).toBe(file);
});

test('does not overwrite a prompt that is written between plan and step', async () => {
  await api.call('POST', '/apps', { body: { name: 'desk', mode: 'sdk' } });
  const put = (content: string, ifMatch: string) =>
    api.call('PUT', '/apps/desk/prompts/p', { ifMatch, body: { content } });
  const { app_version } = (await put('before', '"1"')).body;
  const meddled = createManagementClient({
    baseUrl: hub.url,
    token: api.secret,
    async fetch(request) {
      const answer = await fetch(request);
      const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/prompts');
      if (isList) await put('theirs', app_version);
      return answer;
    },
  });
  const file =
    'format: gatewarden-tenant/v1\napps: [{name: desk, prompt_templates: [{prompt_id: p, content: ours}]}]';
  await expect(applyTenant(meddled, file, {})).rejects.toThrow(/changed by someone else/);
  expect((await api.call('GET', '/apps/desk/prompts/p')).body.prompt.content).toBe('theirs');
  await applyTenant(from, file, {});
  expect((await api.call('GET', '/apps/desk/prompts/p')).body.prompt.content).toBe('ours');
});

test('names provider secrets that no read returns in the file header', async () => {
  const settings = { vendorG_region: 'r', vendorG_access_key: 'a', vendorG_secret_key: 's' };
  const provider_settings = { ...settings, vendorG_session_token: 'canary' };
  await makeProvider(api, 'g', { provider_name: 'vendorG', provider_settings });
  await makeProvider(api, 'p');
  const head = (await dumpTenant(from))
    .split('\n')
    .filter((line) => line.startsWith('# NOT RETURNED'));
  expect(head).toEqual([
    expect.stringMatching(
      /^# NOT RETURNED BY ANY READ: whether the provider "g" has .*vendorG_session_token/,
    ),
  ]);
});
