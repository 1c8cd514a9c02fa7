// The configuration of a tenant is dumped to a file and applied to another tenant, and applied again, through the typed
// client.
import { createManagementClient, type ManagementClient, must } from '@gatewarden/management-client';
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, makeProvider, manage } from '../../../../../test/support/management.ts';
import { createTenant } from '../../people/tenants/index.ts';
import { importCatalog } from '../imports/index.ts';
import { createManagementKey } from '../keys/index.ts';
import { optIn } from '../settings/index.ts';
import { applyTenant, diffTenant, dumpTenant } from './index.ts';

let hub: TestHub;
let api: Management;
let client: ManagementClient;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  client = createManagementClient({ baseUrl: hub.url, token: api.secret });
  await makeProvider(api, 'main/first', {
    selected_models: ['m-1', 'm-2'],
    model_costs: { 'm-1': { input_per_1m: 3 } },
  });
  await makeProvider(api, 'spare');
  await api.call('POST', '/apps', {
    body: {
      name: 'Help / desk %',
      provider_labels: ['main/first', 'spare'],
      tags: ['b', 'a'],
      initial_key: { name: 'first', expires_at: '2031-01-01T00:00:00Z' },
      detection: { category_actions: { pii: 'redact' }, enabled_categories: { pii: true } },
      limits: { timeout: 30, rate_limit: { value: 5, duration: 'minute' } },
      routing: {
        routing_groups: [
          {
            group_name: 'g',
            models: [
              {
                provider_name: 'vendorA',
                model_name: 'm-1',
                weight: 100,
                credential_source: 'main/first',
              },
            ],
          },
        ],
      },
      alerting: {
        app_level: { enabled: true },
        channels: {
          emails: ['ops@example.com'],
          webhooks: [{ id: 'hook', url: 'https://hooks.example.com/canary-path' }],
        },
      },
    },
  });
  const app = await api.call('GET', `/app?app_name=${encodeURIComponent('Help / desk %')}`);
  await api.call('PUT', `/app/prompts/greeting?app_name=${encodeURIComponent('Help / desk %')}`, {
    ifMatch: app.headers.get('etag') ?? '',
    body: { content: 'Hello\n  you: "#1"\n' },
  });
  await api.call('POST', '/apps', { body: { name: 'sdk app', mode: 'sdk' } });
});
afterAll(() => hub.stop());

const ENV = {
  GATEWARDEN_PROVIDER_MAIN_FIRST_API_KEY: 'carried-first',
  GATEWARDEN_PROVIDER_SPARE_API_KEY: 'carried-spare',
  GATEWARDEN_APP_HELP_DESK_WEBHOOK_HOOK_URL: 'https://hooks.example.com/carried',
};

const otherTenant = async (name: string): Promise<ManagementClient> => (await aTenant(name)).client;

async function aTenant(name: string): Promise<{ client: ManagementClient; tenantId: string }> {
  const { db } = hub.context.database;
  const { tenant_id: tenantId } = await createTenant(db, name);
  await optIn(db, tenantId);
  const { key: token } = await createManagementKey(db, tenantId, {
    name: 'file',
    scopes: [...SCOPES],
    expiresAt: null,
  });
  return { client: createManagementClient({ baseUrl: hub.url, token }), tenantId };
}

test('dumps everything but secrets, and dumps the same after an apply elsewhere', async () => {
  const file = await dumpTenant(client);
  expect(file).not.toMatch(/secret-of|canary/);
  expect(Object.keys(ENV).filter((name) => !file.includes(name))).toEqual([]);
  const other = await otherTenant('copy');
  const planned = await diffTenant(other, file, ENV);
  expect(planned.in_sync).toBe(false);
  expect(planned.changes.map(({ action, resource }) => `${action} ${resource}`)).toEqual([
    'create provider main/first',
    'create provider spare',
    'create app Help / desk %',
    'create key first of app Help / desk %',
    'create prompt greeting of app Help / desk %',
    'create app sdk app',
    'create key Default of app sdk app',
  ]);
  expect((await dumpTenant(other)).length).toBeLessThan(file.length / 4);
  const { applied } = await applyTenant(other, file, ENV);
  expect(applied.map((step) => step.result)).toEqual(['done', 'done', 'done', 'done', 'done']);
  expect(await dumpTenant(other)).toBe(file);
});

test('changes nothing in a second apply, with or without secrets', async () => {
  const file = await dumpTenant(client);
  const other = await otherTenant('twice');
  await applyTenant(other, file, ENV);
  const before = await must(other.GET('/llmgateway/management/v1/apps'));
  expect((await diffTenant(other, file, ENV)).in_sync).toBe(true);
  const again = await applyTenant(other, file, ENV);
  expect(again.applied.map((step) => step.result)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  const without = await applyTenant(other, file, {});
  expect(without.applied).toEqual([]);
  expect(without.unset).toEqual(Object.keys(ENV));
  const after = await must(other.GET('/llmgateway/management/v1/apps'));
  expect(after.data.items).toEqual(before.data.items);
});

test('shows differences by field, applies them in a valid order, and is in sync afterwards', async () => {
  const other = await otherTenant('changes');
  await applyTenant(other, await dumpTenant(client), ENV);
  const file = parse(await dumpTenant(other));
  file.providers[1].enabled = false;
  file.apps[0].provider_labels = ['main/first'];
  file.apps[0].limits.timeout = 60;
  file.apps[0].prompt_templates = [{ prompt_id: 'farewell', content: 'Bye' }];
  file.apps[0].keys.push({ name: 'second' });
  const text = JSON.stringify(file);
  const { changes } = await diffTenant(other, text, {});
  expect(changes.map(({ action, resource }) => `${action} ${resource}`)).toEqual([
    'update app Help / desk %',
    'create key second of app Help / desk %',
    'create prompt farewell of app Help / desk %',
    'delete prompt greeting of app Help / desk %',
    'update provider spare',
  ]);
  expect(changes[0]?.fields).toContainEqual({ field: '/limits/timeout', before: 30, after: 60 });
  await applyTenant(other, text, {});
  expect(await diffTenant(other, text, {})).toMatchObject({ in_sync: true, changes: [] });
});

test('resumes an interrupted apply', async () => {
  const file = parse(await dumpTenant(client));
  const other = await otherTenant('stopped');
  file.apps[1].detection = { category_actions: { 'no such category': 'block' } };
  const stopped = applyTenant(other, JSON.stringify(file), ENV);
  await expect(stopped).rejects.toThrow(/^app sdk app: .*no such category/);
  delete file.apps[1].detection;
  const { applied } = await applyTenant(other, JSON.stringify(file), ENV);
  expect(applied.filter((step) => step.result === 'done')).toEqual([
    { action: 'create', resource: 'app sdk app', result: 'done' },
  ]);
});

test('rejects an invalid file in a single line before any change', async () => {
  const file = parse(await dumpTenant(client));
  const other = await otherTenant('refused');
  const refusal = (change: (draft: typeof file) => void, env: object = ENV) => {
    const draft = structuredClone(file);
    change(draft);
    return applyTenant(other, JSON.stringify(draft), env as Record<string, string>).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  };
  expect(
    await refusal((draft) => {
      draft.providers[0].provider_settings.api_key = 'clear';
    }),
  ).toBe(
    '/providers/0/provider_settings/api_key is a secret: name an environment variable, {env: NAME}',
  );
  expect(
    await refusal((draft) => {
      draft.apps[0].alerting.channels.webhooks[0].url = 'https://x';
    }),
  ).toMatch(/^\/apps\/0\/alerting\/channels\/webhooks\/0\/url is a secret/);
  expect(await refusal(() => undefined, {})).toBe(
    'provider main/first is new and needs the environment variable GATEWARDEN_PROVIDER_MAIN_FIRST_API_KEY',
  );
  expect(
    await refusal((draft) => {
      draft.apps[0].colour = 'red';
    }),
  ).toBe('/apps/0/colour is no field of this file');
  expect(await refusal((draft) => void draft.apps.push(draft.apps[0]))).toMatch(/a second time/);
  const unknown = structuredClone(file);
  unknown.apps[0].provider_labels = ['spare', 'nope'];
  await expect(diffTenant(other, JSON.stringify(unknown), ENV)).rejects.toThrow(
    'app Help / desk %: provider_labels names nope, and neither the file nor the tenant has this provider',
  );
  await expect(applyTenant(other, 'a: [', ENV)).rejects.toThrow(/^the file is no YAML/);
  await expect(applyTenant(other, '"text"', ENV)).rejects.toThrow(/no configuration/);
  await expect(applyTenant(other, 'format: &a [1]\napps: *a', ENV)).rejects.toThrow();
  const { data } = await must(other.GET('/llmgateway/management/v1/providers'));
  expect(data.items).toEqual([]);
});

test('lists omitted settings of legacy apps in the file header, and copies converted apps', async () => {
  const { client: from, tenantId } = await aTenant('legacy');
  const provider = (key: string) => ({
    provider_name: 'vendorA',
    provider_settings: { api_key: key, base_url: 'https://x.example.com' },
  });
  const legacy = (name: string) => ({ name, tags: ['t'], providers: [provider('canary')] });
  await importCatalog(
    { db: hub.context.database.db, sealer: hub.context.sealer },
    tenantId,
    JSON.stringify({ legacy_apps: ['old', 'twin', 'twin'].map(legacy) }),
  );
  const file = await dumpTenant(from);
  expect(file.split('\n').filter((line) => line.startsWith('# NOT IN'))).toEqual([
    '# NOT IN THIS FILE: the providers of the legacy app "old". Convert it before this is applied to another tenant.',
    '# NOT IN THIS FILE: the legacy apps that are all called "twin".',
  ]);
  expect((await diffTenant(from, file, {})).in_sync).toBe(true);
  const to = await otherTenant('from legacy');
  await expect(applyTenant(to, file, {})).rejects.toThrow(/^app old: .provider_labels is required/);

  const R = '/llmgateway/management/v1';
  await must(
    from.POST(`${R}/providers`, {
      params: { header: { 'Idempotency-Key': 'shared' } },
      body: { label: 'shared', ...provider('canary-2') } as never,
    }),
  );
  const { data: old } = await must(
    from.GET(`${R}/apps/{app_name}`, { params: { path: { app_name: 'old' } } }),
  );
  await must(
    from.POST(`${R}/apps/{app_name}/provider-conversion`, {
      params: { path: { app_name: 'old' }, header: { 'If-Match': old.app.version } },
      body: { provider_labels: ['shared'] },
    }),
  );
  const converted = await dumpTenant(from);
  expect(converted).not.toContain('legacy app "old"');
  await applyTenant(to, converted, { GATEWARDEN_PROVIDER_SHARED_API_KEY: 'canary-3' });
  // A new app has a default key.
  const [was] = parse(converted).apps;
  expect(parse(await dumpTenant(to)).apps).toEqual([
    { ...was, keys: [{ name: 'Default', expires_at: null }] },
  ]);
});

test('lets a reader dump and compare, but not apply', async () => {
  const reader = await manage(hub, ['read']);
  const by = createManagementClient({ baseUrl: hub.url, token: reader.secret });
  const file = parse(await dumpTenant(by));
  file.apps[1].tags = ['new'];
  expect((await diffTenant(by, JSON.stringify(file), {})).changes).toHaveLength(1);
  await expect(applyTenant(by, JSON.stringify(file), {})).rejects.toThrow(/insufficient_scope/);
});
