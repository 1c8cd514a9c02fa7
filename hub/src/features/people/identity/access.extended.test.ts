// Access to a tenant begins and ends: invitations, sessions of a single tenant, disabling, and sign-ins without a
// remembered session.
import { randomUUID } from 'node:crypto';
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBrowser,
  aPerson,
  type CookieBrowser,
  csrfOf,
  loginForm,
  type Person,
  signInAs,
} from '../../../../../test/support/cookie-browser.ts';
import { eventsOf, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { scimCall } from '../../../../../test/support/scim.ts';
import { createUser } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

const statusIn = async (browser: CookieBrowser, tenantId: string, path = '/devices') =>
  (await browser.request(`/console/api/v1/tenants/${tenantId}${path}`)).status;

const tenantsOf = async (browser: CookieBrowser) => {
  const answer = await browser.request('/console/api/v1/session');
  return ((await answer.json()) as SessionAnswer).tenants.map((tenant) => tenant.tenant_id);
};

const inTenant = ({ tenantId, adminToken: token }: Tenant) => ({ tenantId, token });

/** A directory of the tenant adds somebody by e-mail address. */
async function provision(tenant: Tenant, email: string): Promise<void> {
  const made = await hub.console('POST', '/scim-tokens', {
    ...inTenant(tenant),
    body: { name: 'directory', expires_in_days: 30 },
  });
  const answer = await scimCall({ url: hub.url, secret: made.body.secret }, 'POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: email,
    emails: [{ value: email, primary: true }],
    roles: [{ value: 'Viewer' }],
  });
  expect(answer.status).toBe(201);
}

async function answerInvitation(
  browser: CookieBrowser,
  answer: 'join' | 'later',
  tenant: string,
): Promise<Response> {
  return browser.request('/console/sign-in/invitations', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf: await csrfOf(browser), answer, tenant }).toString(),
  });
}

describe('membership in a second tenant', () => {
  it('opens nothing, and shows nothing to its administrators, until the person accepts', async () => {
    const person = await aPerson(hub, 'Viewer');
    const other = await hub.newTenant('Stranger & Sons');
    await provision(other, person.email);
    const { browser, at, response } = await signInAs(hub, person);
    expect(new URL(at).pathname).toBe('/console/sign-in/invitations');
    expect(await response.text()).toContain('Stranger &amp; Sons');
    expect(await tenantsOf(browser)).toEqual([hub.tenantId]);
    expect(await statusIn(browser, other.tenantId)).toBe(403);
    const sessions = await hub.console('GET', '/sessions', inTenant(other));
    expect(sessions.body.items).toEqual([]);
    const users = await hub.console('GET', '/users', inTenant(other));
    expect(users.body.items).toMatchObject([{ last_sign_in_at: null, sessions: 0 }]);

    expect((await answerInvitation(browser, 'later', other.tenantId)).status).toBe(303);
    expect(await statusIn(browser, other.tenantId)).toBe(403);
    expect((await answerInvitation(browser, 'join', other.tenantId)).status).toBe(303);
    expect(await statusIn(browser, other.tenantId)).toBe(200);
    const [user] = (await hub.console('GET', '/users', inTenant(other))).body.items;
    expect((await eventsOf(hub, user.user_id)).at(-1)).toMatchObject({ operation: 'user.accept' });
  });

  it('requires the CSRF token of the session to accept', async () => {
    const person = await aPerson(hub, 'Viewer');
    const other = await hub.newTenant('Other');
    await provision(other, person.email);
    const { browser } = await signInAs(hub, person);
    const answer = await browser.request('/console/sign-in/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf: 'x', answer: 'join', tenant: other.tenantId }).toString(),
    });
    expect(answer.status).toBe(403);
    expect(await statusIn(browser, other.tenantId)).toBe(403);
  });

  it('needs no consent if the operator adds it', async () => {
    const person = await aPerson(hub, 'Viewer');
    const other = await hub.newTenant('Other');
    const { email } = person;
    const added = { tenantId: other.tenantId, email, role: 'Viewer' as const, password: null };
    await createUser(hub.context.database.db, added);
    const { browser, at } = await signInAs(hub, person);
    expect(at).toBe(`${hub.url}/console/`);
    expect(await statusIn(browser, other.tenantId)).toBe(200);
  });
});

describe('session in two tenants', () => {
  async function inTwo() {
    const person = await aPerson(hub, 'Viewer');
    const other = await hub.newTenant('Other');
    const user = { tenantId: other.tenantId, role: 'Viewer' as const, password: null };
    const { user_id: otherId } = await createUser(hub.context.database.db, {
      ...user,
      email: person.email,
    });
    const { browser } = await signInAs(hub, person);
    return { person, other, otherId, browser };
  }

  it('appears in a tenant only after its first use there', async () => {
    const { person, other, browser } = await inTwo();
    const listed = async () =>
      (await hub.console('GET', '/sessions', inTenant(other))).body.items.length;
    expect(await statusIn(browser, hub.tenantId)).toBe(200);
    expect(await listed()).toBe(0);
    expect(await statusIn(browser, other.tenantId)).toBe(200);
    expect(await listed()).toBe(1);
    const { body } = await hub.console('GET', `/sessions?user_id=${person.userId}`);
    expect(body.items).toMatchObject([{ source_address: '127.0.0.1' }]);
  });

  it('ends in the tenant whose administrator ends it, and goes on in the other', async () => {
    const { other, browser } = await inTwo();
    await statusIn(browser, other.tenantId);
    const [session] = (await hub.console('GET', '/sessions', inTenant(other))).body.items;
    const ended = await hub.console('DELETE', `/sessions/${session.session_id}`, inTenant(other));
    expect(ended.status).toBe(200);
    expect(await statusIn(browser, other.tenantId)).toBe(401);
    expect(await tenantsOf(browser)).toEqual([hub.tenantId]);
    expect(await statusIn(browser, hub.tenantId)).toBe(200);
  });

  it('ends in the tenant where the person is disabled, and stays ended there', async () => {
    const { other, otherId, browser } = await inTwo();
    const patch = async (disabled: boolean) => {
      const { headers } = await hub.console('GET', `/users/${otherId}`, inTenant(other));
      const etag = headers.get('etag') ?? '';
      const body = { disabled };
      return hub.console('PATCH', `/users/${otherId}`, {
        ...inTenant(other),
        body,
        headers: { 'if-match': etag },
      });
    };
    expect(await statusIn(browser, other.tenantId)).toBe(200);
    await patch(true);
    expect(await statusIn(browser, other.tenantId)).toBe(403);
    await patch(false);
    expect(await statusIn(browser, other.tenantId)).toBe(401);
    expect(await statusIn(browser, hub.tenantId)).toBe(200);
  });
});

it('refuses an administrator’s token from before its person was disabled', async () => {
  const tenant = await hub.newTenant('Other');
  const email = 'admin@example.com';
  const user = { tenantId: tenant.tenantId, email, role: 'Viewer' as const, password: null };
  const { user_id: id } = await createUser(hub.context.database.db, user);
  const devices = async () => (await hub.console('GET', '/devices', inTenant(tenant))).status;
  expect(await devices()).toBe(200);
  const patch = async (disabled: boolean) => {
    const { headers } = await hub.console('GET', `/users/${id}`, inTenant(tenant));
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const token = await hub.tokenFor('Admin', tenant.tenantId);
    return hub.console('PATCH', `/users/${id}`, {
      ...inTenant(tenant),
      token,
      body: { disabled },
      headers: ifMatch,
    });
  };
  expect((await patch(true)).status).toBe(200);
  expect(await devices()).toBe(401);
  await hub.context.database.pool.query(
    'UPDATE members SET disabled_at = NULL WHERE user_id = $1',
    [id],
  );
  expect(await devices()).toBe(401);
});

describe('signing in again', () => {
  /** The address of a sign-in that does not ask for a fresh login. */
  async function authorizeWithoutPrompt(browser: CookieBrowser): Promise<string> {
    const answer = await browser.request('/console/sign-in');
    const url = new URL(answer.headers.get('location') ?? '');
    expect(url.searchParams.get('prompt')).toBe('login');
    url.searchParams.delete('prompt');
    return url.href;
  }

  const signOut = async (browser: CookieBrowser) =>
    browser.request('/console/api/v1/session', {
      method: 'DELETE',
      headers: { 'x-csrf-token': await csrfOf(browser) },
    });

  async function asksForPassword(browser: CookieBrowser, url: string): Promise<boolean> {
    const { response } = await browser.follow(url);
    return response.status === 200 && (await response.text()).includes('type="password"');
  }

  it('asks for the password after signing out, whatever cookies are kept', async () => {
    const person = await aPerson(hub, 'Viewer');
    const browser = aBrowser(hub);
    const form = await browser.follow('/console/sign-in');
    const next = await browser.request(form.at, loginForm(person));
    await browser.request(next.headers.get('location') ?? '');
    const kept = new Map(browser.jar);
    await browser.follow('/console/sign-in');
    await signOut((await signInAs(hub, person)).browser);
    for (const [name, value] of kept) browser.jar.set(name, value);
    expect(await asksForPassword(browser, await authorizeWithoutPrompt(browser))).toBe(true);
  });

  it('asks for the password while still signed in', async () => {
    const { browser } = await signInAs(hub, await aPerson(hub, 'Viewer'));
    expect(await asksForPassword(browser, await authorizeWithoutPrompt(browser))).toBe(true);
  });

  it('does not accept the same authorization twice', async () => {
    const person: Person = await aPerson(hub, 'Viewer');
    const browser = aBrowser(hub);
    const form = await browser.follow('/console/sign-in');
    const next = await browser.request(form.at, loginForm(person));
    const resume = next.headers.get('location') ?? '';
    const cookies = new Map(browser.jar);
    await browser.follow(resume);
    for (const [name, value] of cookies) browser.jar.set(name, value);
    browser.jar.delete('gw_session');
    await browser.follow(resume);
    expect((await browser.request('/console/api/v1/session')).status).toBe(401);
  });
});

describe('event stream', () => {
  const streamOf = (browser: CookieBrowser) =>
    browser.request(`/console/api/v1/tenants/${hub.tenantId}/events`);

  it('ends when its session signs out, with a reason', async () => {
    const { browser } = await signInAs(hub, await aPerson(hub, 'Viewer'));
    const stream = await streamOf(browser);
    await browser.request('/console/api/v1/session', {
      method: 'DELETE',
      headers: { 'x-csrf-token': await csrfOf(browser) },
    });
    expect(await stream.text()).toContain('event: closed\ndata: {"reason":"access_changed"}');
  });

  it('survives the end of another session of the same person', async () => {
    const person = await aPerson(hub, 'Viewer');
    const here = (await signInAs(hub, person)).browser;
    const there = (await signInAs(hub, person)).browser;
    const streams = [await streamOf(here), await streamOf(there)];
    await there.request('/console/api/v1/session', {
      method: 'DELETE',
      headers: { 'x-csrf-token': await csrfOf(there) },
    });
    expect(await streams[1]?.text()).toContain('event: closed');
    await hub.console('POST', '/process-mappings', {
      body: { process_name: randomUUID(), match: 'exact', application_name: 'A' },
    });
    const reader = streams[0]?.body?.getReader();
    let text = '';
    while (!text.includes('event: changed')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      expect(done).toBe(false);
      text += Buffer.from(value as Uint8Array).toString();
    }
    await reader?.cancel();
    expect(text).not.toContain('event: closed');
  });

  it('gives way to newer ones of its person beyond sixteen', async () => {
    const { browser } = await signInAs(hub, await aPerson(hub, 'Viewer'));
    const streams: Response[] = [];
    for (let i = 0; i < 18; i++) streams.push(await streamOf(browser));
    const ended = await Promise.all(streams.slice(0, 2).map((stream) => stream.text()));
    for (const text of ended) expect(text).toContain('data: {"reason":"too_many_streams"}');
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    expect(metrics).toMatch(/^gatewarden_event_streams 1[678]$/m);
    await Promise.all(streams.slice(2).map((stream) => stream.body?.cancel()));
  });
});
