// Invitations: a link gives an address a role once; an account that exists is joined by signing in, never by a new password.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBrowser, aPerson, csrfOf, signInAs } from '../../../../../test/support/cookie-browser.ts';
import {
  eventsOf,
  sharedTestHub,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { openSmtpSink, reaching } from '../../../../../test/support/sinks.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const PASSWORD = 'a long enough password';
type As = { tenantId?: string; token?: string };

async function invite(email: string, role = 'Reviewer', as: As = {}) {
  const { status, body } = await hub.console('POST', '/invitations', {
    ...as,
    body: { email, role },
  });
  expect([status, body.is_mailed]).toEqual([201, false]);
  return { id: body.invitation.invitation_id as string, link: body.link as string };
}

const openInvitations = async (as: As = {}) =>
  (await hub.console('GET', '/invitations', as)).body.items;

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

async function tenantsOf(browser: ReturnType<typeof aBrowser>): Promise<object[]> {
  const session = await browser.request('/console/api/v1/session');
  return ((await session.json()) as { tenants: object[] }).tenants;
}

it('lets a new user set a password once, and gives the role', async () => {
  const email = 'New@example.com';
  const { id, link } = await invite(email);
  expect(await openInvitations()).toMatchObject([
    {
      invitation_id: id,
      email,
      role: 'Reviewer',
      state: 'pending',
      created_by: 'admin@example.com',
    },
  ]);
  const browser = aBrowser(hub);
  const page = await (await browser.request(link)).text();
  expect(page).toContain('Choose a password');
  expect(page).toContain(email);
  const short = await browser.request(link, form({ password: 'short' }));
  expect([short.status, await short.text()]).toEqual([400, expect.stringContaining('at least 8')]);
  const accepted = await browser.request(link, form({ password: PASSWORD }));
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/console/sign-in']);
  const { browser: signedIn } = await signInAs(hub, { email, password: PASSWORD });
  expect(await tenantsOf(signedIn)).toMatchObject([{ tenant_id: hub.tenantId, role: 'Reviewer' }]);
  for (const again of [
    await browser.request(link),
    await browser.request(link, form({ password: PASSWORD })),
  ]) {
    expect(again.status).toBe(404);
  }
  expect(await openInvitations()).toEqual([]);
  const [invited] = await eventsOf(hub, id);
  expect(invited).toMatchObject({ operation: 'invitation.create' });
});

it('stores a hash of the token alone', async () => {
  const { id, link } = await invite('hashed@example.com');
  const token = new URL(link).searchParams.get('token') ?? '';
  const { rows } = await hub.context.database.pool.query(
    'SELECT token_hash, row_to_json(i)::text AS stored FROM user_invitations i WHERE invitation_id = $1',
    [id],
  );
  expect(rows[0].token_hash).toEqual(hashSecret(token));
  expect(rows[0].stored).not.toContain(token);
});

it('lets a user with an account join after signing in, and sets no password', async () => {
  const person = await aPerson(hub, 'Viewer');
  const other = await hub.newTenant('Joined');
  const as = { tenantId: other.tenantId, token: other.adminToken };
  const { link } = await invite(person.email, 'Viewer', as);
  const page = await (await aBrowser(hub).request(link)).text();
  expect(page).toContain('Sign in with this e-mail address');
  await aBrowser(hub).request(link, form({ password: 'another long password' }));
  const path = link.slice(hub.url.length);
  const { browser, at } = await signInAs(hub, person, path);
  expect(new URL(at, hub.url).href).toBe(link);
  expect((await browser.request(link, form({}))).status).toBe(403);
  expect(await tenantsOf(browser)).toHaveLength(1);
  const joined = await browser.request(link, form({ csrf: await csrfOf(browser) }));
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/console/']);
  expect(await tenantsOf(browser)).toHaveLength(2);
});

it('refuses the link of a replaced, a revoked and an expired invitation', async () => {
  const email = 'late@example.com';
  const statusOf = async (link: string) => (await aBrowser(hub).request(link)).status;
  const replaced = await invite(email);
  const revoked = await invite(email);
  expect(await statusOf(replaced.link)).toBe(404);
  expect(await statusOf(revoked.link)).toBe(200);
  expect((await hub.console('DELETE', `/invitations/${revoked.id}`)).status).toBe(200);
  expect(await statusOf(revoked.link)).toBe(404);
  expect((await hub.console('DELETE', `/invitations/${revoked.id}`)).status).toBe(404);
  const expired = await invite(email);
  await hub.context.database.pool.query(
    "UPDATE user_invitations SET expires_at = now() - interval '1 second' WHERE invitation_id = $1",
    [expired.id],
  );
  expect(await statusOf(expired.link)).toBe(404);
  const { state } = (await openInvitations()).find(
    (item: { invitation_id: string }) => item.invitation_id === expired.id,
  );
  expect(state).toBe('expired');
});

it('accepts no other tenant with an account that an invitation created, unless by its own link', async () => {
  const email = 'unverified@example.com';
  const first = await invite(email, 'Member');
  await aBrowser(hub).request(first.link, form({ password: PASSWORD }));
  const other = await hub.newTenant('Directory');
  // A directory adds the same address, as SCIM does.
  await hub.context.database.pool.query(
    `INSERT INTO members (tenant_id, user_id, email, email_folded, role)
     VALUES ($1, gen_random_uuid(), $2, $2, 'Admin')`,
    [other.tenantId, email],
  );
  const { browser, at } = await signInAs(hub, { email, password: PASSWORD });
  expect(at).toBe(`${hub.url}/console/`);
  const answer = form({ csrf: await csrfOf(browser), answer: 'join', tenant: other.tenantId });
  await browser.request('/console/sign-in/invitations', answer);
  expect(await tenantsOf(browser)).toMatchObject([{ tenant_id: hub.tenantId }]);
});

it('mails the link, and reports a mail that the server refuses', async () => {
  const smtp = await openSmtpSink();
  const own = await startTestHub(reaching(hub.config, smtp));
  smtp.refused.add('refused@example.com');
  try {
    const mailed = async (email: string) => {
      const body = { email, role: 'Viewer' };
      return (await own.console('POST', '/invitations', { body })).body;
    };
    const { link, is_mailed: isMailed } = await mailed('mailed@example.com');
    expect(isMailed).toBe(true);
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(['mailed@example.com']);
    expect(mail?.text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(link);
    expect((await mailed('refused@example.com')).is_mailed).toBe(false);
  } finally {
    await own.stop();
    await smtp.close();
  }
});

it('invites no user twice, keeps reviewers away and other tenants apart', async () => {
  const person = await aPerson(hub, 'Viewer');
  const twice = await hub.console('POST', '/invitations', {
    body: { email: person.email.toUpperCase(), role: 'Admin' },
  });
  expect([twice.status, twice.body.error.code]).toEqual([409, 'already_exists']);
  const { id } = await invite('apart@example.com');
  const { tenantId, adminToken } = await hub.newTenant('Apart');
  const as = { tenantId, token: adminToken };
  expect(await openInvitations(as)).toEqual([]);
  expect((await hub.console('DELETE', `/invitations/${id}`, as)).status).toBe(404);
  const reviewer = { token: await hub.tokenFor('Reviewer') };
  expect((await hub.console('GET', '/invitations', reviewer)).status).toBe(403);
});
