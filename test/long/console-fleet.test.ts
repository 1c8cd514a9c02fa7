// The console over 10,000 devices with 250,000 products and 100,000 alerts. Run: npm run long
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { signedIn } from '../support/console.ts';
import { followLinks, makeFleet, walkLists } from '../support/fleet-in-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { comeBySwarm, lookAtSwarm } from '../support/swarm-in-browser.ts';

const DEVICES = 10_000;
let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await makeFleet(hub, { devices: DEVICES, products: 250_000, perDevice: 100, events: 100_000 });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
}, 60_000);

test('lists of thousands keep the document small, and addresses open what they name', {
  timeout: 900_000,
}, async () => {
  const opened = await signedIn(browser, hub);
  await walkLists(opened, hub, 2_000);
  await followLinks(opened, hub, DEVICES);
  expect(opened.troubles).toEqual([]);
  await opened.context.close();
});

test('shows the complete fleet of the swarm within its time', { timeout: 1_800_000 }, async () => {
  const own = await startTestHub();
  const size = { devices: DEVICES, entities: 150, minutes: 1 };
  const report = await comeBySwarm(own, size);
  console.log(report);
  expect(report).not.toMatch(/ (?:4|5)\d\d: /);
  const opened = await signedIn(browser, own);
  await lookAtSwarm(opened, own, size);
  await walkLists(opened, own, 1_000, ['devices', 'inventory/all']);
  expect(opened.troubles).toEqual([]);
  await opened.context.close();
  await own.stop();
});
