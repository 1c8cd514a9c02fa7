// Browsers sign in: sessions and their CSRF token, roles, and isolation of tenants.
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { foldName } from '@gatewarden/shared/names.ts';
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import {
  aBrowser,
  aPerson as aPersonOf,
  signInAs,
} from '../../../../../test/support/cookie-browser.ts';
import {
  call,
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { disableUser } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  const config = hubConfig(await cloneDatabase());
  hub = await startTestHub({ ...config, providerNames: { D: 'Acme' } });
});
afterAll(() => hub.stop());

const aPerson = (role?: Role) => aPersonOf(hub, role);
const signIn = (email: string, password: string, returnTo?: string) =>
  signInAs(hub, { email, password }, returnTo);

describe('sign-in', () => {
  it('redirects through the login provider back to the requested page', async () => {
    const user = await aPerson();
    const { browser, at, response } = await signIn(
      user.email.toUpperCase(),
      user.password,
      '/console/t/x/alerts',
    );
    expect(new URL(at).pathname).toBe('/console/t/x/alerts');
    expect([200, 503]).toContain(response.status);
    const session = await (await browser.request('/console/api/v1/session')).json();
    expect(session).toMatchObject({
      email: user.email,
      tenants: [{ tenant_id: hub.tenantId, role: 'Admin' }],
      provider_names: { D: 'Acme' },
    });
  });

  it('names the suspended tenants of the user apart from the tenants that open', async () => {
    const user = await aPerson();
    const { browser } = await signIn(user.email, user.password);
    const session = async () =>
      (await (await browser.request('/console/api/v1/session')).json()) as SessionAnswer;
    expect((await session()).suspended).toEqual([]);
    const { db } = hub.context.database;
    const { tenantId } = await hub.newTenant('Paused');
    await sql`INSERT INTO members (tenant_id, user_id, email, email_folded, role, accepted_at)
      VALUES (${tenantId}, gen_random_uuid(), ${user.email}, ${foldName(user.email)}, 'Viewer', now())`.execute(
      db,
    );
    await sql`UPDATE tenants SET suspended_at = now() WHERE tenant_id = ${tenantId}`.execute(db);
    const { tenants, suspended } = await session();
    expect(suspended).toEqual([{ tenant_id: tenantId, name: 'Paused' }]);
    expect(tenants.map((tenant) => tenant.tenant_id)).toEqual([hub.tenantId]);
  });

  it('never redirects to another origin', async () => {
    const user = await aPerson();
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/console/../../evil',
      '/\\evil.example',
    ]) {
      const { at } = await signIn(user.email, user.password, target);
      expect(at).toBe(`${hub.url}/console/`);
    }
  });

  it('answers alike for a wrong password and an unknown user, and slows down guessing', async () => {
    const user = await aPerson();
    const wrong = await signIn(user.email, 'wrong password');
    const unknown = await signIn(`${randomUUID()}@example.com`, 'wrong password');
    expect([wrong.response.status, unknown.response.status]).toEqual([401, 401]);
    const browser = aBrowser(hub);
    const form = await browser.follow('/console/sign-in');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const answer = await browser.request(form.at, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email: user.email, password: `guess ${i}` }).toString(),
      });
      statuses.push(answer.status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('creates no session for a user without a company', async () => {
    const user = await aPerson('Member');
    await disableUser(hub.context.database.db, hub.tenantId, user.userId);
    const { browser, response } = await signIn(user.email, user.password);
    expect(response.status).toBe(403);
    expect((await browser.request('/console/api/v1/session')).status).toBe(401);
  });

  it('rejects a callback that another browser started', async () => {
    const answer = await aBrowser(hub).request('/console/sign-in/callback?code=x&state=y');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('session', () => {
  it('rejects two lines of credentials', async () => {
    const user = await aPerson();
    const { browser } = await signIn(user.email, user.password);
    const cookie = [...browser.jar].map(([k, v]) => `${k}=${v}`).join('; ');
    const paths = ['/session', `/tenants/${hub.tenantId}/devices`];
    const statuses = (lines: number) =>
      Promise.all(
        paths.map(
          (path) =>
            new Promise((resolve, reject) => {
              const credentials = Array.from({ length: lines }, () => [
                'Authorization',
                'Bearer x',
              ]);
              const headers = ['Host', new URL(hub.url).host, 'Cookie', cookie];
              get(
                `${hub.url}/console/api/v1${path}`,
                { headers: [...headers, ...credentials.flat()] },
                (answer) => resolve(answer.resume().statusCode),
              ).once('error', reject);
            }),
        ),
      );
    expect(await statuses(0)).toEqual([200, 200]);
    expect(await statuses(2)).toEqual([401, 401]);
  });

  it('requires the CSRF token for writes, and ends at sign-out', async () => {
    const user = await aPerson();
    const { browser } = await signIn(user.email, user.password);
    const session = (await (
      await browser.request('/console/api/v1/session')
    ).json()) as SessionAnswer;
    const url = `/console/api/v1/tenants/${hub.tenantId}/process-mappings`;
    const write = (csrf?: string) =>
      browser.request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(csrf ? { 'x-csrf-token': csrf } : {}) },
        body: JSON.stringify({ process_name: randomUUID(), match: 'exact', application_name: 'A' }),
      });
    expect((await write()).status).toBe(403);
    expect((await write('wrong')).status).toBe(403);
    expect((await write(session.csrf_token)).status).toBe(201);
    const out = await browser.request('/console/api/v1/session', {
      method: 'DELETE',
      headers: { 'x-csrf-token': session.csrf_token },
    });
    expect(out.status).toBe(200);
    expect((await browser.request(url)).status).toBe(401);
  });

  it('opens nothing after the user is disabled', async () => {
    const user = await aPerson();
    const { browser } = await signIn(user.email, user.password);
    const url = `/console/api/v1/tenants/${hub.tenantId}/devices`;
    expect((await browser.request(url)).status).toBe(200);
    await disableUser(hub.context.database.db, hub.tenantId, user.userId);
    expect((await browser.request(url)).status).toBe(403);
  });
});

describe('roles', () => {
  const write = {
    match: { name: 'x' },
    approval_status: 'approved',
    execution_policy: 'allow',
    scope: { kind: 'tenant' },
  };
  it('allows a Viewer to read, a Reviewer to decide, and a Member nothing', async () => {
    const expected = {
      Member: [403, 403],
      Viewer: [200, 403],
      Reviewer: [200, 201],
      Admin: [200, 201],
    } as const;
    for (const role of ['Member', 'Viewer', 'Reviewer', 'Admin'] as const) {
      const token = await hub.tokenFor(role);
      const read = await hub.console('GET', '/overrides', { token });
      const decided = await hub.console('POST', '/overrides', { token, body: write });
      expect([role, read.status, decided.status]).toEqual([role, ...expected[role]]);
    }
  });
});

describe('administrator tokens', () => {
  it('rejects unsigned, foreign, misdirected and broken tokens', async () => {
    const claims = { tenantIds: [hub.tenantId], role: 'Admin' };
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setSubject('x')
      .setIssuer(`${hub.url}/auth`)
      .setAudience(hub.url)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a'.repeat(32)));
    const [header, payload] = hub.adminToken.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    for (const token of [
      forged,
      `${none}.${payload}.`,
      `${header}.${payload}.AAAA`,
      'abc',
      `${hub.adminToken}x`,
    ]) {
      const answer = await hub.console('GET', '/devices', { token });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_token']);
    }
    expect(
      (await call(`${hub.url}/console/api/v1/tenants/${hub.tenantId}/devices`, 'GET', {})).body
        .error.code,
    ).toBe('unauthenticated');
  });
});

describe('another tenant', () => {
  it('isolates tenants, and does not reveal what exists', async () => {
    const device = aDevice();
    const entity = anEntity('secret-tool');
    const alert = anAlert();
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [entity]),
    });
    await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts: [alert] } });
    const made = await hub.console('POST', '/overrides', {
      body: {
        match: { name: 'x' },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
      },
    });
    const overrideId = made.body.override.override_id;
    const other = await hub.newTenant('Other');
    const as = { tenantId: other.tenantId, token: other.adminToken };
    const paths = (id: {
      device: string;
      entity: string;
      alert: string;
      override: string;
    }): [string, string, unknown?][] => [
      ['GET', `/devices/${id.device}`],
      ['GET', `/devices/${id.device}/entities`],
      ['GET', `/discovered-apps/${id.entity}`],
      ['POST', `/alerts/${id.alert}/acknowledge`],
      ['GET', `/overrides/${id.override}`],
      ['PATCH', `/overrides/${id.override}`, { reason: 'mine now' }],
      ['DELETE', `/overrides/${id.override}`],
    ];
    const mine = paths({
      device: device.device_id,
      entity: entity.entity_id,
      alert: alert.alert_id,
      override: overrideId,
    });
    const unknown = paths({
      device: randomUUID(),
      entity: 'f'.repeat(64),
      alert: randomUUID(),
      override: randomUUID(),
    });
    for (const [i, [method, path, body]] of mine.entries()) {
      const headers = { 'if-match': '"1"', 'x-request-id': 'same' };
      const foreign = await hub.console(method, path, { ...as, headers, body });
      const nothing = await hub.console(method, unknown[i]?.[1] ?? '', { ...as, headers, body });
      expect([foreign.status, foreign.body]).toEqual([404, nothing.body]);
      const wrongTenant = await hub.console(method, path, {
        token: other.adminToken,
        headers,
        body,
      });
      expect([wrongTenant.status, wrongTenant.body.error.code]).toEqual([403, 'forbidden']);
    }
    for (const list of [
      '/devices',
      '/discovered-apps',
      '/alerts',
      '/activity',
      '/overrides',
      '/unknown-processes',
      '/process-mappings',
    ]) {
      expect((await hub.console('GET', list, as)).body.items).toEqual([]);
    }
    const still = await hub.console('GET', `/overrides/${overrideId}`);
    expect([still.status, still.body.override.reason]).toEqual([200, null]);
    const noSuchTenant = await hub.console('GET', '/devices', { tenantId: randomUUID() });
    expect(noSuchTenant.body.error.code).toBe('forbidden');
  });

  it('answers 404 for a nonexistent tenant of a token, events included', async () => {
    const tenantId = randomUUID();
    const as = { tenantId, token: await hub.tokenFor('Admin', tenantId) };
    for (const path of ['/events', '/own/events', '/devices', '/audit']) {
      const answer = await hub.console('GET', path, as);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'not_found']);
    }
    const body = { name: 'Nowhere' };
    expect((await hub.console('POST', '/device-groups', { ...as, body })).status).toBe(404);
  });
});
