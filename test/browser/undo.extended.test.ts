// Undo in adverse conditions: a lost answer, an absent hub, an ended session, a quicker colleague. The page reports the
// actual state, nothing is done twice, and undo can be tried again.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, openPage, signedIn, signIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const body = aBatch(aDevice(), [NEW]);
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const NEW = anEntity('new to all');
const OVERRIDES = /\/overrides$/;
const ONE_OVERRIDE = /\/overrides\/[^/]+$/;

const decide = async (name: string, reason: string) =>
  (
    await hub.console('POST', '/overrides', {
      body: {
        match: { name },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
        reason,
      },
    })
  ).body.override;

const reasonsOf = async (name: string): Promise<string[]> =>
  (await hub.console('GET', '/overrides?limit=200')).body.items
    .filter((policy: { match: { name?: string } }) => policy.match.name === name)
    .map((policy: { reason: string }) => policy.reason);

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });
const takenBack = (page: Page) => page.getByText('Change undone.');

async function withdraw(page: Page, name: string) {
  await goTo(page, hub, 'policies');
  await page.getByRole('button', { name: `Remove policy for ${name}` }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
  await confirm.click();
  return confirm;
}

async function change(page: Page, name: string, reason: string) {
  await goTo(page, hub, 'policies');
  await page.getByRole('button', { name: `Edit policy for ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByTestId('decide-submit').click();
  await expect.poll(() => reasonsOf(name)).toEqual([reason]);
}

it('reports an undone withdrawal after a lost response, and restores the policy once', async () => {
  await decide('gone', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await withdraw(page, 'gone');
  await expect.poll(() => reasonsOf('gone')).toEqual([]);
  await loseAnswer(page, OVERRIDES, 'POST');
  await undo(page).click();
  await takenBack(page).waitFor();
  expect(await reasonsOf('gone')).toEqual(['as it was']);
  await context.close();
});

it('reports an undone change after a lost response', async () => {
  await decide('changed', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await change(page, 'changed', 'of now');
  await loseAnswer(page, ONE_OVERRIDE, 'PATCH');
  await undo(page).click();
  await takenBack(page).waitFor();
  expect(await reasonsOf('changed')).toEqual(['as it was']);
  await context.close();
});

it('reports an undone policy after a lost response', async () => {
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, `inventory/items/${NEW.entity_id}`);
  await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
  const submit = page.getByTestId('decide-submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await undo(page).waitFor();
  await loseAnswer(page, ONE_OVERRIDE, 'DELETE');
  await undo(page).click();
  await takenBack(page).waitFor();
  const left = await hub.console('GET', `/overrides?entity_id=${NEW.entity_id}`);
  expect(left.body.items).toEqual([]);
  await context.close();
});

it('offers undo for a withdrawal that was sent twice because its response was lost', async () => {
  await decide('anew', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await loseAnswer(page, ONE_OVERRIDE, 'DELETE');
  const confirm = await withdraw(page, 'anew');
  await page.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
  await confirm.click();
  await undo(page).click();
  await takenBack(page).waitFor();
  expect(await reasonsOf('anew')).toEqual(['as it was']);
  await context.close();
});

it('keeps the policy that another administrator set after the withdrawal', async () => {
  await decide('contested', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await withdraw(page, 'contested');
  await expect.poll(() => reasonsOf('contested')).toEqual([]);
  await decide('contested', 'of somebody else');
  await undo(page).click();
  await page.getByText('Couldn’t undo: someone else changed the policy.').waitFor();
  expect(await reasonsOf('contested')).toEqual(['of somebody else']);
  await context.close();
});

it('undoes two withdrawals of the same app independently', async () => {
  const both = ['the first', 'the other'];
  for (const reason of both) await decide('double', reason);
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'policies');
  const dialog = page.getByRole('dialog');
  for (const reason of both) {
    const row = page.getByTestId('decision-row').filter({ hasText: reason });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await undo(page).nth(1).click();
  await undo(page).click();
  await expect.poll(async () => (await reasonsOf('double')).sort()).toEqual(both);
  await context.close();
});

it('undoes a withdrawal once for two clicks', async () => {
  await decide('twice', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await withdraw(page, 'twice');
  await undo(page).evaluate((button) => {
    (button as unknown as { click(): void }).click();
    (button as unknown as { click(): void }).click();
  });
  await takenBack(page).first().waitFor();
  await goTo(page, hub, 'policies');
  expect(await reasonsOf('twice')).toEqual(['as it was']);
  await context.close();
});

it('offers to undo again after the hub was unreachable', async () => {
  await decide('away', 'as it was');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await withdraw(page, 'away');
  await page.route(OVERRIDES, (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  );
  await undo(page).click();
  await page.getByText('Couldn’t undo: The server isn’t responding').waitFor();
  expect(await reasonsOf('away')).toEqual([]);
  await page.unroute(OVERRIDES);
  await page.getByRole('button', { name: 'Try again' }).click();
  await takenBack(page).waitFor();
  expect(await reasonsOf('away')).toEqual(['as it was']);
  await context.close();
});

it('goes on after the session ended and the person signed in again', async () => {
  await decide('signed out', 'as it was');
  const { page, context } = await openPage(browser);
  const person = await aPerson(hub, 'Reviewer');
  await signIn(page, hub, person);
  await withdraw(page, 'signed out');
  await undo(page).waitFor();
  await context.clearCookies();
  await undo(page).click();
  const again = page.getByRole('dialog', { name: 'Your session has expired' });
  await again.waitFor();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    again.getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await tab.getByLabel('E-mail').fill(person.email);
  await tab.getByLabel('Password').fill(person.password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t undo' });
  await notice.getByRole('button', { name: 'Try again' }).click();
  await takenBack(page).waitFor();
  expect(await reasonsOf('signed out')).toEqual(['as it was']);
  await context.close();
});
