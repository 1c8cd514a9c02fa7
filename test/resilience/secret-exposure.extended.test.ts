// Secrets are created, changed, refused, used and rotated; then every route's response, every log line and every file
// of the data folder is searched for them, including the database's files.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, call } from '../support/hub.ts';
import { admin, RESOURCE_PREFIX, resource } from '../support/management.ts';
import {
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  startProgram,
} from '../support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-secrets-'));
let env: NodeJS.ProcessEnv;
let hub: Program;
let url: string;
let tenantId: string;
let key: string;
let adminToken: string;
const answers: { what: string; text: string }[] = [];
/** Canary secrets that no output may contain, by their kind. */
const planted: Record<string, string> = {
  'a provider key': 'canary-provider-key-1f9c',
  'its rotated key': 'canary-rotated-key-77ab',
  'a refused key': 'canary-refused-key-c0de',
  'a key that was sent in the wrong place': 'canary-misplaced-key-e110',
  'a webhook path': 'canary-webhook-path-3b2d',
  'a legacy key': 'canary-legacy-key-90aa',
  'a notification channel path': 'canary-route-path-5e5e',
};

beforeAll(async () => {
  url = `http://127.0.0.1:${await freePort()}`;
  env = {
    HUB_DATA_DIR: join(folder, 'hub'),
    HUB_PORT: new URL(url).port,
    HUB_LOG_LEVEL: 'debug',
    BASE_URL: '',
    LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true',
    HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
  };
  hub = await startProgram(HUB_MAIN, ['serve'], env);
  const command = <T>(...args: string[]) => jsonCommand<T>(HUB_MAIN, args, env);
  tenantId = (await command<{ tenant_id: string }>('tenant', 'create', '--name', 'S')).tenant_id;
  const of = ['--tenant', tenantId];
  key = (await command<{ key: string }>('key', 'management', ...of, '--name', 'k')).key;
  adminToken = (await command<{ token: string }>('token', 'admin', ...of, '--email', 'a@b.example'))
    .token;
  const file = join(folder, 'legacy.json');
  const inline = {
    provider_name: 'vendorA',
    provider_settings: { api_key: planted['a legacy key'] },
  };
  writeFileSync(file, JSON.stringify({ legacy_apps: [{ name: 'legacy', providers: [inline] }] }));
  await command('catalog', 'import', file, ...of);
  rmSync(file);
});
afterAll(async () => {
  await hub.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a call whose answer is searched; the caller cuts out the parts that may contain a secret once. */
async function ask(method: string, path: string, options: object = {}): Promise<Answer> {
  const answer = await resource({ url }, key, method, path, options);
  answers.push({ what: `${method} ${path}`, text: JSON.stringify(answer.body) });
  return answer;
}

test('exposes no secret in any response, log line or file', { timeout: 120_000 }, async () => {
  const provider = { label: 'p', provider_name: 'general' };
  const settings = { base_url: 'http://127.0.0.1:9/v1', api_key: planted['a provider key'] };
  await ask('POST', '/providers', { body: { ...provider, provider_settings: settings } });
  let read = await ask('GET', '/providers/p');
  await ask('PATCH', '/providers/p', {
    ifMatch: read.body.provider.version,
    body: { provider_settings: { api_key: planted['its rotated key'] } },
  });
  read = await ask('GET', '/providers/p');
  const refused = { ...settings, api_key: planted['a refused key'], vendorE_nothing: 1 };
  await ask('PATCH', '/providers/p', {
    ifMatch: read.body.provider.version,
    body: { provider_settings: refused },
  });
  const misplaced = planted['a key that was sent in the wrong place'];
  await ask('POST', '/providers', { body: { ...provider, api_key: misplaced } });
  await ask('POST', '/providers', { body: `{"label": "${misplaced}` });
  await ask('POST', '/providers/p/test', { body: { kind: 'model', model: 'm' } });
  const webhook = {
    id: 'w',
    url: `https://hooks.example.com/${planted['a webhook path']}`,
  };
  const app = {
    name: 'app',
    provider_labels: ['p'],
    alerting: { channels: { webhooks: [webhook] } },
  };
  const created = await resource({ url }, key, 'POST', '/apps', { key: 'same', body: app });
  planted['a gateway key'] = created.body.key.secret;
  const replayed = await resource({ url }, key, 'POST', '/apps', { key: 'same', body: app });
  expect(replayed.body.key.secret).toBe(planted['a gateway key']);
  planted['the management key'] = key;
  let etag = (await ask('GET', '/apps/app')).headers.get('etag') ?? '';
  const private_ = { id: 'x', url: `https://127.0.0.1/${planted['a webhook path']}` };
  await ask('PATCH', '/apps/app', {
    ifMatch: etag,
    body: { alerting: { channels: { webhooks: [private_] } } },
  });
  await ask('PATCH', '/apps/app', {
    ifMatch: etag,
    body: { limits: { timeout: 3 }, alerting: { channels: { webhooks: [{ id: 'w' }] } } },
  });
  etag = (await ask('GET', '/apps/app')).headers.get('etag') ?? '';
  const versions = await ask('GET', '/apps/app/versions');
  for (const { version_id } of versions.body.items) {
    await ask('GET', `/apps/app/versions/${version_id}`);
    await ask('POST', `/apps/app/versions/${version_id}/rollback`, { ifMatch: etag, body: {} });
    etag = (await ask('GET', '/apps/app')).headers.get('etag') ?? '';
  }
  await call(
    `${url}/console/api/v1/tenants/${tenantId}/alert-routes`,
    'POST',
    { authorization: `Bearer ${adminToken}` },
    {
      kind: 'webhook',
      name: 'r',
      url: `https://hooks.example.com/${planted['a notification channel path']}`,
      min_severity: 'low',
    },
  ).then((answer) => {
    expect(answer.status).toBe(201);
    planted['a signing secret'] = answer.body.secret;
  });
  planted["an administrator's token"] = adminToken;

  const document = (await ask('GET', '/openapi.json')).body as { paths: Record<string, object> };
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!('get' in methods) || !path.startsWith(`${RESOURCE_PREFIX}/`)) continue;
    const filled = path
      .slice(RESOURCE_PREFIX.length)
      .replace('{app_name}', 'app')
      .replace('{label}', 'p')
      .replace(/\{\w+\}/, 'none');
    await ask('GET', `${filled}${/^\/app(\/|$)/.test(filled) ? '?app_name=legacy' : ''}`);
  }
  const owned = { url, tenantId, adminToken };
  for (const path of ['/settings', '/keys']) {
    answers.push({ what: path, text: JSON.stringify((await admin(owned, 'GET', path)).body) });
  }
  for (const path of ['/alert-routes', '/gateway/apps', '/gateway/audit', '/gateway/providers']) {
    const { body } = await call(
      `${url}/console/api/v1/tenants/${tenantId}${path}`,
      'GET',
      { authorization: `Bearer ${adminToken}` },
      undefined,
    );
    answers.push({ what: `console ${path}`, text: JSON.stringify(body) });
  }
  // Everything that is still in memory is on disk afterwards.
  await hub.end('SIGTERM');

  const leaks: string[] = [];
  const search = (where: string, text: string) => {
    for (const [what, secret] of Object.entries(planted)) {
      const forms = [secret, Buffer.from(secret).toString('base64').slice(0, -4)];
      if (forms.some((form) => text.includes(form))) leaks.push(`${what} in ${where}`);
    }
  };
  expect(Object.values(planted).every((secret) => secret.length > 16)).toBe(true);
  for (const { what, text } of answers) search(what, text);
  search('the log', hub.lines.join('\n'));
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    search(path, readFileSync(path, 'latin1'));
    files++;
  }
  expect(leaks).toEqual([]);
  expect(files).toBeGreaterThan(500);
  expect(answers.length).toBeGreaterThan(40);
  expect(hub.lines.join('\n')).toContain('/llmgateway/management/v1/providers');
  // The search itself: what lies there sealed is found once it lies there in clear.
  writeFileSync(join(folder, 'hub/planted'), `x${planted['a provider key']}y`);
  search('a file', readFileSync(join(folder, 'hub/planted'), 'latin1'));
  expect(leaks).toEqual(['a provider key in a file']);
});
