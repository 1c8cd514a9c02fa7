// The console over a fleet, at a size for CI; test/long/console-fleet.test.ts does the same with 10,000 devices.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConsole, signedIn } from '../support/console.ts';
import { followLinks, makeFleet, walkLists } from '../support/fleet-in-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

const DEVICES = 300;
let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openConsole();
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
