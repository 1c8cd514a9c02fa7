// Shared providers over HTTP: write-only secrets, rotation, costs, and the test of a model with a real server.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { type Management, manage } from '../../../../../test/support/management.ts';
import { readConfig } from '../../../platform/config/config.ts';

let hub: TestHub;
let api: Management;
let models: Server;
let base: string;
let asked: { url: string; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  models = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      asked.push({ url: request.url ?? '', headers: request.headers, body });
      const model = body === '' ? '' : (JSON.parse(body) as { model: string }).model;
      if (model === 'moved') {
        response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        return;
      }
      const status = { denied: 401, missing: 404, broken: 500 }[model] ?? 200;
      const answer = model === 'odd' ? 'hello' : '{"choices":[],"output":[],"content":[]}';
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  api = await manage(hub);
});
afterAll(async () => {
  await hub.stop();
  models.close();
});

const providerPath = (label: string) => `/providers/${encodeURIComponent(label)}`;

test('stores, rotates, keeps or deletes secrets with their mode, and never returns them', async () => {
  const made = await api.call('POST', '/providers', {
    body: {
      label: ' Exact/Label ',
      provider_name: 'vendorG',
      provider_settings: {
        vendorG_region: 'r',
        vendorG_access_key: 'canary-access',
        vendorG_secret_key: 'canary-secret',
      },
      selected_models: ['m1', 'm2'],
      model_costs: { m1: { input_per_1m: 1.5 } },
    },
  });
  expect(made.status).toBe(201);
  expect(made.body.provider).toMatchObject({
    label: 'Exact/Label',
    provider_settings: { vendorG_region: 'r' },
    credential_configured: true,
    enabled: true,
    model_costs: { m1: { input_per_1m: 1.5 } },
  });
  const patch = (body: object, ifMatch: string) =>
    api.call('PATCH', providerPath('Exact/Label'), { ifMatch, body });
  const nothing = await patch({ provider_settings: {} }, made.body.provider.version);
  expect(nothing.body.provider.version).toBe(made.body.provider.version);
  const costs = await patch(
    { model_costs: { m1: { output_per_1m: 2, input_per_1m: null }, m2: null } },
    made.body.provider.version,
  );
  expect(costs.body.provider.model_costs).toEqual({ m1: { output_per_1m: 2 } });
  const stray = await patch(
    { model_costs: { m3: { input_per_1m: 1 } } },
    costs.body.provider.version,
  );
  expect(stray.body.error.message).toContain('/model_costs/m3');
  const incomplete = await patch(
    { provider_settings: { vendorG_auth_mode: 'assume_role' } },
    costs.body.provider.version,
  );
  expect(incomplete.body.error.message).toContain('/provider_settings/vendorG_role_arn');
  const placeholder = await patch(
    { provider_settings: { vendorG_secret_key: '********' } },
    costs.body.provider.version,
  );
  expect(placeholder.status).toBe(400);
  const keyless = await patch(
    { provider_settings: { auth_type: 'gateway_user_principal' } },
    costs.body.provider.version,
  );
  expect(keyless.body.provider.credential_configured).toBe(false);
  const renamed = await patch({ label: 'other' }, keyless.body.provider.version);
  expect(renamed.body.error.message).toContain('/label cannot be changed');
  const audit = await api.call('GET', '/audit?limit=200');
  const listed = await api.call('GET', '/providers');
  expect(JSON.stringify([audit.body, listed.body, made.body])).not.toContain('canary');
  expect(audit.body.items.map((event: { operation: string }) => event.operation)).toEqual(
    expect.arrayContaining(['provider.create', 'provider.update']),
  );
});

test('removes an optional setting by null without a trace', async () => {
  const make = (label: string, provider_settings: object) =>
    api.call('POST', '/providers', {
      body: { label, provider_name: 'vendorA', provider_settings },
    });
  const plain = await make('plain', { api_key: 'k' });
  const mistaken = await make('mistaken', { api_key: 'k', base_url: 'https://wrong.example.com' });
  const patch = (provider_settings: object, ifMatch: string) =>
    api.call('PATCH', providerPath('mistaken'), { ifMatch, body: { provider_settings } });
  const cleared = await patch({ base_url: null }, mistaken.body.provider.version);
  expect(cleared.status).toBe(200);
  const { body } = await api.call('GET', providerPath('mistaken'));
  const { label: _a, version: _b, created_at: _c, updated_at: _d, ...read } = body.provider;
  expect(plain.body.provider).toMatchObject(read);
  expect(read.provider_settings).toEqual({});
  const refused = await patch({ api_key: null }, cleared.body.provider.version);
  expect(refused.status).toBe(400);
  expect(refused.body.error.message).toBe(
    '/provider_settings/api_key is required for vendorA with api_key',
  );
  expect((await make('new', { api_key: 'k', base_url: null })).status).toBe(400);
});

test.each(PROVIDER_TYPES.filter((type) => type !== 'gw_ai'))(
  'names the missing settings of a provider of the type %s',
  async (provider_name) => {
    const answer = await api.call('POST', '/providers', {
      body: { label: provider_name, provider_name },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^\/provider_settings\/\w+ /);
  },
);

test('requires nothing for the managed provider, and flags a moved endpoint with unchanged credentials', async () => {
  const managed = await api.call('POST', '/providers', {
    body: { label: 'managed', provider_name: 'gw_ai' },
  });
  expect(managed.body.provider.credential_configured).toBe(false);
  const made = await api.call('POST', '/providers', {
    body: {
      label: 'moving',
      provider_name: 'general',
      provider_settings: { base_url: 'https://a.example.com', api_key: 'k' },
    },
  });
  await api.call('PATCH', providerPath('moving'), {
    ifMatch: made.body.provider.version,
    body: { provider_settings: { base_url: 'https://b.example.com' } },
  });
  const [event] = (await api.call('GET', '/audit')).body.items;
  expect(event.changes).toMatchObject({ endpoint_moved_with_kept_credentials: true });
  const alone = await api.call('GET', `/audit/${event.event_id}`);
  expect(alone.body.event).toEqual(event);
  for (const unknown of [randomUUID(), 'none']) {
    expect((await api.call('GET', `/audit/${unknown}`)).status).toBe(404);
  }
});

test.each<[string, string]>([
  ['http://93.184.215.14/', 'https'],
  ['https://', 'URL'],
  ['https://user:pw@example.com/', 'user name'],
  ['https://example.com/v1?api-version=1', 'must not contain a query'],
  ['https://example.com/v1#part', 'must not contain a query or a fragment'],
  ['ftp://example.com/', 'https'],
])('rejects an endpoint with %s', async (base_url, words) => {
  const answer = await api.call('POST', '/providers', {
    body: { label: base_url, provider_name: 'general', provider_settings: { base_url } },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain(words);
});

test('stores a private endpoint that the hub may not call, and reports its test without a duration', async () => {
  for (const base_url of ['http://10.0.0.1:8000/v1', 'https://[fd00::1]/v1', 'http://llm.lan/v1']) {
    const made = await api.call('POST', '/providers', {
      body: { label: base_url, provider_name: 'general', provider_settings: { base_url } },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const { status, body } = await api.call(
    'POST',
    `${providerPath('http://10.0.0.1:8000/v1')}/test`,
    {
      body: { kind: 'model', model: 'm' },
    },
  );
  expect(status).toBe(200);
  expect(body.test).toMatchObject({ outcome: 'failed', code: 'connection_failed' });
  expect(body.test).not.toHaveProperty('latency_ms');
});

test('lists the last test of a provider, which a change of the provider makes outdated', async () => {
  const made = await api.call('POST', '/providers', {
    body: { label: 'tested', provider_name: 'general', provider_settings: { base_url: base } },
  });
  expect(made.status).toBe(201);
  const lastTest = async () => {
    const { items } = (await hub.console('GET', '/llm/provider-tests')).body;
    return items.find(({ label }: { label: string }) => label === 'tested');
  };
  expect(await lastTest()).toBeUndefined();
  const runTest = (model: string) =>
    api.call('POST', `${providerPath('tested')}/test`, { body: { kind: 'model', model } });
  await runTest('denied');
  expect(await lastTest()).toMatchObject({
    ...{ model: 'denied', outcome: 'failed', code: 'unauthorized', state: 'current' },
    completed_at: expect.stringMatching(/Z$/),
  });
  await runTest('good');
  expect(await lastTest()).toMatchObject({ outcome: 'passed', code: null, state: 'current' });
  await api.call('PATCH', providerPath('tested'), {
    headers: { 'if-match': made.headers.get('etag') ?? '' },
    body: { selected_models: ['good'] },
  });
  expect(await lastTest()).toMatchObject({ outcome: 'passed', state: 'outdated' });
});

test('tests the stored endpoint once with the stored credential, and reports the outcome', async () => {
  const make = (label: string, provider_name: string) =>
    api.call('POST', '/providers', {
      body: { label, provider_name, provider_settings: { base_url: base, api_key: 'stored-key' } },
    });
  for (const [label, type] of [
    ['chat', 'vendorA'],
    ['responses', 'vendorA_responses'],
    ['messages', 'vendorC_messages'],
  ] as const) {
    await make(label, type);
  }
  const probe = async (label: string, body: object) =>
    (await api.call('POST', `${providerPath(label)}/test`, { body })).body.test;
  asked = [];
  expect(await probe('chat', { kind: 'model', model: 'm' })).toMatchObject({
    kind: 'model',
    model: 'm',
    outcome: 'passed',
    code: null,
    configuration_version: '"1"',
    latency_ms: expect.any(Number),
    completed_at: expect.any(Number),
  });
  expect(asked).toMatchObject([
    { url: '/v1/chat/completions', headers: { authorization: 'Bearer stored-key' } },
  ]);
  expect((await probe('responses', { kind: 'model', model: 'm' })).outcome).toBe('passed');
  expect((await probe('messages', { kind: 'model', model: 'm' })).outcome).toBe('passed');
  expect(asked.map(({ url }) => url)).toEqual([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/messages',
  ]);
  expect(asked[2]?.headers['x-api-key']).toBe('stored-key');
  const codes = [];
  for (const model of ['denied', 'missing', 'broken', 'odd', 'moved']) {
    codes.push((await probe('chat', { kind: 'model', model })).code);
  }
  expect(codes).toEqual([
    'unauthorized',
    'model_not_found',
    'bad_response',
    'bad_response',
    'bad_response',
  ]);
  expect(await probe('chat', { kind: 'connection' })).toMatchObject({
    outcome: 'unsupported',
    code: 'unsupported_test_kind',
  });
  const none = await api.call('POST', `${providerPath('chat')}/test`, { body: { kind: 'model' } });
  expect(none.status).toBe(400);
  const override = await api.call('POST', `${providerPath('chat')}/test`, {
    body: { kind: 'model', model: 'm', base_url: 'https://evil.example.com' },
  });
  expect(override.status).toBe(400);
});
