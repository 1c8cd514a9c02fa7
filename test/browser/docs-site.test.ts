// The documentation under /docs/ works in a browser under the console's security policy and without any other server.
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

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

test('serves the start page compressed and uncompressed', async () => {
  for (const encoding of ['gzip, br', 'identity']) {
    const response = await fetch(`${hub.url}/docs/`, { headers: { 'accept-encoding': encoding } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Gatewarden');
  }
});

/** Opens a page and records console messages, failed requests and requests to other origins. */
async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('requestfailed', (request) => {
    // A navigation aborts what the page before it prefetches.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${reason}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(hub.url)) problems.push(`other origin: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return { page, problems };
}

/**
 * Opens a page and waits until its scripts run. VitePress reports a mismatch for a link that is followed earlier, because
 * its router starts before the page is hydrated.
 */
async function openHydrated(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(`${hub.url}/docs/${path}`);
  await page.waitForFunction("'__vue_app__' in document.querySelector('#app')");
  return response;
}

test('opens pages, follows links and searches without violations of the security policy', async () => {
  const { page, problems } = await openPage();
  const response = await openHydrated(page, 'reference/configuration.html');
  expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
  await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Hub', exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByPlaceholder('Search').fill('HUB_DEVICE_RATE');
  await page.locator('.VPLocalSearchBox .result').first().click();
  await expect.poll(() => page.url()).toMatch(/\/docs\/.+\.html#/);

  await openHydrated(page, 'reference/agent-toml.html');
  await page.getByRole('link', { name: 'discovery sources' }).first().click();
  await page.getByRole('heading', { name: 'Discovery sources', level: 1 }).waitFor();
  await openHydrated(page, 'reference/errors.html');
  // Colors of code come from classes: without them every word would have the color of the text.
  const colors = await page.evaluate<string[]>(
    "[...document.querySelectorAll('pre code span span')].map((span) => getComputedStyle(span).color)",
  );
  expect(new Set(colors).size).toBeGreaterThan(1);
  expect(problems).toEqual([]);
});

test('serves the start page, llms.txt and the Markdown of a page', async () => {
  const start = await fetch(`${hub.url}/docs`, { redirect: 'manual' });
  expect([start.status, start.headers.get('location')]).toEqual([303, '/docs/']);
  const llms = await (await fetch(`${hub.url}/docs/llms.txt`)).text();
  expect(llms).toMatch(/^# Gatewarden\n/);
  const [, path] = /\]\((\/docs\/reference\/errors\.md)\)/.exec(llms) ?? [];
  const markdown = await fetch(`${hub.url}${path}`);
  expect([markdown.status, await markdown.text()]).toEqual([
    200,
    expect.stringContaining('# Errors'),
  ]);
  const missing = await fetch(`${hub.url}/docs/none.html`);
  expect(missing.status).toBe(404);
  expect((await fetch(`${hub.url}/docs/.sources`)).status).toBe(404);
});

test('links the console and the documentation with each other', async () => {
  const { page } = await signedIn(browser, hub);
  await goTo(page, hub, 'devices');
  await page.getByRole('button', { name: /^Account/ }).click();
  const link = page.getByRole('menuitem', { name: 'Documentation' });
  expect(await link.getAttribute('href')).toBe('/docs/');
  await page.goto(`${hub.url}/console/api-reference/listDevices`);
  await page.getByRole('heading', { name: 'List devices', level: 1 }).waitFor();
  expect(page.url()).toContain('/settings/api-reference/listDevices');
});
