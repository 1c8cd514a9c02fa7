// Every route of the management API in its document is called without a key, without each required scope, with exactly
// those scopes, and with the key of another tenant.
import { SCOPES, type Scope } from '@gatewarden/shared/wire/management/common.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  ADMIN_PREFIX,
  type Management,
  makeApp,
  manage,
  RESOURCE_PREFIX,
  resource,
} from '../../../../../test/support/management.ts';

interface Operation {
  method: string;
  /** Below the prefix, with the ids of the first tenant. */
  path: string;
  scopes: Scope[];
}

let hub: TestHub;
let own: Management;
let operations: Operation[];
let adminPaths: string[];
const CANARY = 'canary-of-the-first-tenant';

beforeAll(async () => {
  hub = await sharedTestHub();
  own = await manage(hub);
  const made = await makeApp(own, CANARY);
  await own.call('PUT', `/apps/${CANARY}/prompts/${CANARY}`, {
    ifMatch: made.body.app.version,
    body: { content: CANARY },
  });
  const after = await own.call('GET', `/apps/${CANARY}`);
  await own.call('PATCH', `/apps/${CANARY}`, {
    ifMatch: after.body.app.version,
    body: { tags: [CANARY] },
  });
  const [version] = (await own.call('GET', `/apps/${CANARY}/versions`)).body.items;
  const [event] = (await own.call('GET', '/audit')).body.items;
  const ids: Record<string, string> = {
    event_id: event.event_id,
    app_name: CANARY,
    key_id: made.body.key.key_id,
    prompt_id: CANARY,
    version_id: version.version_id,
    label: `provider of ${CANARY}`,
    operation_id: made.body.operation_id,
    group_name: 'finance',
    definition_id: 'edm',
  };
  const document = (await own.call('GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: { managementKey?: Scope[] }[] }>>;
  };
  const paths = Object.entries(document.paths);
  const isAdmin = (path: string) => path.startsWith(`${ADMIN_PREFIX}/`);
  adminPaths = paths.flatMap(([path, methods]) =>
    isAdmin(path) ? Object.keys(methods).map((method) => `${method} ${path}`) : [],
  );
  const ofKeys = paths.filter(([path]) => !isAdmin(path));
  operations = ofKeys.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => {
      const filled = path
        .slice(RESOURCE_PREFIX.length)
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
      const query = /^\/app(\/|$)/.test(filled) ? `?app_name=${CANARY}` : '';
      return {
        method: method.toUpperCase(),
        path: filled + query,
        scopes: security?.[0]?.managementKey ?? [],
      };
    }),
  );
});
afterAll(() => hub.stop());

const send = (secret: string, { method, path }: Operation) =>
  resource(hub, secret, method, path, {
    ifMatch: '"1"',
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
  });

test('documents every route with its required scopes', () => {
  // 34 operations, of which the 17 of a single app also exist by query.
  expect(operations.length).toBeGreaterThanOrEqual(45);
  for (const { scopes, path } of operations)
    expect([path, scopes.length > 0]).toEqual([path, true]);
});

test("documents the administrator's routes beside them", () => {
  const tenant = `${ADMIN_PREFIX}/tenants/{tenant_id}`;
  expect(adminPaths.sort()).toEqual([
    `delete ${tenant}/keys/{key_id}`,
    `get ${tenant}/keys`,
    `get ${tenant}/settings`,
    `patch ${tenant}/keys/{key_id}`,
    `patch ${tenant}/settings`,
    `post ${tenant}/keys`,
  ]);
});

test('rejects a missing key and any missing scope on every route', async () => {
  const withoutOne = new Map<Scope, string>();
  for (const scope of SCOPES) {
    const rest = SCOPES.filter((granted) => granted !== scope);
    withoutOne.set(scope, (await manage(hub, rest)).secret);
  }
  for (const operation of operations) {
    const { method, path, scopes } = operation;
    const open = await call(`${hub.url}${RESOURCE_PREFIX}${path}`, method, {});
    expect([method, path, open.status]).toEqual([method, path, 401]);
    for (const scope of scopes) {
      const answer = await send(withoutOne.get(scope) ?? '', operation);
      expect([method, path, scope, answer.body.error?.code]).toEqual([
        method,
        path,
        scope,
        'insufficient_scope',
      ]);
    }
  }
});

test("rejects another tenant's key on every route, and changes nothing", async () => {
  const other = await hub.newTenant('Other');
  const foreign = await manage({ ...hub, ...other });
  const before = await own.call('GET', `/apps/${CANARY}`);
  for (const operation of operations) {
    const answer = await send(foreign.secret, operation);
    const { method, path } = operation;
    expect([method, path, answer.status < 500]).toEqual([method, path, true]);
    const names = JSON.stringify(answer.body).includes(CANARY);
    expect([method, path, names]).toEqual([method, path, false]);
    if (method === 'GET' && path.includes(CANARY)) {
      expect([path, answer.status]).toEqual([path, 404]);
    }
  }
  expect((await own.call('GET', `/apps/${CANARY}`)).body.app).toEqual(before.body.app);
});

test('accepts exactly the documented scopes of a route', async () => {
  const secrets = new Map<string, string>();
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const key = operation.scopes.join();
    const secret = secrets.get(key) ?? (await manage(hub, operation.scopes)).secret;
    secrets.set(key, secret);
    const answer = await send(secret, operation);
    expect([operation.path, [200, 404].includes(answer.status)]).toEqual([operation.path, true]);
  }
});
