// Every page at each width in both themes: no serious fault of accessibility, and nothing wider than the window. A page is
// read once and resized.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import {
  expectSound,
  goTo,
  type Opened,
  openPage,
  settled,
  signedIn,
  signIn,
} from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { fillHostile } from '../support/hostile-tenant.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { WIDTHS } from '../support/page-checks.ts';
import { PAGES, type PageIds } from '../support/pages.ts';

const EMPLOYEE_PAGES = ['my/devices', 'my/connect', 'my/requests', 'my/activity'];

let hub: TestHub;
let browser: Browser;
let admin: Opened;
let member: Opened;
let ids: PageIds;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const person = await aPerson(hub);
  ids = await fillHostile(hub, person.email);
  admin = await openPage(browser);
  await signIn(admin.page, hub, person);
  member = await signedIn(browser, hub, 'Member');
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

async function judge(opened: Opened, address: string): Promise<void> {
  const { page } = opened;
  await goTo(page, hub, address);
  const lazy = page.getByTestId('lazy-section');
  for (const section of await lazy.all()) await section.scrollIntoViewIfNeeded();
  await settled(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 720 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectSound(opened);
    }
  }
  expect(opened.troubles).toEqual([]);
}

it.each(Object.entries(PAGES))('is accessible at each width in both themes: %s', (_path, address) =>
  judge(admin, address(ids)),
);

it.each(EMPLOYEE_PAGES)(
  'passes accessibility checks for employees at each width in both themes: %s',
  (path) => judge(member, path),
);
