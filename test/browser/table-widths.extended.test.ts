// Pages with sample data. Tables at three widths: chips and buttons are whole, addresses and headers are readable, and no
// page scrolls sideways. With GATEWARDEN_PICTURES=1, the pictures of the documents are saved (npm run pictures).
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  createHttpSender,
  loadSampleData,
} from '@gatewarden/hub/src/features/console/sample-data/index.ts';
import { createUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { renameTenant } from '@gatewarden/hub/src/features/people/tenants/index.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, openPage, settled, signedIn, signIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode } from '../support/logs.ts';

let hub: TestHub;
let browser: Browser;

const WIDTHS = [1280, 1440, 1920];
const LISTS = [
  ...['inventory/ai-tools', 'inventory/mcp-servers', 'inventory/apps', 'inventory/extensions'],
  ...['inventory/packages', 'inventory/all', 'devices', 'policies', 'policies/rollouts'],
  ...['activity/alerts', 'activity/enforcement', 'activity/llm-requests', 'activity/tool-calls'],
  ...['activity/audit-log', 'settings/users'],
];

const PICTURES = join(import.meta.dirname, '../../docs/pictures');
const IS_PICTURED = process.env.GATEWARDEN_PICTURES === '1';
/** The main pages of the console, each with a picture. */
const MAIN_PAGES = [
  ...['home', 'inventory/ai-tools', 'inventory/mcp-servers', 'devices', 'devices/groups'],
  ...['policies', 'policies/defaults', 'policies/access-requests', 'activity/alerts'],
  ...['activity/enforcement', 'activity/llm-requests', 'activity/tool-calls', 'activity/audit-log'],
  ...['gateway/usage', 'gateway/apps', 'gateway/providers', 'gateway/mcp-servers'],
  ...['settings/users', 'settings/system-status'],
];

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const { url, tenantId, agentToken, adminToken } = hub;
  const { token: nodeToken } = await aNode(hub, tenantId);
  await loadSampleData({
    send: createHttpSender(url),
    ...{ tenantId, agentToken, nodeToken },
    consoleHeaders: { authorization: `Bearer ${adminToken}` },
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** Returns what a table cuts: chips and buttons beyond their cell, and headers without room. */
const cutParts = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const shown = (selector) =>
      [...document.querySelectorAll('main ' + selector)].filter((part) =>
        part.checkVisibility({ visibilityProperty: true }));
    const cut = [...shown('td .gw-badge'), ...shown('td button')].filter((part) =>
      part.getBoundingClientRect().right > part.closest('td').getBoundingClientRect().right + 0.5);
    const narrow = shown('th').filter((header) => header.scrollWidth > header.clientWidth);
    const root = document.documentElement;
    return [
      ...[...cut, ...narrow].map((part) => part.textContent),
      ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
    ];
  })()`);

/** Returns the e-mail addresses that end beyond their cell. */
const cutAddresses = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main td .gw-email')]
    .filter((part) =>
      part.getBoundingClientRect().right > part.closest('td').getBoundingClientRect().right + 0.5)
    .map((part) => part.textContent)`);

it.each(WIDTHS)('shows whole chips, buttons and headers at %i px', async (width) => {
  const { page, context } = await signedIn(browser, hub, 'Admin', { width, height: 900 });
  for (const list of LISTS) {
    await goTo(page, hub, list);
    await page.locator('tbody tr').first().waitFor();
    expect.soft(await cutParts(page), list).toEqual([]);
    if (list.startsWith('activity/')) expect.soft(await cutAddresses(page), list).toEqual([]);
  }
  await context.close();
});

it('counts the chips that do not fit, and names them', async () => {
  const { page, context } = await signedIn(browser, hub, 'Viewer', { width: 1280 });
  await goTo(page, hub, 'inventory/mcp-servers');
  const more = page.locator('[data-more]:not([hidden])').first();
  await more.waitFor();
  expect(await more.textContent()).toMatch(/^\+\d/);
  expect(await more.getAttribute('title')).toMatch(/macOS|Windows|Linux/);
  await context.close();
});

it.runIf(IS_PICTURED)('saves a picture of each main page', async () => {
  const { db } = hub.context.database;
  const { tenantId } = hub;
  const person = { email: 'admin@demo.example', password: randomUUID() };
  const { user_id: userId } = await createUser(db, { tenantId, role: 'Admin', ...person });
  await renameTenant(db, tenantId, 'Demo');
  const { page, context } = await openPage(browser, { width: 1440, height: 900 });
  await signIn(page, hub, { ...person, userId });
  const save = async (name: string) => {
    // Behind another page, transitions stop.
    await page.bringToFront();
    const path = join(PICTURES, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  };
  for (const name of MAIN_PAGES) {
    await goTo(page, hub, name);
    await save(name);
  }
  await goTo(page, hub, 'inventory/ai-tools');
  await page.getByRole('link', { name: 'Claude Code' }).click();
  await page.getByTestId('product-app-row').first().waitFor();
  await settled(page);
  await save('inventory/product');
  await goTo(page, hub, 'devices');
  await page.getByTestId('device-row').first().locator('.gw-user-link').click();
  await page.getByTestId('user-app-row').first().waitFor();
  await settled(page);
  await save('user');
  await context.close();
});
