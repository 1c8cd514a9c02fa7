// Reviewing with the keyboard, many at once, with the way back; views and downloads.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { expectSound, goTo, openConsole, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openConsole();
  hub = await startTestHub();
  const things = ['alpha', 'beta', 'gamma'].map((name) => anEntity(name, { kind: 'ai_tool' }));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(aDevice(), things) });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const decided = async () => (await hub.console('GET', '/overrides')).body.items.length;

it('j, x and b: decided by keyboard after its preview, and taken back', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'applications');
  await page.getByTestId('application-row').first().waitFor();
  await page.keyboard.press('?');
  await page.getByText('Approve it: the preview comes first').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('alpha').first().waitFor();
  expect(await dialog.getByLabel('Blocked').isChecked()).toBe(true);
  const submit = dialog.getByTestId('decide-submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.press('Enter');
  await expect.poll(decided).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(decided).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('many at once: one preview, one result, one way back', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'applications');
  await page.getByTestId('application-row').first().waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 applications selected').waitFor();
  await page.getByRole('button', { name: 'Decide together…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Blocked · Block').click();
  await dialog.getByText('Together they touch 1 device of 1 person.').waitFor();
  await dialog.getByRole('button', { name: 'Decide about 2 applications' }).click();
  await expect.poll(decided).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(decided).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('a view is kept and comes back; the list is downloaded as filtered', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'applications?query=beta');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByLabel('Name of the view').fill('Only beta');
  await page.keyboard.press('Enter');
  await page.getByText('The view is saved for you.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('applications.csv');
  await goTo(page, hub, 'applications');
  await expect.poll(() => page.getByTestId('application-row').count()).toBe(3);
  await page.getByLabel('Saved views').selectOption({ label: 'Only beta' });
  await expect.poll(() => page.getByTestId('application-row').count()).toBe(1);
  expect(troubles).toEqual([]);
  await context.close();
});

describe.each([
  ['light', 1280],
  ['dark', 360],
] as const)('in %s at %i pixels', (scheme, width) => {
  it('the list and its dialogs are accessible and fit', async () => {
    const opened = await signedIn(browser, hub, 'Reviewer', { scheme, width });
    await goTo(opened.page, hub, 'applications');
    await opened.page.getByLabel('Select alpha').check();
    await expectSound(opened);
    await opened.page.getByRole('button', { name: 'Decide together…' }).click();
    await opened.page.getByText('Approved · Allow').click();
    await opened.page.getByText('Together they touch').waitFor();
    await expectSound(opened);
    await opened.context.close();
  });
});
