// Concurrent edits of an app's prompts: no text is lost, and no text is overwritten unseen.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { makeApp, manage } from '../support/management.ts';

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

async function anApp() {
  const name = `prompts-${randomUUID()}`;
  await makeApp(await manage(hub), name);
  const query = `?app_name=${name}`;
  const read = async (id: string) =>
    (await hub.console('GET', `/gateway/app/prompts/${id}${query}`)).body.prompt.content;
  const write = async (id: string, content: string) => {
    const { version } = (await hub.console('GET', `/gateway/app${query}`)).body.app;
    const path = `/gateway/app/prompts/${id}${query}`;
    const headers = { 'if-match': version };
    const stored = await hub.console('PUT', path, { body: { content }, headers });
    expect([200, 201]).toContain(stored.status);
  };
  return { name, read, write };
}

it('keeps a typed prompt when another administrator saves first, and compares it with the current text', async () => {
  const { name, read, write } = await anApp();
  await write('greeting', 'first\ntwo');
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, `gateway/apps/${name}?tab=prompts`);
  const row = page.getByTestId('prompt-row');
  expect(await row.textContent()).toContain('first two');
  await row.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const content = dialog.getByRole('textbox', { name: 'Content' });
  await content.fill('first\nmine');
  await write('greeting', 'first\ntheirs');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('your input is still here', { exact: false }).waitFor();
  expect(await read('greeting')).toBe('first\ntheirs');
  expect(await content.inputValue()).toBe('first\nmine');
  await dialog.locator('del', { hasText: 'theirs' }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await read('greeting')).toBe('first\nmine');
  await context.close();
});

it('does not overwrite an existing prompt unseen by a new prompt of the same name', async () => {
  const { name, read, write } = await anApp();
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, `gateway/apps/${name}?tab=prompts`);
  await page.getByRole('button', { name: 'Create prompt' }).click();
  const dialog = page.getByRole('dialog');
  await write('greeting', 'theirs');
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('greeting');
  await dialog.getByRole('textbox', { name: 'Content' }).fill('mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('A prompt with this name already exists', { exact: false }).waitFor();
  await dialog.locator('del', { hasText: 'theirs' }).waitFor();
  expect(await read('greeting')).toBe('theirs');
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('farewell');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect([await read('greeting'), await read('farewell')]).toEqual(['theirs', 'mine']);
  expect(troubles.filter((trouble) => !trouble.includes('404'))).toEqual([]);
  await context.close();
});

it('stores and deletes the displayed version of a prompt, however old the list is', async () => {
  const { name, read, write } = await anApp();
  await write('greeting', 'first');
  const { page, context } = await signedIn(browser, hub);
  // The list stays stale although the page is notified of changes.
  let isBlocked = false;
  await page.route('**/gateway/app/prompts?*', async (route) => {
    if (isBlocked) await route.abort();
    else await route.continue();
  });
  await goTo(page, hub, `gateway/apps/${name}?tab=prompts`);
  const row = page.getByTestId('prompt-row');
  await row.waitFor();
  isBlocked = true;
  await write('greeting', 'two');
  await row.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const content = dialog.getByRole('textbox', { name: 'Content' });
  expect(await content.inputValue()).toBe('first');
  await content.fill('mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('del', { hasText: 'two' }).waitFor();
  expect(await read('greeting')).toBe('two');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('changed', { exact: false }).waitFor();
  expect(await read('greeting')).toBe('two');
  isBlocked = false;
  await page.reload();
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Prompt deleted', { exact: false }).waitFor();
  await context.close();
});
