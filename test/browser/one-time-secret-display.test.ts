// Secrets that are shown once: neither a stray key nor a click beside the dialog closes it, and no copy stays on the page.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

/** The server's URL; no request goes there. */
const MCP_URL = 'https://mcp.example.com/mcp';
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

/** Makes it in the dialog that is open; gives the secret after every stray way out of it was tried. */
async function keptOpen(page: Page, label: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  const box = dialog.getByLabel(label, { exact: true });
  await box.waitFor();
  const secret = await box.inputValue();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await page.goBack();
  expect(await dialog.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0);
  expect(await box.inputValue()).toBe(secret);
  await dialog.getByRole('button', { name: 'Copy secret' }).click();
  await dialog.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  expect(page.url()).not.toContain(secret);
  return secret;
}

it('shows an enrollment token until the user confirms that it is stored', async () => {
  const { page, troubles, context } = await signedIn(browser, hub);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await goTo(page, hub, 'devices');
  await page.getByRole('link', { name: 'Add devices' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add devices' }).waitFor();
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('laptops');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  expect(await keptOpen(page, 'Enrollment token')).toMatch(/^gw/);
  // Then pages are left and dialogs closed as ever.
  await page.getByRole('button', { name: 'New token' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goBack();
  await page.waitForURL(/\/devices$/);
  expect(troubles).toEqual([]);
  await context.close();
});

it('shows a direct token of an MCP server until the user confirms that it is stored', async () => {
  const { page, troubles, context } = await signedIn(browser, hub);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const created = await hub.console('POST', '/mcp/backends', {
    body: { ...{ slug: 'weather', name: 'Weather' }, url: MCP_URL, auth: { kind: 'none' } },
  });
  expect(created.status).toBe(201);
  await goTo(page, hub, 'gateway/mcp-servers');
  await page.getByRole('link', { name: 'Weather' }).click();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('robot');
  await dialog.getByRole('textbox', { name: 'Client program' }).fill('my-agent');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await keptOpen(page, 'Direct token');
  expect(troubles).toEqual([]);
  await context.close();
});
