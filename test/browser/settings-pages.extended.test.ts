// The settings: people and roles, sessions, enrolment, sign-in and retention, the hub's health.
import { randomUUID } from 'node:crypto';
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, type Opened, openPage, signedIn, signIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
let admin: Opened;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  admin = await signedIn(browser, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const rowOf = (email: string) => admin.page.getByTestId('user-row').filter({ hasText: email });

describe('people', () => {
  it("changes a user's role, which their open page follows without a reload", async () => {
    const person = await aPerson(hub, 'Viewer');
    const userPage = await openPage(browser);
    await signIn(userPage.page, hub, person, `/t/${hub.tenantId}/settings/log-export`);
    await userPage.page.getByText('Live', { exact: true }).waitFor();
    expect(await userPage.page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);

    await goTo(admin.page, hub, 'settings/users?role=Viewer');
    await rowOf(person.email)
      .getByRole('button', { name: /^Change role/ })
      .click();
    await admin.page.getByRole('radio', { name: /^Admin/ }).check();
    await admin.page.getByRole('button', { name: 'Change role', exact: true }).last().click();
    await rowOf(person.email).waitFor({ state: 'detached' });
    await userPage.page.getByRole('link', { name: 'Notifications' }).waitFor();
    await userPage.context.close();
  });

  it('lists users who never signed in, and links each to their page', async () => {
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), [anEntity('curl')]),
      headers: { 'x-subscriber-id': 'device-only@example.com' },
    });
    const { page } = admin;
    await goTo(page, hub, 'settings/users?kind=device');
    const row = rowOf('device-only@example.com');
    await row.getByText('Device user').waitFor();
    await row.getByText('No console access').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove filter: Type' }).click();
    await page.getByTestId('user-row').filter({ hasText: 'Console user' }).first().waitFor();
    await row.getByRole('link', { name: 'device-only@example.com' }).click();
    await page.waitForURL('**/users/device-only%40example.com');
  });

  it('shows the role that a user has from a group apart from an assigned role', async () => {
    const person = await aPerson(hub, 'Viewer');
    const userPage = await openPage(browser);
    await signIn(userPage.page, hub, person, `/t/${hub.tenantId}/settings/log-export`);
    await userPage.page.getByText('Live', { exact: true }).waitFor();
    await goTo(admin.page, hub, 'settings/users/groups');
    await admin.page.getByRole('button', { name: 'Create group' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Security team');
    await dialog.getByRole('textbox', { name: 'Members' }).fill(person.email);
    await dialog.getByLabel('Member role').selectOption('Admin');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    const group = admin.page.getByTestId('people-group-row').filter({ hasText: 'Security team' });
    await group.getByText('Admin', { exact: true }).waitFor();
    await userPage.page.getByRole('link', { name: 'Notifications' }).waitFor();

    await goTo(admin.page, hub, `settings/users?query=${person.email}`);
    await rowOf(person.email).getByText('from a group; assigned: Viewer').waitFor();
    await rowOf(person.email)
      .getByRole('button', { name: /^Change role/ })
      .click();
    await dialog.getByText(/A user group gives this user the Admin role/).waitFor();
    await dialog.getByRole('radio', { name: /^Reviewer/ }).check();
    await dialog.getByRole('button', { name: 'Change role', exact: true }).last().click();
    await rowOf(person.email).getByText('from a group; assigned: Reviewer').waitFor();

    await goTo(admin.page, hub, 'settings/users/groups');
    await group.getByRole('button', { name: /^Edit user group/ }).click();
    await dialog
      .getByLabel('Member role')
      .selectOption({ label: 'None (each user keeps their own role)' });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await userPage.page.getByRole('link', { name: 'Notifications' }).waitFor({ state: 'detached' });
    await userPage.context.close();
  });

  it("disables and re-enables users, and offers neither in the user's own row", async () => {
    const person = await aPerson(hub, 'Reviewer');
    await goTo(admin.page, hub, `settings/users?query=${person.email}`);
    await rowOf(person.email)
      .getByRole('button', { name: /^Disable/ })
      .click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await rowOf(person.email).getByText('Disabled').waitFor();
    await rowOf(person.email)
      .getByRole('button', { name: /^Re-enable / })
      .click();
    await rowOf(person.email).getByText('Active').waitFor();
    await goTo(admin.page, hub, 'settings/users');
    const own = admin.page.getByTestId('user-row').filter({ hasText: 'you' });
    expect(await own.getByRole('button', { name: /Disable|role/ }).count()).toBe(0);
  });

  it("changes a user's own password, and ends their other sessions", async () => {
    const person = await aPerson(hub, 'Member');
    const userPage = await openPage(browser);
    await signIn(userPage.page, hub, person, `/t/${hub.tenantId}/my/sessions`);
    const elsewhere = await openPage(browser);
    await signIn(elsewhere.page, hub, person, `/t/${hub.tenantId}/my/sessions`);
    const form = userPage.page.getByRole('region', { name: 'Password' });
    await form.getByLabel('Current password').fill('a wrong password');
    await form.getByLabel('New password').fill('short');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByText('Enter at least 8 characters').waitFor();
    await form.getByLabel('New password').fill('quite another password');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByText('The current password is incorrect').waitFor();
    await form.getByLabel('Current password').fill(person.password);
    await form.getByRole('button', { name: 'Change password' }).click();
    await userPage.page.getByText('Password changed.').waitFor();
    expect(await form.getByLabel('New password').inputValue()).toBe('');
    await expect.poll(() => userPage.page.getByTestId('session-row').count()).toBe(1);
    await elsewhere.page.getByRole('link', { name: 'Sign in' }).waitFor();
    // The wrong guess is a 400 that Chromium writes down.
    expect(userPage.troubles.filter((trouble) => !trouble.includes('session/password'))).toEqual(
      [],
    );
    await userPage.context.close();
    await elsewhere.context.close();
  });

  it('leads users whose session an administrator ended to sign-in at once', async () => {
    const person = await aPerson(hub, 'Member');
    const userPage = await openPage(browser);
    await signIn(userPage.page, hub, person, `/t/${hub.tenantId}/my/sessions`);
    await userPage.page.getByTestId('session-row').getByText('this session').waitFor();
    await userPage.page.getByText('Live', { exact: true }).waitFor();
    await goTo(admin.page, hub, `settings/users?query=${person.email}`);
    await rowOf(person.email)
      .getByRole('button', { name: /^Sessions of/ })
      .click();
    const dialog = admin.page.getByRole('dialog', { name: /^Sessions of/ });
    await dialog.getByRole('button', { name: /^End session/ }).click();
    await admin.page
      .getByRole('dialog', { name: 'End this session?' })
      .getByRole('button', { name: 'End', exact: true })
      .click();
    await userPage.page.getByRole('link', { name: 'Sign in' }).waitFor();
    await userPage.context.close();
  });
});

it('invites a user, whose link sets a password and gives the role', async () => {
  const { page } = admin;
  await goTo(page, hub, 'settings/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const form = page.getByRole('dialog', { name: 'Invite a user' });
  await form.getByLabel('E-mail address').fill('ada@example.com');
  await form.getByLabel('Role').selectOption('Reviewer');
  await form.getByRole('button', { name: 'Invite user' }).click();
  const link = await form.getByLabel('Invitation link of ada@example.com').inputValue();
  await form.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('invitation-row').filter({ hasText: 'ada@example.com' }).waitFor();
  await expectSound(admin);
  const invited = await openPage(browser);
  await invited.page.goto(link);
  await expectSound(invited);
  await invited.page.getByLabel('Choose a password').fill('a long enough password');
  await invited.page.getByRole('button', { name: 'Set password and join' }).click();
  await invited.page.getByLabel('E-mail').fill('ada@example.com');
  await invited.page.getByLabel('Password').fill('a long enough password');
  await invited.page.getByRole('button', { name: 'Sign in' }).click();
  await invited.page.waitForURL(/\/console\/t\//);
  await invited.context.close();
  await rowOf('ada@example.com').getByText('Reviewer').waitFor();
});

it('creates an enrollment token that enrolls', async () => {
  const { page } = admin;
  await goTo(page, hub, 'devices/add');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Berlin <b>laptops</b>');
  await page.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.getByLabel('Enrollment token', { exact: true }).inputValue();
  const enrolled = await deviceCall({ ...hub, agentToken: secret }, 'POST', '/ea/v1/enroll', {
    body: { device: aDevice(), subscriber_id: 'alice' },
  });
  expect(enrolled.status).toBe(201);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('agent-token-row').filter({ hasText: 'Berlin <b>laptops</b>' }).waitFor();
  expect(await page.content()).not.toContain(secret);
});

it('shows which versions of the agent run and what was given up, as text', async () => {
  const { page } = admin;
  const device = aDevice({ agent_version: '9.8.7', hostname: '<img src=x onerror=alert(1)>' });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert({ action: 'agent', code: 'update_rolled_back' })] },
  });
  await goTo(page, hub, 'devices/agent-versions');
  await page.getByTestId('version-row').filter({ hasText: '9.8.7' }).waitFor();
  await page.getByTestId('rolled-back-row').getByText('<img src=x').waitFor();
  await page.getByText('No releases').waitFor();
  expect(admin.troubles).toEqual([]);
});

it('shows sign-in, retention and the hub’s health', async () => {
  const { page } = admin;
  await goTo(page, hub, 'settings/sign-in');
  await page.getByText(`${hub.url}/console/sign-in/callback`).waitFor();
  await goTo(page, hub, 'settings/data');
  await page.getByText('365 days').waitFor();
  await goTo(page, hub, 'settings/system-status');
  await page.getByText('No backup found.').waitFor();
  expect(await page.getByTestId('job-row').count()).toBeGreaterThan(10);
});

it('lists what was done, filtered by the URL, each event at an address of its own', async () => {
  const { page } = admin;
  await hub.console('PUT', '/device-settings', { body: { stale_after_hours: 99 } });
  await goTo(page, hub, 'activity/audit-log?operation=device_settings.*');
  const row = page.getByTestId('audit-row');
  expect(await row.count()).toBe(1);
  await row.getByRole('button', { name: /^Show/ }).click();
  await page.getByRole('dialog').getByText('"stale_after_hours": 99').waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('event')).toMatch(/^[0-9a-f-]{36}$/);
  await page.reload();
  await page.getByRole('dialog').getByText('device_settings.update').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filters' }).click();
  const what = page.getByRole('combobox', { name: 'Action' });
  await what.fill('settings updated');
  await page.getByRole('option', { name: 'Device settings updated' }).click();
  await page.waitForURL('**/audit-log?operation=device_settings.update');
  expect(await row.textContent()).toContain('Device settings updated');
  await page.getByLabel('User (e-mail)').fill('nobody@example.com');
  await page.getByText('No results match').waitFor();
  expect(admin.troubles).toEqual([]);
});

it('opens an event of the gateway at an address of its own, which may be shared', async () => {
  const { page } = admin;
  await hub.console('POST', '/gateway/providers', {
    body: { label: 'shared', provider_name: 'vendorA', provider_settings: { api_key: 'k' } },
    headers: { 'idempotency-key': randomUUID() },
  });
  await goTo(page, hub, 'activity/audit-log/gateway');
  await page.getByTestId('audit-row').first().getByRole('button', { name: 'Show' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('provider.create').waitFor();
  const address = page.url();
  expect(new URL(address).searchParams.get('event')).toMatch(/^[0-9a-f-]{36}$/);
  await page.reload();
  await dialog.getByText('provider.create').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page.goto(address.replace(/event=.*/, `event=${randomUUID()}`));
  await dialog.getByRole('alert').waitFor();
  expect(admin.troubles.splice(0).join()).toContain('404');
});

it('creates a token for a directory, which provisions people with it until it is revoked', async () => {
  const { page } = admin;
  await goTo(page, hub, 'settings/sign-in');
  await page.getByText('No directory connected yet').waitFor();
  expect(await page.getByText(`${hub.url}/scim/v2`).count()).toBe(1);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Okta');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await dialog.getByRole('textbox', { name: 'SCIM token' }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByTestId('scim-token-row').filter({ hasText: 'Okta' });
  await row.getByText('Active', { exact: true }).waitFor();
  const people = `${hub.url}/scim/v2/Users`;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' };
  const body = { userName: 'joined@example.com', roles: [{ value: 'Reviewer' }] };
  await fetch(people, { method: 'POST', headers, body: JSON.stringify(body) });
  await expectSound(admin);
  await goTo(page, hub, 'settings/users');
  await page.getByTestId('user-row').filter({ hasText: 'joined@example.com' }).waitFor();
  await goTo(page, hub, 'settings/sign-in');
  await row.getByRole('button', { name: 'Revoke Okta' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await row.getByText('Revoked', { exact: true }).waitFor();
  expect((await fetch(people, { headers })).status).toBe(401);
  expect(admin.troubles).toEqual([]);
});

it('finds keys in a text that somebody found, and revokes those that work', async () => {
  const { page } = admin;
  await goTo(page, hub, 'settings/keys');
  await page.getByText('Live', { exact: true }).waitFor();
  // Tokens that others create appear without a reload.
  const created = await hub.console('POST', '/agent-tokens', {
    body: { name: '<b>leaked</b>', expires_in_days: 29 },
  });
  // The token expires within a month, and only the audit trail names its author.
  const ending = page.getByTestId('ending-key-row').filter({ hasText: '<b>leaked</b>' });
  await ending.getByText('not recorded').waitFor();
  const text = page.getByLabel('Text to check');
  await text.fill('x'.repeat(500_001));
  await page.getByText('500,001 characters are too many').waitFor();
  expect(await page.getByRole('button', { name: 'Check' }).isDisabled()).toBe(true);
  await text.fill('nothing of interest');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('No Gatewarden keys found in this text.').waitFor();
  await text.fill(`# a script\nTOKEN=${created.body.secret}\nOTHER=${makeSecret('management')}\n`);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('1 key still works.').waitFor();
  const row = page.getByTestId('leaked-key-row').filter({ hasText: '<b>leaked</b>' });
  await row.getByText('Active', { exact: true }).waitFor();
  expect(await page.getByText('Not yours').count()).toBe(1);
  await expectSound(admin);
  await page.getByRole('button', { name: 'Revoke active keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke active keys' }).click();
  await row.getByText('Revoked', { exact: true }).waitFor();
  await page.getByText('None of these keys work anymore.').waitFor();
  expect(admin.troubles).toEqual([]);
});

it('offers these pages to administrators alone, and everybody their own sessions', async () => {
  const viewer = await signedIn(browser, hub, 'Viewer');
  await goTo(viewer.page, hub, 'settings/log-export');
  const tabs = viewer.page.getByRole('navigation', { name: 'Settings pages' });
  expect(await tabs.getByRole('link', { name: 'System status' }).count()).toBe(0);
  for (const path of [
    'settings/users',
    'devices/add',
    'settings/keys',
    'settings/sign-in',
    'settings/system-status',
    'activity/audit-log',
  ]) {
    await goTo(viewer.page, hub, path);
    await viewer.page.getByText('Only admins can see this page.').waitFor();
  }
  await viewer.page.getByRole('button', { name: /^Account/ }).click();
  await viewer.page.getByRole('menuitem', { name: 'Sessions' }).click();
  await viewer.page.getByTestId('session-row').waitFor();
  expect(viewer.troubles).toEqual([]);
  await viewer.context.close();
});

it.each([
  ['light', 1280],
  ['dark', 360],
] as const)('shows settings without errors in %s at %i pixels', async (scheme, width) => {
  const opened = await signedIn(browser, hub, 'Admin', { scheme, width });
  for (const path of [
    'settings/users',
    'devices/add',
    'devices/agent-versions',
    'settings/keys',
    'settings/sign-in',
    'settings/data',
    'settings/system-status',
    'activity/audit-log',
    'my/sessions',
  ]) {
    await goTo(opened.page, hub, path);
    await expectSound(opened);
  }
  await opened.context.close();
});
