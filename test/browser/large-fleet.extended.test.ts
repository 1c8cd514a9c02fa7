// The console over a fleet, at a size for CI; test/long/console-fleet.test.ts does the same with 10,000 devices.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { followLinks, makeFleet, walkLists } from '../support/fleet-in-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { comeBySwarm, lookAtSwarm } from '../support/swarm-in-browser.ts';

const DEVICES = 300;
let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await makeFleet(hub, { devices: DEVICES, products: 2_000, perDevice: 0, events: 1_000 });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

it('lists keep the document small, and addresses open what they name', async () => {
  const opened = await signedIn(browser, hub);
  await walkLists(opened, hub, 150);
  await followLinks(opened, hub, DEVICES);
  expect(opened.troubles).toEqual([]);
  await opened.context.close();
});

it('keeps the bar of a selection in view while the list scrolls', async () => {
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'inventory/all');
  await page
    .getByLabel(/^Select product-/)
    .first()
    .check();
  const bar = page.getByTestId('selection-bar');
  for (const at of ['0', 'document.body.scrollHeight / 2', 'document.body.scrollHeight']) {
    await page.evaluate(`scrollTo(0, ${at})`);
    await expect
      .poll(async () => {
        const box = await bar.boundingBox();
        return (
          box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0)
        );
      })
      .toBe(true);
  }
  await context.close();
});

it('shows the complete fleet of the swarm', async () => {
  const own = await startTestHub();
  const size = { devices: 60, entities: 120, minutes: 0 };
  const report = await comeBySwarm(own, size);
  expect(report).not.toMatch(/ (?:4|5)\d\d: /);
  const opened = await signedIn(browser, own);
  await lookAtSwarm(opened, own, size);
  await walkLists(opened, own, 150, ['inventory/all']);
  expect(opened.troubles).toEqual([]);
  await opened.context.close();
  await own.stop();
});
