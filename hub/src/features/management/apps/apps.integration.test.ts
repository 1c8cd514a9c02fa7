// Apps over HTTP: creation, reads, changes, providers, keys, prompts, history and operations.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  type Management,
  makeApp,
  makeProvider,
  manage,
  resource,
} from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await startTestHub();
  api = await manage(hub);
});
afterAll(() => hub.stop());

const app = (name: string, rest = '') => `/apps/${encodeURIComponent(name)}${rest}`;

test('creates an app with its first key, lists it and finds it by both path forms', async () => {
  const made = await makeApp(api, 'Claims / 100% ü', {
    tags: ['a'],
    limits: { timeout: 30, rate_limit: { value: 5, duration: 'minute' } },
  });
  expect(made.body).toMatchObject({
    app: {
      name: 'Claims / 100% ü',
      mode: 'gateway',
      enabled: true,
      tags: ['a'],
      limits: { timeout: 30, rate_limit: { value: 5, duration: 'minute' } },
      policy_authority: { enabled: false, active_revision: null, active_checksum: null },
    },
    key: { name: 'Default', status: 'active', expires_at: null },
    warnings: [],
  });
  expect(made.status).toBe(201);
  expect(made.body.key.secret).toMatch(/^gwk_\w{46}$/);
  const read = await api.call('GET', app('CLAIMS / 100% Ü'));
  expect(read.status).toBe(200);
  expect(read.body.app).toEqual(made.body.app);
  expect(read.headers.get('etag')).toBe(read.body.app.version);
  expect(read.headers.get('cache-control')).toBe('no-store');
  expect(read.headers.get('x-request-id')).toBe(read.body.request_id);
  const alias = await api.call('GET', `/app?app_name=${encodeURIComponent('claims / 100% ü')}`);
  expect(alias.body.app).toEqual(made.body.app);
  const listed = await api.call('GET', '/apps?name=claims&tag=a&enabled=true');
  expect(listed.body.items).toEqual([made.body.app]);
  expect((await api.call('GET', '/apps?tag=b')).body.items).toEqual([]);
  const operation = await api.call('GET', `/operations/${made.body.operation_id}`);
  expect(operation.body).toMatchObject({ state: 'completed' });
});

test('requires the version of a change, merges maps, replaces lists and adds a history version', async () => {
  const made = await makeApp(api, 'changing', {
    detection: { category_actions: { pii: 'redact' }, enabled_categories: { pii: true } },
    tags: ['one', 'two'],
  });
  const { version } = made.body.app;
  expect((await api.call('PATCH', app('changing'), { body: { tags: [] } })).status).toBe(428);
  expect((await api.call('PATCH', app('nobody'), { body: { tags: [] } })).status).toBe(404);
  const weak = await api.call('PATCH', app('changing'), { ifMatch: `W/${version}`, body: {} });
  expect(weak.status).toBe(412);
  const star = await api.call('PATCH', app('nobody'), { ifMatch: '*', body: {} });
  expect(star.body.error.code).toBe('invalid_if_match');
  const same = await api.call('PATCH', app('changing'), { ifMatch: version, body: {} });
  expect(same.body.app.version).toBe(version);
  const changed = await api.call('PATCH', app('changing'), {
    ifMatch: version,
    body: { detection: { category_actions: { secrets: 'block' } }, tags: ['three'] },
  });
  expect(changed.body.app).toMatchObject({
    detection: {
      category_actions: { pii: 'redact', secrets: 'block' },
      enabled_categories: { pii: true },
    },
    tags: ['three'],
  });
  expect(changed.body.app.version).not.toBe(version);
  const stale = await api.call('PATCH', app('changing'), { ifMatch: version, body: { tags: [] } });
  expect(stale.status).toBe(412);
  const versions = await api.call('GET', app('changing', '/versions'));
  expect(versions.body.items).toMatchObject([
    { operation: 'app.update', changed: ['/detection/category_actions/secrets', '/tags'] },
  ]);
  const [{ version_id }] = versions.body.items;
  const record = await api.call('GET', app('changing', `/versions/${version_id}`));
  expect(record.body.version_record).toMatchObject({
    previous_config: { tags: ['one', 'two'] },
    new_config: { tags: ['three'] },
  });
  const again = await api.call('PATCH', app('changing'), {
    ifMatch: changed.body.app.version,
    body: { tags: ['four'], limits: { timeout: 5 } },
  });
  const back = await api.call('POST', app('changing', `/versions/${version_id}/rollback`), {
    ifMatch: again.body.app.version,
  });
  expect(back.body).toMatchObject({ app: { tags: ['three'] }, warnings: [], state: 'completed' });
  expect(back.body.app.limits).toBeUndefined();
});

test.each<[string, object, string]>([
  ['an unknown section', { nothing: {} }, '/nothing'],
  ['an unknown field', { limits: { speed: 1 } }, '/limits/speed'],
  ['a null that is no reset', { limits: { token_limits: null } }, '/limits/token_limits'],
  ['an unknown category', { detection: { category_actions: { x: 'block' } } }, '/detection'],
  [
    'an action that the category does not take',
    { detection: { category_actions: { jailbreak: 'redact' } } },
    '/detection/category_actions/jailbreak',
  ],
  ['a negative limit', { limits: { timeout: -1 } }, '/limits/timeout'],
  [
    'weights that are no whole',
    {
      routing: {
        routing_groups: [
          { group_name: 'g', models: [{ provider_name: 'vendorA', model_name: 'm', weight: 50 }] },
        ],
      },
    },
    '/routing/routing_groups/0/models',
  ],
  [
    'routing to what is not attached',
    {
      routing: {
        routing_groups: [
          {
            group_name: 'g',
            models: [
              {
                provider_name: 'vendorA',
                model_name: 'm',
                credential_source: 'elsewhere',
                weight: 100,
              },
            ],
          },
        ],
      },
    },
    '/routing/routing_groups/0/models/0/credential_source',
  ],
  [
    'thresholds the wrong way round',
    { routing: { routing_thresholds: { low_max_words: 2, medium_max_words: 1 } } },
    '/routing/routing_thresholds/low_max_words',
  ],
  ['a wrong network', { access: { allowed_source_ips: ['10.0.0.0/99'] } }, '/access'],
  [
    'a header name that no request can carry',
    { access: { identity_token_headers: ['x-id\r\nx-other: 1'] } },
    '/access/identity_token_headers/0',
  ],
  ['jwt_auth without a key', { access: { jwt_auth: { enabled: true } } }, '/access/jwt_auth'],
  ['a smart group that is not there', { smart_group_policies: [{ group_name: 'x' }] }, '/smart'],
  [
    'a webhook to a private address',
    { alerting: { channels: { webhooks: [{ id: 'a', url: 'https://10.0.0.1/' }] } } },
    '/alerting/channels/webhooks/0/url',
  ],
  [
    'a webhook without TLS',
    { alerting: { channels: { webhooks: [{ id: 'a', url: 'http://example.com/' }] } } },
    '/alerting/channels/webhooks/0/url',
  ],
  ['a window too short', { alerting: { app_level: { window_minutes: 4 } } }, '/alerting'],
  ['a poisoned name', { detection: { enabled_categories: { constructor: true } } }, '/detection'],
  ['a label that is not there', { provider_labels: ['nowhere'] }, '/provider_labels/0'],
  ['no provider at all', { provider_labels: [] }, '/provider_labels'],
])('rejects %s with its pointer and changes nothing', async (_what, body, pointer) => {
  const name = `refusing ${JSON.stringify(body)}`.slice(0, 150);
  const made = await makeApp(api, name);
  const refused = await api.call('PATCH', app(name), { ifMatch: made.body.app.version, body });
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(pointer),
  });
  expect(refused.status).toBe(400);
  expect((await api.call('GET', app(name))).body.app).toEqual(made.body.app);
});

test('replaces alerting completely with defaults, and keeps a hidden URL by its id', async () => {
  const made = await makeApp(api, 'alerting');
  const url = 'https://hooks.example.com/T0/secret-path';
  const first = await api.call('PATCH', app('alerting'), {
    ifMatch: made.body.app.version,
    body: { alerting: { channels: { webhooks: [{ id: 'ops', url }] } } },
  });
  expect(first.body.app.alerting).toEqual({
    app_level: {
      enabled: false,
      window_minutes: 15,
      failure_rate_threshold: 10,
      minimum_requests: 20,
      cooldown_minutes: 10,
      notify_on_recovery: true,
    },
    provider_level: expect.objectContaining({ window_minutes: 15 }),
    channels: { webhooks: [{ id: 'ops', type: 'generic' }] },
  });
  const kept = await api.call('PATCH', app('alerting'), {
    ifMatch: first.body.app.version,
    body: { alerting: { channels: { webhooks: [{ id: 'ops', label: 'Ops' }] } } },
  });
  expect(kept.body.app.alerting.channels.webhooks).toEqual([
    { id: 'ops', type: 'generic', label: 'Ops' },
  ]);
  const reset = await api.call('PATCH', app('alerting'), {
    ifMatch: kept.body.app.version,
    body: { alerting: null },
  });
  expect(reset.body.app.alerting).toBeNull();
  const versions = await api.call('GET', app('alerting', '/versions'));
  const audit = await api.call('GET', '/audit');
  const first_version = versions.body.items.at(-1).version_id;
  const record = await api.call('GET', app('alerting', `/versions/${first_version}`));
  expect(JSON.stringify([versions.body, audit.body, record.body])).not.toContain('secret-path');
  const back = await api.call('POST', app('alerting', `/versions/${first_version}/rollback`), {
    ifMatch: reset.body.app.version,
  });
  expect(back.body).toMatchObject({
    app: { alerting: { channels: { webhooks: [] } } },
    warnings: [{ code: 'webhook_dropped' }],
  });
});

test('attaches, promotes and detaches providers, but never the last or a routed provider', async () => {
  const made = await makeApp(api, 'routed');
  const own = 'provider of routed';
  await makeProvider(api, 'second', { selected_models: ['m1'] });
  await makeProvider(api, 'off', { enabled: false });
  const labels = `${app('routed', '/providers')}`;
  const attached = await api.call('PUT', `${labels}/second`, {
    ifMatch: made.body.app.version,
    body: { primary: true },
  });
  expect(attached.body.app.provider_labels).toEqual(['second', own]);
  const off = await api.call('PUT', `${labels}/off`, {
    ifMatch: attached.body.app.version,
    body: {},
  });
  expect(off.body.error.code).toBe('provider_dependency');
  const nowhere = await api.call('PUT', `${labels}/nowhere`, {
    ifMatch: attached.body.app.version,
    body: {},
  });
  expect(nowhere.status).toBe(404);
  const models = [
    { provider_name: 'vendorA', model_name: 'm1', credential_source: 'second', weight: 100 },
  ];
  const routed = await api.call('PATCH', app('routed'), {
    ifMatch: attached.body.app.version,
    body: { routing: { routing_groups: [{ group_name: 'g', models }] } },
  });
  expect(routed.status).toBe(200);
  const refused = await api.call('DELETE', `${labels}/second`, {
    ifMatch: routed.body.app.version,
  });
  expect(refused.body.error.code).toBe('provider_dependency');
  const other = await api.call('DELETE', `${labels}/${encodeURIComponent(own)}`, {
    ifMatch: routed.body.app.version,
  });
  expect(other.body.app.provider_labels).toEqual(['second']);
  expect((await api.call('GET', labels)).body).toMatchObject({
    provider_labels: ['second'],
    version: other.body.app.version,
  });
  const last = await api.call('DELETE', `${labels}/second`, { ifMatch: other.body.app.version });
  expect(last.status).toBe(409);
});

test("changes the app's version but not its history for prompts", async () => {
  const made = await makeApp(api, 'prompting');
  const put = (id: string, content: string, ifMatch: string) =>
    api.call('PUT', app('prompting', `/prompts/${id}`), { ifMatch, body: { content } });
  expect((await put('bad%20id', 'x', made.body.app.version)).status).toBe(400);
  const created = await put('greeting', 'Hello', made.body.app.version);
  expect(created).toMatchObject({ status: 201, body: { prompt: { content: 'Hello' } } });
  expect(created.body.app_version).not.toBe(made.body.app.version);
  const replaced = await put('greeting', 'Hi', created.body.app_version);
  expect(replaced).toMatchObject({ status: 200, body: { prompt: { content: 'Hi' } } });
  expect((await put('greeting', 'Hi', created.body.app_version)).status).toBe(412);
  expect((await api.call('GET', app('prompting', '/prompts'))).body.items).toHaveLength(1);
  expect((await api.call('GET', app('prompting', '/versions'))).body.items).toEqual([]);
  const gone = await api.call('DELETE', app('prompting', '/prompts/greeting'), {
    ifMatch: replaced.body.app_version,
  });
  expect(gone.body).toMatchObject({ prompt: null, prompt_id: 'greeting' });
  const nothing = await api.call('GET', app('prompting', '/prompts/greeting'));
  expect(nothing.status).toBe(404);
});

test('issues, reveals, expires and revokes a key, whose name is then free', async () => {
  await makeApp(api, 'keyed');
  const keys = app('keyed', '/keys');
  const issued = await api.call('POST', keys, { body: { name: ' CI ' } });
  expect(issued.body.key).toMatchObject({ name: 'CI', status: 'active' });
  const taken = await api.call('POST', keys, { body: { name: 'ci' } });
  expect(taken.status).toBe(409);
  const keyPath = `${keys}/${issued.body.key.key_id}`;
  const read = await api.call('GET', keyPath);
  expect(read.body.key.secret).toBeUndefined();
  const revealed = await api.call('POST', `${keyPath}/reveal`);
  expect(revealed.body.key.secret).toBe(issued.body.key.secret);
  const past = await api.call('PATCH', keyPath, {
    ifMatch: read.body.key.version,
    body: { expires_at: '2020-01-01T00:00:00Z' },
  });
  expect(past.status).toBe(400);
  const ending = await api.call('PATCH', keyPath, {
    ifMatch: read.body.key.version,
    body: { expires_at: '2999-01-01T02:00:00+02:00' },
  });
  expect(ending.body.key.expires_at).toBe('2999-01-01T00:00:00.000Z');
  const revoked = await api.call('DELETE', keyPath, { ifMatch: ending.body.key.version });
  expect(revoked.body.key.status).toBe('revoked');
  const again = await api.call('DELETE', keyPath, { ifMatch: revoked.body.key.version });
  expect(again.body.error.code).toBe('terminal_key_state');
  expect((await api.call('POST', `${keyPath}/reveal`)).body.error.code).toBe('terminal_key_state');
  expect((await api.call('POST', keys, { body: { name: 'ci' } })).status).toBe(201);
  const listed = await api.call('GET', `${keys}?limit=2`);
  expect(listed.body.items.map((key: { name: string }) => key.name)).toEqual(['Default', 'CI']);
  await api.call('POST', keys, { body: { name: 'another' } });
  const after = await api.call('GET', `${keys}?cursor=${listed.body.next_cursor}`);
  expect(after.body.error.code).toBe('collection_changed');
});

test('repeats the response of a creation, and answers 409 to another creation with the same key', async () => {
  await makeProvider(api, 'for once');
  const body = { name: 'once', provider_labels: ['for once'] };
  const first = await api.call('POST', '/apps', { key: 'k1', body });
  const again = await api.call('POST', '/apps', { key: 'k1', body });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  const other = await api.call('POST', '/apps', { key: 'k1', body: { ...body, name: 'other' } });
  expect(other.body.error.code).toBe('idempotency_conflict');
  const refused = await api.call('POST', '/apps', { key: 'k2', body });
  expect(refused.body.error.code).toBe('already_exists');
  const without = await api.call('POST', '/apps', { body, headers: { 'idempotency-key': '' } });
  expect(without.status).toBe(400);
});

test('accepts a single change of twenty with the same version', async () => {
  const made = await makeApp(api, 'raced');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      api.call('PATCH', app('raced'), {
        ifMatch: made.body.app.version,
        body: { tags: [`writer ${i}`] },
      }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
  const read = await api.call('GET', app('raced'));
  expect(read.body.app.tags).toEqual(won[0]?.body.app.tags);
});

test('creates a single app for fifty creations with the same key on two hubs', async () => {
  const other = await startTestHub(hub.config);
  try {
    await makeProvider(api, 'of-fifty');
    const body = { name: 'of-fifty', provider_labels: ['of-fifty'] };
    const key = randomUUID();
    const create = async (n: number) => {
      const by = n % 2 === 0 ? hub : other;
      let answer = await resource(by, api.secret, 'POST', '/apps', { key, body });
      // The API asks the client to repeat the same request later.
      while (answer.status === 503 || answer.status === 429) {
        answer = await resource(by, api.secret, 'POST', '/apps', { key, body });
      }
      return [answer.status, answer.body];
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(n)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.[0]).toBe(201);
    const found = await api.call('GET', '/apps?name=of-fifty');
    expect(found.body.items).toHaveLength(1);
    expect((await api.call('GET', '/apps/of-fifty/keys')).body.items).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
