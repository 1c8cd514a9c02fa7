// The operator imports data, which affects the management API: catalogs, legacy apps, policy authority.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  type Management,
  makeApp,
  makeProvider,
  manage,
} from '../../../../../test/support/management.ts';
import { importCatalog } from './index.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
});
afterAll(() => hub.stop());

const load = (file: object) =>
  importCatalog(
    { db: hub.context.database.db, sealer: hub.context.sealer },
    hub.tenantId,
    JSON.stringify(file),
  );

const legacy = (name: string, more: object = {}) => ({
  name,
  providers: [
    {
      provider_name: 'vendorA',
      provider_settings: { api_key: 'canary-key', base_url: 'https://x.example.com' },
    },
  ],
  ...more,
});

test('lists imported catalogs, allows references to them, and imports once', async () => {
  const file = {
    smart_groups: [{ group_name: 'finance', members: ['a@example.com'] }],
    custom_definitions: [{ edm_id: 'edm-1', name: 'Customers', kind: 'edm' }],
    categories: [
      {
        id: 'house',
        name: 'House',
        subcategories: ['x'],
        actions: ['monitor'],
        scopes: ['request'],
      },
    ],
  };
  expect(await load(file)).toMatchObject({ smart_groups: 1, custom_definitions: 1, categories: 1 });
  expect(await load(file)).toMatchObject({ smart_groups: 0, custom_definitions: 0, categories: 0 });
  const groups = await api.call('GET', '/smart-groups');
  expect(groups.body.items).toMatchObject([{ group_name: 'finance' }]);
  const definition = await api.call('GET', '/custom-definitions/edm-1');
  expect(definition.body.custom_definition).toMatchObject({ edm_id: 'edm-1' });
  expect((await api.call('GET', '/smart-groups/nobody')).status).toBe(404);
  const made = await makeApp(api, 'referring', {
    detection: {
      custom_definitions: [{ definition_id: 'edm-1', action: 'block' }],
      category_actions: { house: 'monitor' },
    },
    smart_group_policies: [{ group_name: 'finance', enabled: true }],
  });
  expect(made.status).toBe(201);
});

test.each([
  [
    'smart_groups',
    '/smart-groups/tagged',
    (text: string) => ({ group_name: 'tagged', description: text }),
  ],
  [
    'custom_definitions',
    '/custom-definitions/tagged',
    (text: string) => ({ edm_id: 'tagged', name: text }),
  ],
])('derives an ETag of %s from the content, also after a removal', async (member, path, record) => {
  const tag = async () => (await api.call('GET', path)).headers.get('etag');
  await load({ [member]: [record('first')] });
  const first = await tag();
  expect(first).toMatch(/^"[0-9a-f]{32}"$/);
  await load({ [member]: [record('first')] });
  expect(await tag()).toBe(first);
  await load({ [member]: [record('second')] });
  expect(await tag()).not.toBe(first);
  await load({ [member]: [] });
  await load({ [member]: [record('first')] });
  expect(await tag()).toBe(first);
  const { paths } = (await api.call('GET', '/openapi.json')).body;
  const documented = Object.entries(paths).find(([name]) =>
    name.replace(/\{\w+\}/, 'tagged').endsWith(path),
  )?.[1] as { get: { responses: Record<string, { headers?: object }> } };
  expect(documented.get.responses[200]?.headers).toHaveProperty('ETag');
});

test('imports patterns and exact values of a definition, and returns no value', async () => {
  const patterns = [{ pattern: 'X-[0-9]{4}', sensitivity: 'low' }];
  await load({
    custom_definitions: [
      { edm_id: 'codes', name: 'Codes', patterns },
      { edm_id: 'customers', name: 'Customers', kind: 'edm', values: ['canary-customer', 'b'] },
    ],
  });
  const { items } = (await api.call('GET', '/custom-definitions')).body;
  expect(items).toMatchObject([
    { edm_id: 'codes', patterns },
    { edm_id: 'customers', values_count: 2 },
  ]);
  const found = (await api.call('GET', '/custom-definitions/customers')).body;
  expect(found.custom_definition).toMatchObject({ values_count: 2 });
  expect(JSON.stringify([items, found])).not.toContain('canary-customer');
});

test.each([
  ['(', 'missing closing'],
  ['(?=a)', 'invalid'],
  ['(ab|cd|ef){1000}', 'too large'],
])('rejects the pattern %s of a definition with its position', async (pattern, reason) => {
  const file = { custom_definitions: [{ edm_id: 'x', name: 'X', patterns: [{ pattern }] }] };
  await expect(load(file)).rejects.toThrow('the file at /custom_definitions/0/patterns/0/pattern:');
  await expect(load(file)).rejects.toThrow(reason);
});

test('keeps removed entries where an app names them, and accepts them nowhere else', async () => {
  const house = (actions: string[]) => [
    { id: 'house', name: 'House', subcategories: ['x'], actions, scopes: ['request'] },
  ];
  const detection = {
    custom_definitions: [{ definition_id: 'gone', action: 'block' }],
    category_actions: { house: 'monitor' },
  };
  await load({
    custom_definitions: [{ edm_id: 'gone', name: 'Gone' }],
    categories: house(['monitor']),
  });
  await makeApp(api, 'left-behind', { detection });
  await load({ custom_definitions: [], categories: house(['block']) });
  const change = async (section: object) => {
    const { version } = (await api.call('GET', '/apps/left-behind')).body.app;
    return api.call('PATCH', '/apps/left-behind', {
      ifMatch: version,
      body: { detection: section },
    });
  };
  const kept = await change({ sub_category_sensitivities: { house: { x: 'high' } } });
  expect(kept.body.app.detection).toMatchObject(detection);
  expect((await change({ category_actions: { house: 'block' } })).status).toBe(200);
  expect((await change({ category_actions: { house: 'monitor' } })).body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('/detection/category_actions/house must be one of'),
  });
  expect((await change({ custom_definitions: [] })).status).toBe(200);
  const again = await change({ custom_definitions: detection.custom_definitions });
  expect(again.body.error.message).toContain('is not a custom definition');
});

test('returns a legacy app without credentials, converts it, and reports a shared name as ambiguous', async () => {
  const file = { legacy_apps: [legacy('old', { tags: ['t'] }), legacy('twin'), legacy('twin')] };
  expect(await load(file)).toMatchObject({ legacy_apps: 3 });
  expect(await load(file)).toMatchObject({ legacy_apps: 0 });
  expect((await api.call('GET', '/apps/twin')).body.error.code).toBe('ambiguous_app_name');
  const old = await api.call('GET', '/apps/old');
  expect(old.body.app.inline_providers).toEqual([
    { provider_name: 'vendorA', provider_settings: { base_url: 'https://x.example.com' } },
  ]);
  expect(JSON.stringify(old.body)).not.toContain('canary');
  await makeProvider(api, 'shared');
  const refused = await api.call('PUT', '/apps/old/providers/shared', {
    ifMatch: old.body.app.version,
    body: {},
  });
  expect(refused.body.error.code).toBe('legacy_app');
  const edited = await api.call('PATCH', '/apps/old', {
    ifMatch: old.body.app.version,
    body: { limits: { timeout: 3 } },
  });
  expect(edited.status).toBe(200);
  const taken = await api.call('POST', '/apps', {
    body: { name: 'OLD', provider_labels: ['shared'] },
  });
  expect(taken.status).toBe(409);
  const convert = (ifMatch: string) =>
    api.call('POST', '/apps/old/provider-conversion', {
      ifMatch,
      body: { provider_labels: ['shared'] },
    });
  const converted = await convert(edited.body.app.version);
  expect(converted.body.app).toMatchObject({ provider_labels: ['shared'], limits: { timeout: 3 } });
  expect(converted.body.app.inline_providers).toBeUndefined();
  expect((await convert(converted.body.app.version)).body.error.code).toBe('not_a_legacy_app');
});

test('applies documented defaults to a legacy app, and accepts a byte order mark', async () => {
  const more = {
    alerting: { channels: { webhooks: [{ id: 'w', url: 'https://hooks.example.com/x' }] } },
    access: { jwt_auth: {} },
  };
  const { database, sealer } = hub.context;
  const text = `\ufeff${JSON.stringify({ legacy_apps: [legacy('defaults', more)] })}`;
  await importCatalog({ db: database.db, sealer }, hub.tenantId, text);
  const { app } = (await api.call('GET', '/apps/defaults')).body;
  expect(app.alerting).toMatchObject({
    app_level: { enabled: false, window_minutes: 15 },
    provider_level: { cooldown_minutes: 10 },
    channels: { webhooks: [{ id: 'w', type: 'generic' }] },
  });
  expect(app.access).toEqual({ jwt_auth: null });
});

test('rejects a file with a duplicate key', async () => {
  const { database, sealer } = hub.context;
  const text = '{"smart_groups":[{"group_name":"a","group_name":"b"}]}';
  await expect(importCatalog({ db: database.db, sealer }, hub.tenantId, text)).rejects.toThrow(
    'the file at /smart_groups/0/group_name is a duplicate',
  );
});

test.each([
  [
    { smart_groups: ['a', '..'].map((group_name) => ({ group_name, description: '' })) },
    '/smart_groups/1',
  ],
  [
    { custom_definitions: [{ edm_id: '.', name: 'x', description: '', kind: 'x' }] },
    '/custom_definitions/0',
  ],
])('rejects a file with ids that no client could request: %j', async (file, place) => {
  const { database, sealer } = hub.context;
  await expect(
    importCatalog({ db: database.db, sealer }, hub.tenantId, JSON.stringify(file)),
  ).rejects.toThrow(`the file at ${place}: must not be named . or ..`);
});

test('saves governed settings without effect, and keeps providers under policy authority', async () => {
  const made = await makeApp(api, 'governed');
  await makeProvider(api, 'spare');
  const two = await api.call('PUT', '/apps/governed/providers/spare', {
    ifMatch: made.body.app.version,
    body: {},
  });
  await load({ policy_authority: { enabled: true, active_revision: 'r7', active_checksum: 'c' } });
  const saved = await api.call('PATCH', '/apps/governed', {
    ifMatch: two.body.app.version,
    body: { limits: { timeout: 9 }, tags: ['x'] },
  });
  expect(saved.body).toMatchObject({
    app: { limits: { timeout: 9 }, policy_authority: { enabled: true, active_revision: 'r7' } },
    inactive_under_gwql: { fields: ['limits'], active_revision: 'r7' },
  });
  const refused = await api.call('DELETE', '/apps/governed/providers/spare', {
    ifMatch: saved.body.app.version,
  });
  expect(refused.body.error.code).toBe('policy_dependency');
  const fewer = await api.call('PATCH', '/apps/governed', {
    ifMatch: saved.body.app.version,
    body: { provider_labels: ['spare'] },
  });
  expect(fewer.body.error.code).toBe('policy_dependency');
  const born = await makeApp(api, 'born under it', { limits: { timeout: 1 } });
  expect(born.body).toMatchObject({ warnings: [{ code: 'inactive_under_gwql' }] });
});

test.each<[string, object]>([
  ['/nothing', { nothing: 1 }],
  ['/legacy_apps/0', { legacy_apps: [{ name: 'x' }] }],
  ['/smart_groups/1', { smart_groups: [{ group_name: 'a' }, { group_name: 'a' }] }],
  ['/smart_groups/0/group_name', { smart_groups: [{ group_name: 'a\0b' }] }],
  ['/smart_groups/0/rules/x/0', { smart_groups: [{ group_name: 'a', rules: { x: ['\ud800'] } }] }],
  ['/legacy_apps/0/name', { legacy_apps: [legacy(' \t')] }],
  [
    '/legacy_apps/1',
    { legacy_apps: [legacy('a', { import_id: 'i' }), legacy('b', { import_id: 'i' })] },
  ],
  ['/legacy_apps/0/detection', { legacy_apps: [legacy('a', { detection: { '\0': 1 } })] }],
  [
    '/legacy_apps/1/routing/routing_groups/0/models must have weights',
    {
      legacy_apps: [
        legacy('a'),
        legacy('b', {
          routing: {
            routing_groups: [
              {
                group_name: 'g',
                models: [{ provider_name: 'vendorA', model_name: 'm', weight: 1 }],
              },
            ],
          },
        }),
      ],
    },
  ],
  [
    '/legacy_apps/0/alerting/channels/webhooks/0/url is required',
    { legacy_apps: [legacy('a', { alerting: { channels: { webhooks: [{ id: 'w' }] } } })] },
  ],
  [
    '/legacy_apps/0/access/allowed_source_ips/0',
    { legacy_apps: [legacy('a', { access: { allowed_source_ips: ['here'] } })] },
  ],
])(
  'rejects a file with an error at %s completely, in a single line without secrets',
  async (at, file) => {
    const whole = { ...file, custom_definitions: [{ edm_id: 'never', name: 'n' }] };
    const refused = expect.stringMatching(new RegExp(`^the file at ${at}[^\\n]*$`));
    await expect(load(whole)).rejects.toMatchObject({ message: refused });
    expect((await api.call('GET', '/custom-definitions/never')).status).toBe(404);
  },
);
