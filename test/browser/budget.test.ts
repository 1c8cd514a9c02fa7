// What the first page costs over the network, and that it needs nobody else's host.
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aPerson, openConsole, openPage, settled, signIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

const BUDGET_BYTES = 250 * 1024;
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openConsole();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** Bytes of script that the page loads while `visit` lasts, as a server with gzip sends them; and the hosts it asked. */
async function weighed(page: Page, visit: () => Promise<void>) {
  const scripts = new Map<string, Promise<number>>();
  const hosts = new Set<string>();
  page.on('response', (response) => {
    const url = new URL(response.url());
    hosts.add(url.host);
    if (!url.pathname.endsWith('.js') || response.status() !== 200) return;
    scripts.set(
      url.pathname,
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await visit();
  const sizes = await Promise.all(scripts.values());
  return { bytes: sizes.reduce((sum, one) => sum + one, 0), count: sizes.length, hosts };
}

it('the way to the first page stays below 250 kB of script, from the hub alone', async () => {
  const { page, context } = await openPage(browser);
  const person = await aPerson(hub);
  const { bytes, count, hosts } = await weighed(page, async () => {
    await signIn(page, hub, person);
    await settled(page);
  });
  process.stdout.write(`first page: ${Math.round(bytes / 1024)} kB of script in ${count} files\n`);
  expect(count).toBeGreaterThan(1);
  expect(bytes).toBeLessThan(BUDGET_BYTES);
  expect([...hosts]).toEqual([new URL(hub.url).host]);
  await context.close();
});
