// Activity: from the histogram and the facets to an alert, its details beside the list, and a saved view.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anAlert } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { minutesAgo } from '../support/logs.ts';

let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const alerts = Array.from({ length: 24 }, (_, index) =>
    anAlert({
      application_name: `app-${index}`,
      severity: index % 2 === 0 ? 'high' : 'low',
      // The older half is of one time, two days ago.
      occurred_at: minutesAgo(index < 12 ? index : 2 * 24 * 60),
    }),
  );
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device: aDevice(), alerts } });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const rows = (page: Page) => page.getByTestId('alert-row');
const tabLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Activity pages' }).getByRole('link', { name });
const facet = (page: Page, name: string, value: string) =>
  page.getByTestId(`facet-${name}`).getByRole('button', { name: value });

it('finds an alert by histogram and facet, resolves the next alert beside the list, and saves the view', async () => {
  const opened = await signedIn(browser, hub, 'Reviewer', { width: 1440, height: 900 });
  const { page, troubles, context } = opened;
  await goTo(page, hub, 'activity/alerts');
  await expect.poll(() => rows(page).count()).toBe(24);
  const first = await rows(page).first().boundingBox();
  expect(first?.y).toBeLessThanOrEqual(260);
  expect(first?.height).toBeLessThanOrEqual(41);

  // The first bar is of two days ago.
  await page.locator('.gw-histogram .recharts-bar-rectangle path').first().click();
  await expect.poll(() => rows(page).count()).toBe(12);
  expect(new URL(page.url()).searchParams.get('to')).not.toBe(null);
  await facet(page, 'severity', 'High').click();
  await expect.poll(() => rows(page).count()).toBe(6);

  await rows(page).first().getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await drawer.getByTestId('alert').waitFor();
  const address = page.url();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).not.toBe(address);
  await drawer.getByText('2 of 6 loaded').waitFor();
  await expectSound(opened);
  await drawer.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve this alert' });
  await dialog.getByLabel('Resolution').selectOption('Expected');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => rows(page).count()).toBe(5);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('View name').fill('High, two days ago');
  await page.keyboard.press('Enter');
  await page.getByText('View saved.').waitFor();
  await goTo(page, hub, 'activity/alerts');
  await expect.poll(() => rows(page).count()).toBe(23);
  await page.getByLabel('Saved views').selectOption({ label: 'High, two days ago' });
  await expect.poll(() => rows(page).count()).toBe(5);
  expect(troubles).toEqual([]);
  await context.close();
});

it('shares the time range between the tabs, and filters it by a drag over the histogram', async () => {
  const opened = await signedIn(browser, hub, 'Admin', { width: 1440, scheme: 'dark' });
  const { page, context } = opened;
  await goTo(page, hub, 'activity/alerts?state=all');
  await page.getByText('24 h', { exact: true }).click();
  await expect.poll(() => rows(page).count()).toBe(12);
  for (const tab of ['Enforcement', 'LLM requests', 'Tool calls', 'Audit log']) {
    await tabLink(page, tab).click();
    await page.waitForURL(/range=24h/);
    await expectSound(opened);
  }
  await tabLink(page, 'Alerts').click();
  await page.waitForURL(/range=24h/);
  const chart = await page.locator('.gw-histogram-chart').boundingBox();
  if (chart === null) throw new Error('The page has no histogram.');
  const y = chart.y + chart.height / 3;
  await page.mouse.move(chart.x + chart.width / 4, y);
  await page.mouse.down();
  await page.mouse.move(chart.x + chart.width / 2, y, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=/);
  const { searchParams } = new URL(page.url());
  const hours = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? '') / 3_600_000);
  expect((hours[1] ?? 0) - (hours[0] ?? 0)).toBeGreaterThan(4);
  expect((hours[1] ?? 0) - (hours[0] ?? 0)).toBeLessThan(9);
  await context.close();
});

it('fits a telephone, where filters open on demand', async () => {
  const opened = await signedIn(browser, hub, 'Viewer', { width: 390, height: 844 });
  const { page, context } = opened;
  await goTo(page, hub, 'activity/alerts');
  await expectSound(opened);
  expect(await page.getByTestId('facet-severity').count()).toBe(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  await facet(page, 'severity', 'High').click();
  await page.waitForURL(/severity=high/);
  await expectSound(opened);
  await context.close();
});

it('shows recipes for a SIEM with the address of the hub, and the download as filtered', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Admin');
  await goTo(page, hub, 'activity/llm-requests');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Send to SIEM' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`--url ${hub.url} --endpoint llm`, { exact: false }).waitFor();
  for (const [way, text] of [
    ['Fluent Bit', 'buffer_max_size'],
    ['Vector', 'parse_json!'],
    ['curl', '/llmgateway/logs/export'],
  ] as const) {
    await dialog.getByText(way, { exact: true }).click();
    await dialog.getByText(text, { exact: false }).first().waitFor();
  }
  expect(await dialog.getByRole('link', { name: 'Create an export key' }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await goTo(page, hub, 'activity/alerts?severity=high&state=all');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download CSV' }).click();
  expect((await download).url()).toContain('severity=high');
  expect(troubles).toEqual([]);
  await context.close();
});
