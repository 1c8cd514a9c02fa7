// Every page of a hub without data: it explains that, is accessible in light and dark, and fits.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, type Opened, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { PAGES, type PageIds } from '../support/pages.ts';

let hub: TestHub;
let browser: Browser;
let opened: Opened;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  opened = await signedIn(browser, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** Detail pages need an object, so only lists are opened. */
const LISTS = Object.entries(PAGES).filter(([path]) => !path.includes('$'));

it.each(LISTS)('%s', async (_path, address) => {
  const { page } = opened;
  await goTo(page, hub, address({} as PageIds));
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectSound(opened);
  }
});
