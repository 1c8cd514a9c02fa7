// The operator changes roles, restores access and sets passwords on the command line; users change their own password.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBrowser,
  aPerson,
  type CookieBrowser,
  csrfOf,
  loginForm,
  signInAs,
} from '../../../../../test/support/cookie-browser.ts';
import { eventsOf, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { changeUser, createUser, disableUser } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const change = (userId: string, wanted: Parameters<typeof changeUser>[3], tenantId?: string) =>
  changeUser(hub.context.database.db, tenantId ?? hub.tenantId, userId, wanted);

/** The authorization URL without `prompt=login`. */
async function unasked(browser: CookieBrowser): Promise<string> {
  const { headers } = await browser.request('/console/sign-in');
  const at = new URL(headers.get('location') ?? '', hub.url);
  at.searchParams.delete('prompt');
  return at.href;
}

const trailOf = async (userId: string) =>
  (await eventsOf(hub, userId)).map((event) => event.operation);

test('restores an administrator from an enabled or disabled user', async () => {
  const person = await aPerson(hub, 'Viewer');
  const { browser } = await signInAs(hub, person);
  const users = async () =>
    (await browser.request(`/console/api/v1/tenants/${hub.tenantId}/users`)).status;
  expect(await users()).toBe(403);
  expect(await change(person.userId, { role: 'Admin' })).toMatchObject({
    email: person.email,
    role: 'Admin',
    disabled: false,
  });
  expect(await users()).toBe(200);
  await disableUser(hub.context.database.db, hub.tenantId, person.userId);
  expect(await users()).toBe(403);
  expect(await change(person.userId, { enable: true })).toMatchObject({ disabled: false });
  // The session from before is over; a new sign-in is not.
  expect(await users()).toBe(401);
  expect((await signInAs(hub, person)).at).toBe(`${hub.url}/console/`);
  expect(await trailOf(person.userId)).toEqual([
    'user.create',
    'user.role',
    'user.disable',
    'user.enable',
  ]);
  // Unchanged values are not recorded.
  await change(person.userId, { role: 'Admin', enable: true });
  expect(await trailOf(person.userId)).toHaveLength(4);
});

test('ends every session and sign-in of the user in all tenants after a new password', async () => {
  const person = await aPerson(hub, 'Admin');
  const other = await hub.newTenant('Other');
  const there = await createUser(hub.context.database.db, {
    tenantId: other.tenantId,
    email: person.email,
    role: 'Viewer',
    password: person.password,
  });
  const { browser } = await signInAs(hub, person);
  const devices = async (tenantId: string) =>
    (await browser.request(`/console/api/v1/tenants/${tenantId}/devices`)).status;
  expect([await devices(hub.tenantId), await devices(other.tenantId)]).toEqual([200, 200]);
  await change(person.userId, { password: 'another long password' });
  expect([await devices(hub.tenantId), await devices(other.tenantId)]).toEqual([401, 401]);
  const { response } = await browser.follow(await unasked(browser));
  expect(await response.text()).toContain('Password');
  expect((await signInAs(hub, person)).at).toContain('/auth/interaction/');
  const { at } = await signInAs(hub, { ...person, password: 'another long password' });
  expect(at).toBe(`${hub.url}/console/`);
  expect((await trailOf(person.userId)).at(-1)).toBe('user.password');
  expect((await trailOf(there.user_id)).at(-1)).toBe('user.password');
});

test('rejects a pending sign-in with the former password', async () => {
  const person = await aPerson(hub, 'Viewer');
  const waiting = aBrowser(hub);
  const form = await waiting.follow('/console/sign-in');
  const answered = await waiting.request(form.at, loginForm(person));
  expect(answered.status).toBe(303);
  await change(person.userId, { password: 'another long password' });
  await waiting.follow(answered.headers.get('location') ?? '');
  expect((await waiting.request('/console/api/v1/session')).status).toBe(401);
});

test('lets a provisioned user sign in after a password is set', async () => {
  const made = await createUser(hub.context.database.db, {
    tenantId: hub.tenantId,
    email: 'provisioned@example.com',
    role: 'Viewer',
    password: null,
  });
  const login = { email: made.email, password: 'a first password', userId: made.user_id };
  expect((await signInAs(hub, login)).at).toContain('/auth/interaction/');
  await change(made.user_id, { password: login.password });
  expect((await signInAs(hub, login)).at).toBe(`${hub.url}/console/`);
});

test('changes no user of another tenant, and rejects a short password', async () => {
  const person = await aPerson(hub, 'Viewer');
  const other = await hub.newTenant('Foreign');
  await expect(change(person.userId, { role: 'Admin' }, other.tenantId)).rejects.toThrow(
    'there is no user',
  );
  await expect(change(person.userId, { password: 'short', role: 'Admin' })).rejects.toThrow(
    '8 to 1024',
  );
  expect(await trailOf(person.userId)).toEqual(['user.create']);
});

async function ownPassword(browser: CookieBrowser, current: string, wanted: unknown) {
  const answer = await browser.request('/console/api/v1/session/password', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-csrf-token': await csrfOf(browser) },
    body: JSON.stringify({ current_password: current, new_password: wanted }),
  });
  const { error } = (await answer.json()) as { error?: { code: string; message: string } };
  return {
    status: answer.status,
    code: error?.code,
    retryAfter: answer.headers.get('retry-after'),
  };
}

test("changes a user's own password, keeps this session and ends others", async () => {
  const person = await aPerson(hub, 'Member');
  const here = (await signInAs(hub, person)).browser;
  const there = (await signInAs(hub, person)).browser;
  const session = async (browser: CookieBrowser) => {
    const answer = await browser.request('/console/api/v1/session');
    return [answer.status, ((await answer.json()) as { has_password?: boolean }).has_password];
  };
  expect(await session(here)).toEqual([200, true]);
  const wanted = 'quite another password';
  expect(await ownPassword(here, 'a wrong password', wanted)).toMatchObject({
    status: 400,
    code: 'invalid_request',
  });
  for (const short of ['', 'seven 7', 8, null]) {
    expect((await ownPassword(here, person.password, short)).status).toBe(400);
  }
  expect(await ownPassword(here, person.password, wanted)).toMatchObject({ status: 200 });
  expect([await session(here), await session(there)]).toEqual([
    [200, true],
    [401, undefined],
  ]);
  expect((await signInAs(hub, person)).at).toContain('/auth/interaction/');
  expect((await signInAs(hub, { ...person, password: wanted })).at).toBe(`${hub.url}/console/`);
  const given = (await eventsOf(hub, person.userId)).filter(
    (event) => event.operation === 'user.password',
  );
  expect(given).toMatchObject([
    {
      actor: { kind: 'person', id: person.userId, email: person.email },
      detail: { email: person.email },
    },
  ]);
  expect(JSON.stringify(given)).not.toContain(wanted);
});

test('limits password guesses within a session, and requires the CSRF token', async () => {
  const person = await aPerson(hub, 'Viewer');
  const { browser } = await signInAs(hub, person);
  const unsigned = await browser.request('/console/api/v1/session/password', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ current_password: person.password, new_password: 'a new password' }),
  });
  expect(unsigned.status).toBe(403);
  const tries = [];
  for (let i = 0; i < 12; i++)
    tries.push(await ownPassword(browser, `guess ${i}`, 'a new password'));
  expect(tries.slice(0, 10).map((attempt) => attempt.status)).toEqual(
    Array.from({ length: 10 }, () => 400),
  );
  expect(tries.at(-1)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(Number(tries.at(-1)?.retryAfter)).toBeGreaterThan(0);
  const nobody = await fetch(`${hub.url}/console/api/v1/session/password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"current_password":"a","new_password":"a new password"}',
  });
  expect(nobody.status).toBe(401);
});

test("rejects a password change after the user's only access was disabled", async () => {
  const person = await aPerson(hub, 'Viewer');
  const { browser } = await signInAs(hub, person);
  const { pool } = hub.context.database;
  await pool.query(
    'UPDATE members SET disabled_at = now(), access_valid_from = now() WHERE user_id = $1',
    [person.userId],
  );
  expect(await ownPassword(browser, person.password, 'a new password')).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  });
});
