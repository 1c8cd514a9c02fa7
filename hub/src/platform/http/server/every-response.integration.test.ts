// Every response has security headers, and access to /metrics is restricted.
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
let local: string;
beforeAll(async () => {
  const config = hubConfig(await cloneDatabase());
  hub = await startTestHub({
    ...config,
    baseUrl: 'https://hub.example.com',
    trustedProxies: [ipaddr.parseCIDR('127.0.0.2/32')],
  });
  local = `http://127.0.0.1:${hub.hub.port}`;
});
afterAll(() => hub.stop());

const PATHS = [
  '/healthz',
  '/auth/jwks',
  '/auth/.well-known/openid-configuration',
  '/auth/auth?client_id=unknown',
  '/auth/nothing-here',
  '/auth/interaction/unknown',
  '/console/',
  '/console/sign-in',
  '/console/sign-in/callback',
  '/gwone/mcp',
  '/.well-known/oauth-authorization-server',
  '/llmgateway/logs/export',
  '/scim/v2/Users',
  '/nothing-here',
];

test.each(PATHS)('sends security headers and a request id with %s', async (path) => {
  const { headers } = await fetch(`${local}${path}`, { redirect: 'manual' });
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
});

test('sends security headers with an event stream', async () => {
  const url = `${local}/console/api/v1/tenants/${hub.tenantId}/events`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${hub.adminToken}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('strict-transport-security')).toBeTruthy();
  expect(answer.headers.get('x-request-id')).toBeTruthy();
  await answer.body?.cancel();
});

test('sets cookies with the __Host- prefix and Secure behind https', async () => {
  const started = await fetch(`${local}/console/sign-in`, { redirect: 'manual' });
  const at = new URL(started.headers.get('location') ?? '');
  const answer = await fetch(`${local}${at.pathname}${at.search}`, { redirect: 'manual' });
  const cookies = [...started.headers.getSetCookie(), ...answer.headers.getSetCookie()];
  expect(cookies.length).toBeGreaterThan(3);
  for (const cookie of cookies) expect(cookie).toMatch(/;\s*secure/i);
});

describe('/metrics', () => {
  it('serves this machine', async () => {
    expect((await fetch(`${local}/metrics`)).status).toBe(200);
  });

  it('rejects clients of an untrusted proxy on this machine', async () => {
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
      expect((await fetch(`${local}/metrics`, { headers })).status).toBe(403);
    }
  });
});
