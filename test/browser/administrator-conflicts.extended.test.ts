// Two administrators at once: the second learns of the first one's change, overwrites none of it unseen, and loses nothing
// that is being filled in. A change whose answer was lost is no conflict with oneself.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, signedIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const userOf = async (userId: string) => (await hub.console('GET', `/users/${userId}`)).body.user;

async function makeThem(userId: string, role: string) {
  const { version } = await userOf(userId);
  await hub.console('PATCH', `/users/${userId}`, {
    body: { role },
    headers: { 'if-match': version },
  });
}

async function openRole(page: Page, email: string) {
  await goTo(page, hub, 'settings/users?role=Viewer');
  await page
    .getByTestId('user-row')
    .filter({ hasText: email })
    .getByRole('button', { name: /^Change role/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^Reviewer/ }).check();
  return { dialog, store: dialog.getByRole('button', { name: 'Change role', exact: true }) };
}

describe('user roles', () => {
  it('reports a role that another administrator changed, and changes it only after confirmation', async () => {
    const { email, userId } = await aPerson(hub, 'Viewer');
    const { page, context } = await signedIn(browser, hub);
    const { dialog, store } = await openRole(page, email);
    await makeThem(userId, 'Admin');
    // The row goes, for the list shows Viewers; the dialog does not.
    await page.getByTestId('user-row').filter({ hasText: email }).waitFor({ state: 'detached' });
    await store.click();
    const notice = dialog.getByRole('alert').filter({ hasText: 'Someone else changed this' });
    await notice.getByText('Current: Admin').waitFor();
    expect(await dialog.getByRole('radio', { name: /^Reviewer/ }).isChecked()).toBe(true);
    expect((await userOf(userId)).role).toBe('Admin');
    await store.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await userOf(userId)).role).toBe('Reviewer');
    await context.close();
  });

  it('repeats a change after a lost answer without a conflict', async () => {
    const { email, userId } = await aPerson(hub, 'Viewer');
    const { page, context } = await signedIn(browser, hub);
    const { dialog, store } = await openRole(page, email);
    await loseAnswer(page, /\/users\/[^/]+$/, 'PATCH');
    await store.click();
    await dialog.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
    await store.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await userOf(userId)).role).toBe('Reviewer');
    await context.close();
  });
});

describe('log retention', () => {
  const stored = async () => (await hub.console('GET', '/log-settings')).body.settings;
  const keep = async (days: number) => {
    const { store_payloads, version } = await stored();
    const answer = await hub.console('PUT', '/log-settings', {
      body: { store_payloads, retention_days: days },
      headers: { 'if-match': version },
    });
    expect(answer.status).toBe(200);
  };

  it('keeps typed retention values, and does not overwrite those of another administrator unseen', async () => {
    await keep(9);
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/log-export');
    const days = page.getByLabel('Retention (days)');
    await days.fill('4');
    await keep(7);
    // Another page that shows the new value proves that the event has arrived.
    const secondPage = await context.newPage();
    await goTo(secondPage, hub, 'settings/data');
    await secondPage.getByText('7 days').first().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Someone else changed these settings' })
      .waitFor();
    expect(await days.inputValue()).toBe('4');
    expect((await stored()).retention_days).toBe(7);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => days.inputValue()).toBe('7');
    await context.close();
  });

  it('stores retention again after a lost answer without a conflict', async () => {
    await keep(9);
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/log-export');
    await page.getByLabel('Retention (days)').fill('3');
    await loseAnswer(page, /\/log-settings$/, 'PUT');
    const store = page.getByRole('button', { name: 'Save', exact: true });
    await store.click();
    // The page receives the event of its own change like that of another person.
    await page.getByText('Settings saved.').waitFor();
    await expect.poll(() => store.isDisabled()).toBe(true);
    expect(await page.getByRole('alert').filter({ hasText: 'isn’t responding' }).count()).toBe(0);
    expect((await stored()).retention_days).toBe(3);
    await context.close();
  });
});

describe('deletion', () => {
  const aGroup = async (name: string) => {
    const body = { name, members: ['ada@example.com'] };
    const { group } = (await hub.console('POST', '/people-groups', { body })).body;
    return { at: `/people-groups/${group.people_group_id}`, version: group.version as string };
  };

  it('deletes a record that another administrator changed only after confirmation', async () => {
    const { at, version } = await aGroup('contractors');
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/users/groups');
    await page.getByRole('button', { name: 'Delete user group contractors' }).click();
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
    const body = { name: 'everybody in sales' };
    const headers = { 'if-match': version };
    expect((await hub.console('PATCH', at, { body, headers })).status).toBe(200);
    await page.getByRole('row', { name: /everybody in sales/ }).waitFor();
    expect(await dialog.getByText('contractors').isVisible()).toBe(true);
    await remove.click();
    await dialog.getByRole('alert').filter({ hasText: 'Someone else changed this' }).waitFor();
    await dialog.getByText('everybody in sales').waitFor();
    expect((await hub.console('GET', at)).status).toBe(200);
    await remove.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await hub.console('GET', at)).status).toBe(404);
    await context.close();
  });
});
