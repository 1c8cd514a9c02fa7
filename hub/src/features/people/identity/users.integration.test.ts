// Administrators list and change users and their sessions; users see their own sessions.
import type { SessionRow } from '@gatewarden/shared/wire/console/users.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPerson,
  type CookieBrowser,
  csrfOf,
  signInAs,
} from '../../../../../test/support/cookie-browser.ts';
import { eventsOf, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const tenant = () => `/console/api/v1/tenants/${hub.tenantId}`;

async function patch(
  userId: string,
  body: object,
  over: { tenantId?: string; token?: string } = {},
) {
  const { headers } = await hub.console('GET', `/users/${userId}`, over);
  const etag = headers.get('etag') ?? '';
  return hub.console('PATCH', `/users/${userId}`, { ...over, body, headers: { 'if-match': etag } });
}

const auditOf = (userId: string) => eventsOf(hub, userId);

async function ownSessions(browser: CookieBrowser) {
  const answer = await browser.request(`${tenant()}/own/sessions`);
  const { items = [] } = (await answer.json()) as { items?: SessionRow[] };
  return { status: answer.status, items };
}

describe('users', () => {
  it('lists users with role, last sign-in and open sessions, searched by address', async () => {
    const user = await aPerson(hub, 'Reviewer');
    const find = async (query: string) =>
      (await hub.console('GET', `/users?${new URLSearchParams({ query })}`)).body.items;
    expect(await find(user.email.slice(3, 20).toUpperCase())).toMatchObject([
      { email: user.email, role: 'Reviewer', state: 'enabled', last_sign_in_at: null, sessions: 0 },
    ]);
    await signInAs(hub, user);
    expect(await find(user.email)).toMatchObject([
      { last_sign_in_at: expect.any(String), sessions: 1 },
    ]);
    const viewers = await hub.console('GET', '/users?role=Viewer');
    expect(viewers.body.items).toEqual([]);
    const page = await hub.console('GET', '/users?limit=1');
    expect(page.body.items).toHaveLength(1);
  });

  it('changes a role from the next request on, by version and with an audit event', async () => {
    const user = await aPerson(hub, 'Viewer');
    const { browser } = await signInAs(hub, user);
    const decide = async () => {
      const { status } = await browser.request(`${tenant()}/overrides/preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': await csrfOf(browser) },
        body: JSON.stringify({
          match: { name: 'x' },
          approval_status: 'approved',
          execution_policy: 'allow',
          scope: { kind: 'tenant' },
        }),
      });
      return status;
    };
    expect(await decide()).toBe(403);
    const changed = await patch(user.userId, { role: 'Reviewer' });
    expect([changed.status, changed.body.user.role]).toEqual([200, 'Reviewer']);
    expect(await decide()).toBe(200);
    const stale = await hub.console('PATCH', `/users/${user.userId}`, {
      body: { role: 'Admin' },
      headers: { 'if-match': '"1"' },
    });
    expect([stale.status, stale.body.error.code]).toEqual([412, 'precondition_failed']);
    expect((await auditOf(user.userId)).at(-1)).toMatchObject({
      operation: 'user.role',
      detail: { before: { role: 'Viewer' }, after: { role: 'Reviewer' } },
    });
    const same = await patch(user.userId, { role: 'Reviewer' });
    expect(same.body.user.version).toBe(changed.body.user.version);
  });

  it('disables and enables a user', async () => {
    const user = await aPerson(hub, 'Viewer');
    const { browser } = await signInAs(hub, user);
    await patch(user.userId, { disabled: true });
    expect((await browser.request(`${tenant()}/devices`)).status).toBe(403);
    await patch(user.userId, { disabled: false });
    expect((await browser.request(`${tenant()}/devices`)).status).toBe(401);
    const again = await signInAs(hub, user);
    expect((await again.browser.request(`${tenant()}/devices`)).status).toBe(200);
    const operations = (await auditOf(user.userId)).map((event) => event.operation);
    expect(operations).toEqual(['user.create', 'user.disable', 'user.enable']);
  });

  it('keeps an administrator when two demote each other simultaneously', async () => {
    const other = await hub.newTenant('Two');
    const over = { tenantId: other.tenantId, token: other.adminToken };
    const [first, two] = [
      await aPerson(hub, 'Admin', other.tenantId),
      await aPerson(hub, 'Admin', other.tenantId),
    ];
    const answers = await Promise.all([
      patch(first.userId, { role: 'Viewer' }, over),
      patch(two.userId, { disabled: true }, over),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const refused = answers.find((answer) => answer.status === 409);
    expect(refused?.body.error.code).toBe('last_administrator');
  });

  it('serves administrators only', async () => {
    for (const role of ['Member', 'Viewer', 'Reviewer'] as const) {
      const token = await hub.tokenFor(role);
      for (const path of ['/users', '/sessions', '/login-provider']) {
        expect([role, path, (await hub.console('GET', path, { token })).status]).toEqual([
          role,
          path,
          403,
        ]);
      }
    }
  });
});

describe('sessions', () => {
  it("lists and ends a user's own sessions, whose next request is rejected", async () => {
    const user = await aPerson(hub, 'Member');
    const here = (await signInAs(hub, user)).browser;
    const there = (await signInAs(hub, user)).browser;
    const { items } = await ownSessions(here);
    expect(items.map((session) => session.current).sort()).toEqual([false, true]);
    const other = items.find((session) => !session.current);
    const end = (id: string, csrf: string) =>
      here.request(`${tenant()}/own/sessions/${id}`, {
        method: 'DELETE',
        headers: { 'x-csrf-token': csrf },
      });
    const csrf = await csrfOf(here);
    expect((await end(other?.session_id ?? '', csrf)).status).toBe(200);
    expect((await ownSessions(there)).status).toBe(401);
    expect((await ownSessions(here)).items).toHaveLength(1);
    expect((await end(other?.session_id ?? '', csrf)).status).toBe(404);
    const stranger = await signInAs(hub, await aPerson(hub, 'Admin'));
    const [foreign] = (await ownSessions(stranger.browser)).items;
    expect((await end(foreign?.session_id ?? '', csrf)).status).toBe(404);
    expect((await auditOf(user.userId)).at(-1)).toMatchObject({ operation: 'session.end' });
  });

  it('lets an administrator end sessions and event streams of others', async () => {
    const user = await aPerson(hub, 'Viewer');
    const { browser } = await signInAs(hub, user);
    const stream = await browser.request(`${tenant()}/events`);
    const { items } = (await hub.console('GET', `/sessions?user_id=${user.userId}`)).body;
    expect(items).toMatchObject([{ email: user.email, user_id: user.userId, current: false }]);
    await hub.console('DELETE', `/sessions/${items[0].session_id}`);
    expect((await browser.request(`${tenant()}/devices`)).status).toBe(401);
    expect(await stream.text()).toContain('hello');
    expect(JSON.stringify(items)).not.toMatch(/hash|csrf/);
  });
});

it('shows how users sign in, without a secret', async () => {
  const { body } = await hub.console('GET', '/login-provider');
  expect(body.provider).toMatchObject({
    kind: 'embedded',
    issuer: `${hub.url}/auth`,
    redirect_uri: `${hub.url}/console/sign-in/callback`,
    has_client_secret: false,
    session_hours: 12,
  });
});

it('rejects new users who would need an initial password', async () => {
  const body = { email: 'new@example.com', role: 'Viewer' };
  const answer = await hub.console('POST', '/users', { body });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'embedded_accounts']);
});

describe('audit trail', () => {
  it('filters by user, action, object and time, for administrators only', async () => {
    const { tenantId, adminToken: token } = await hub.newTenant('Audited');
    const call = (method: string, path: string, body?: object) =>
      hub.console(method, path, { tenantId, token, ...(body === undefined ? {} : { body }) });
    const decided = await call('POST', '/overrides', {
      match: { name: 'x' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
      reason: '=HYPERLINK("http://x")',
    });
    const { override_id: overrideId } = decided.body.override;
    await call('PUT', '/device-settings', { stale_after_hours: 99 });
    const list = async (query: string) => (await call('GET', `/audit${query}`)).body.items;
    const [settings, decision] = await list('');
    expect(settings).toMatchObject({
      operation: 'device_settings.update',
      detail: { after: { stale_after_hours: 99 } },
    });
    expect(decision).toMatchObject({
      operation: 'override.create',
      actor: { kind: 'admin_token', email: 'admin@example.com' },
      resource: { kind: 'override', id: overrideId },
      request_id: decided.body.request_id,
    });
    const found = async (query: string) =>
      (await list(query)).map((event: { operation: string }) => event.operation);
    const both = ['device_settings.update', 'override.create'];
    expect(await found('?actor=Admin@Example.com')).toEqual(both);
    expect(await found('?actor=Admin@Example.com&sort=time')).toEqual(both.toReversed());
    expect(await found('?actor=nobody@example.com')).toEqual([]);
    expect(await found('?operation=override.*')).toEqual(['override.create']);
    expect(await found('?operation=override')).toEqual([]);
    expect(await found(`?resource_kind=override&resource_id=${overrideId}`)).toEqual([
      'override.create',
    ]);
    const at = encodeURIComponent(settings.at);
    expect((await found(`?to=${at}`))[0]).toBe('override.create');
    expect(await found(`?from=2999-01-01T00:00:00Z`)).toEqual([]);
    const first = await call('GET', '/audit?limit=1');
    expect(await found(`?limit=1&cursor=${first.body.next_cursor}`)).toEqual(['override.create']);
    const other = await call('GET', `/audit?operation=x&cursor=${first.body.next_cursor}`);
    expect(other.body.error.code).toBe('invalid_cursor');

    const answer = await call('GET', `/audit/${decision.event_id}`);
    expect(answer.body.event).toEqual(decision);
    const csv = await call('GET', '/audit/download?format=csv&operation=override.*');
    expect(String(csv.body).trimEnd().split('\r\n')[1]).toMatch(
      /^"[^"]+","admin@example.com","admin_token","override.create","override"/,
    );
    const json = await call('GET', '/audit/download?format=json');
    expect(json.body.slice(0, 2)).toEqual([settings, decision]);

    const reviewer = await hub.tokenFor('Reviewer', tenantId);
    for (const path of ['/audit', '/audit/download?format=csv', `/audit/${decision.event_id}`]) {
      expect((await hub.console('GET', path, { tenantId, token: reviewer })).status).toBe(403);
      expect((await hub.console('GET', path)).body).not.toMatchObject({
        event: { event_id: decision.event_id },
      });
    }
  });
});
