// Headers may be blank, duplicated, or contradict the body.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  ADMIN_PREFIX,
  admin,
  manage,
  RESOURCE_PREFIX,
} from '../../../../../test/support/management.ts';

let hub: TestHub;

beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

/** Returns the status of a GET with these credentials, each in a header line of its own. */
const statusOf = (path: string, credentials: string[]) =>
  new Promise<number | undefined>((resolve, reject) => {
    const lines = credentials.flatMap((credential) => ['Authorization', credential]);
    const headers = ['Host', new URL(hub.url).host, ...lines];
    const asked = request(`${hub.url}${path}`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject);
    asked.end();
  });

const aKey = async () =>
  (await admin(hub, 'POST', '/keys', { body: { name: 'x', scopes: ['read'] } })).body.key;

test('answers 400 to an encoded body, which would be misread later', async () => {
  const by = await manage(hub);
  const make = (encoding: string) =>
    by.call('POST', '/apps', {
      headers: { 'content-encoding': encoding },
      body: { name: 'encoded', mode: 'sdk' },
    });
  for (const encoding of ['gzip', 'br', 'identity, gzip']) {
    const { status, body } = await make(encoding);
    expect([status, body.error.message]).toEqual([400, '/header/content-encoding must be omitted']);
  }
  expect((await make('identity')).status).toBe(201);
});

test('rejects a credential in two header lines', async () => {
  const by = await manage(hub);
  const of = (credential: string) => [`Bearer ${credential}`, 'Bearer another'];
  const apps = `${RESOURCE_PREFIX}/apps`;
  expect(await statusOf(apps, of(by.secret).slice(0, 1))).toBe(200);
  expect(await statusOf(apps, of(by.secret))).toBe(401);
  const settings = `${ADMIN_PREFIX}/tenants/${hub.tenantId}/settings`;
  expect(await statusOf(settings, of(hub.adminToken).slice(0, 1))).toBe(200);
  expect(await statusOf(settings, of(hub.adminToken))).toBe(401);
  const devices = `/console/api/v1/tenants/${hub.tenantId}/devices`;
  expect(await statusOf(devices, of(hub.adminToken).slice(0, 1))).toBe(200);
  expect(await statusOf(devices, of(hub.adminToken))).toBe(401);
});

test('treats a blank If-Match as missing, also for a revoked key', async () => {
  await manage(hub);
  const { key_id, version } = await aKey();
  const revoke = (ifMatch: string) => admin(hub, 'DELETE', `/keys/${key_id}`, { ifMatch });
  expect((await revoke(' ')).status).toBe(428);
  expect((await revoke(version)).status).toBe(200);
  expect((await revoke(' ')).status).toBe(428);
});

test('lets simultaneous revocations of a management key all succeed', async () => {
  await manage(hub);
  const { key_id, version } = await aKey();
  const many = await Promise.all(
    Array.from({ length: 12 }, () => admin(hub, 'DELETE', `/keys/${key_id}`, { ifMatch: version })),
  );
  expect(many.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
