// Tables at three widths, filled with sample data: chips and buttons are whole, headers are readable, and no page scrolls sideways.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;

const WIDTHS = [1280, 1440, 1920];
const LISTS = [
  ...['inventory/ai-tools', 'inventory/mcp-servers', 'inventory/apps', 'inventory/extensions'],
  ...['inventory/packages', 'inventory/all', 'devices', 'policies', 'policies/rollouts'],
  ...['activity/alerts', 'activity/enforcement', 'activity/llm-requests', 'activity/tool-calls'],
  'settings/users',
];

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await hub.console('POST', '/sample-data', {});
  const rows = async () => (await hub.console('GET', '/products?category=mcp_server')).body.total;
  await vi.waitFor(async () => expect(await rows()).toBeGreaterThan(5), 60_000);
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

it.each(WIDTHS)('shows whole chips, buttons and headers at %i px', async (width) => {
  const { page, context } = await signedIn(browser, hub, 'Admin', { width, height: 900 });
  for (const list of LISTS) {
    await goTo(page, hub, list);
    await page.locator('tbody tr').first().waitFor();
    expect.soft(await cutParts(page), list).toEqual([]);
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
