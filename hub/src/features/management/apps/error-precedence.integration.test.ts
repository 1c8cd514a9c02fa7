// Errors of a request have an order: the body, then a missing resource of the path, then If-Match. A client that
// expects the first error never receives a later error instead.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  admin,
  type Management,
  makeApp,
  makeProvider,
  manage,
} from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  await makeProvider(api, 'p');
  await makeApp(api, 'shop', { provider_labels: ['p'] });
});
afterAll(() => hub.stop());

const STALE = '"999"';

test.each([
  ['a prompt', 'DELETE', '/apps/shop/prompts/none', undefined],
  ['a provider to attach', 'PUT', '/apps/shop/providers/none', {}],
  ['a provider to detach', 'DELETE', '/apps/shop/providers/none', undefined],
  ['a version', 'POST', `/apps/shop/versions/${randomUUID()}/rollback`, {}],
  ['a key', 'DELETE', `/apps/shop/keys/${randomUUID()}`, undefined],
  ['an app', 'PATCH', '/apps/none', {}],
])(
  'answers 404 for %s that does not exist, whatever If-Match contains',
  async (_what, method, path, body) => {
    for (const ifMatch of [undefined, STALE]) {
      const answer = await api.call(method, path, {
        ...(body === undefined ? {} : { body }),
        ...(ifMatch === undefined ? {} : { ifMatch }),
      });
      expect([ifMatch, answer.status]).toEqual([ifMatch, 404]);
    }
  },
);

test('requires and compares If-Match when every resource exists', async () => {
  const app = await api.call('GET', '/apps/shop');
  const changed = await api.call('PATCH', '/apps/shop', {
    ifMatch: app.body.app.version,
    body: { tags: ['a'] },
  });
  expect(changed.status).toBe(200);
  const put = await api.call('PUT', '/apps/shop/prompts/hello', {
    ifMatch: changed.body.app.version,
    body: { content: 'Hello' },
  });
  expect(put.status).toBe(201);
  const { version_id: id } = (await api.call('GET', '/apps/shop/versions')).body.items[0];
  const calls = [
    ['DELETE', '/apps/shop/prompts/hello', undefined],
    ['PUT', '/apps/shop/providers/p', {}],
    ['DELETE', '/apps/shop/providers/p', undefined],
    ['POST', `/apps/shop/versions/${id}/rollback`, {}],
  ] as const;
  for (const [method, path, body] of calls) {
    const with_ = (ifMatch: object) =>
      api.call(method, path, { ...ifMatch, ...(body === undefined ? {} : { body }) });
    const statuses = [(await with_({})).status, (await with_({ ifMatch: STALE })).status];
    expect([method, path, statuses]).toEqual([method, path, [428, 412]]);
  }
});

test.each([
  ['no length', {}],
  ['a length of 0', { 'content-length': '0' }],
])(
  'treats a DELETE with a content type and no content (%s) as a request without a body',
  async (_what, length) => {
    const made = await api.call('PUT', '/apps/shop/prompts/going', {
      ifMatch: (await api.call('GET', '/apps/shop')).body.app.version,
      body: { content: 'x' },
    });
    const headers = { 'content-type': 'application/json', ...length };
    const path = '/apps/shop/prompts/going';
    const gone = await api.call('DELETE', path, { ifMatch: made.body.app_version, headers });
    expect([gone.status, gone.body.prompt]).toEqual([200, null]);
    const issued = await admin(hub, 'POST', '/keys', { body: { name: 'k', scopes: ['read'] } });
    const { key_id, version } = issued.body.key;
    const revoked = await admin(hub, 'DELETE', `/keys/${key_id}`, { ifMatch: version, headers });
    expect(revoked.body.key.status).toBe('revoked');
    const named = await api.call('DELETE', path, { ifMatch: '"1"', headers, body: { a: 1 } });
    expect(named.status).toBe(400);
  },
);

test("ends an app's first key at a permitted time", async () => {
  for (const expires_at of ['2030-01-01T24:00:00Z', '2030-02-30T00:00:00Z', '2030-01-01']) {
    const refused = await api.call('POST', '/apps', {
      body: { name: 'never', provider_labels: ['p'], initial_key: { expires_at } },
    });
    expect([expires_at, refused.status, refused.body.error.message]).toEqual([
      expires_at,
      400,
      expect.stringContaining('/initial_key/expires_at'),
    ]);
  }
});

test('reports a configuration error before a disabled provider', async () => {
  const { body } = await makeProvider(api, 'off');
  const off = await api.call('PATCH', '/providers/off', {
    ifMatch: body.provider.version,
    body: { enabled: false },
  });
  expect(off.status).toBe(200);
  const { version } = (await api.call('GET', '/apps/shop')).body.app;
  const labels = { provider_labels: ['p', 'off'] };
  const codes = async (more: object) => {
    const app = { name: `new-${randomUUID()}`, ...labels, ...more };
    const patched = await api.call('PATCH', '/apps/shop', {
      ifMatch: version,
      body: { ...labels, ...more },
    });
    const made = await api.call('POST', '/apps', { body: app });
    return [patched, made].map((answer) => `${answer.status} ${answer.body.error.code}`);
  };
  const vendor = { provider_name: 'vendorA', model_name: 'm', weight: 100 };
  const models = [{ ...vendor, credential_source: 'elsewhere' }];
  for (const routing of [
    { routing_groups: [{ group_name: 'g', models }] },
    { routing_thresholds: { low_max_words: 2, medium_max_words: 1 } },
  ]) {
    expect(await codes({ routing })).toEqual(['400 invalid_request', '400 invalid_request']);
  }
  expect(await codes({})).toEqual(['409 provider_dependency', '409 provider_dependency']);
  const attach = await api.call('PUT', '/apps/shop/providers/off', { ifMatch: version, body: {} });
  expect([attach.status, attach.body.error.code]).toEqual([409, 'provider_dependency']);
});

test.each([
  ['an hour ago', () => new Date(Date.now() - 3_600_000).toISOString()],
  ['the 30th of February', () => '2099-02-30T00:00:00Z'],
])('rejects a key that ends %s before any other error', async (_what, at) => {
  const body = { expires_at: at() };
  const issued = await admin(hub, 'POST', '/keys', { body: { name: 'k', scopes: ['read'] } });
  const [key] = (await api.call('GET', '/apps/shop/keys')).body.items;
  for (const ifMatch of [{}, { ifMatch: STALE }]) {
    for (const id of [key.key_id, randomUUID()]) {
      const path = `/apps/shop/keys/${id}`;
      const answer = await api.call('PATCH', path, { ...ifMatch, body });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('/expires_at'),
      ]);
    }
    for (const id of [issued.body.key.key_id, randomUUID()]) {
      const answer = await admin(hub, 'PATCH', `/keys/${id}`, { ...ifMatch, body });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('/expires_at'),
      ]);
    }
  }
});

const target = { provider_name: 'vendorA', model_name: 'm', weight: 99 };
const webhook = { id: 'w', url: 'http://hooks.example.com' };
test.each<[string, object]>([
  ['/access/allowed_source_ips/0', { access: { allowed_source_ips: ['here'] } }],
  ['/access/jwt_auth/public_key_pem', { access: { jwt_auth: { public_key_pem: 'none' } } }],
  [
    '/routing/routing_groups/0/models',
    { routing: { routing_groups: [{ group_name: 'g', models: [target] }] } },
  ],
  [
    '/routing/routing_thresholds/low_max_words',
    { routing: { routing_thresholds: { low_max_words: 2, medium_max_words: 1 } } },
  ],
  [
    '/detection/custom_definitions/1/definition_id',
    { detection: { custom_definitions: [{ definition_id: 'd' }, { definition_id: 'd' }] } },
  ],
  [
    '/smart_group_policies/1/group_name',
    { smart_group_policies: [{ group_name: 'g' }, { group_name: 'g' }] },
  ],
  ['/alerting/channels/webhooks/0/url', { alerting: { channels: { webhooks: [webhook] } } }],
])('rejects an invalid %s of any app before any other error', async (pointer, body) => {
  for (const path of ['/apps/shop', '/apps/none']) {
    for (const ifMatch of [{}, { ifMatch: STALE }]) {
      const answer = await api.call('PATCH', path, { ...ifMatch, body });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining(`${pointer} `),
      ]);
    }
  }
});

test.each<[string, object]>([
  ['base_url', { base_url: 'nowhere' }],
  ['vendorB_endpoint', { vendorB_endpoint: 'ftp://example.com' }],
  ['api_key', { api_key: '*****' }],
  ['service_account_json', { service_account_json: '{}' }],
])('rejects an invalid provider %s before any other error', async (name, settings) => {
  for (const path of ['/providers/p', '/providers/none']) {
    for (const ifMatch of [{}, { ifMatch: STALE }]) {
      const answer = await api.call('PATCH', path, {
        ...ifMatch,
        body: { provider_settings: settings },
      });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining(`/provider_settings/${name} `),
      ]);
    }
  }
});

test('validates constraints of a single app against its stored state', async () => {
  const ifMatch = (await api.call('GET', '/apps/shop')).body.app.version;
  const routing = {
    routing_groups: [
      { group_name: 'g', models: [{ ...target, weight: 100, credential_source: 'none' }] },
    ],
  };
  const webhooks = [{ id: 'unknown' }];
  for (const body of [
    { routing },
    { access: { jwt_auth: { enabled: true } } },
    { alerting: { channels: { webhooks } } },
  ]) {
    expect((await api.call('PATCH', '/apps/shop', { ifMatch: STALE, body })).status).toBe(412);
    expect((await api.call('PATCH', '/apps/shop', { ifMatch, body })).status).toBe(400);
  }
});
