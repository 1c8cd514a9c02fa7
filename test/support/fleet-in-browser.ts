// The lists of a fleet in Chromium: deep links and filters work, and a list of thousands has few rows in the document. The
// same at a small size in CI and at full size in the long runs.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectSound, goTo, type Opened } from './console.ts';
import { type FleetSize, fillFleet } from './fleet-rows.ts';
import type { TestHub } from './hub.ts';

// The long runs have no patience of their own.
const PATIENCE = { timeout: 15_000 };
/** More rows than fit into a window beside the rest of the page, and far fewer than are loaded. */
const MOST_IN_DOCUMENT = 90;

/** Lists that grow page by page, with the row's test id. */
const LISTS: readonly [path: string, row: string][] = [
  ['devices', 'device-row'],
  ['inventory/all', 'application-row'],
  ['inventory/unidentified-processes', 'unknown-process-row'],
  ['activity/alerts', 'alert-row'],
  ['activity/enforcement', 'activity-row'],
  ['settings/users', 'user-row'],
];

export async function makeFleet(hub: TestHub, size: FleetSize): Promise<void> {
  const { pool } = hub.context.database;
  await fillFleet(pool as never, hub.tenantId, size);
  await pool.query('ANALYZE devices, products, entities, alerts, activity, unknown_processes');
}

/** Loads pages until so many rows were loaded; walks down, and finds the document small all the way. */
export async function walkLists(
  opened: Opened,
  hub: TestHub,
  load: number,
  paths: readonly string[] = LISTS.map(([path]) => path),
): Promise<void> {
  const { page } = opened;
  for (const [path, row] of LISTS) {
    if (!paths.includes(path)) continue;
    await goTo(page, hub, path);
    const shown = page.getByText(/^1–[\d,]+/).first();
    for (let rows = 50; rows < load; rows += 50) {
      await scrollToEnd(page);
      await page.getByRole('button', { name: 'Load more' }).first().click();
      const range = new RegExp(`^1–${(rows + 50).toLocaleString('en-US')}\\b`);
      await expect
        .poll(async () => [path, await shown.textContent()], { timeout: 60_000 })
        .toEqual([path, expect.stringMatching(range)]);
    }
    expect([path, await shown.textContent()]).toEqual([path, expect.stringMatching(/^1–/)]);
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${part})`);
      const inSight = await expectRowsInSight(page, row);
      expect([path, part, inSight <= MOST_IN_DOCUMENT]).toEqual([path, part, true]);
    }
    expect(await page.locator('table[aria-rowcount]').first().getAttribute('aria-rowcount')).toBe(
      String(load + 1),
    );
  }
  await expectSound(opened);
}

/** Scrolls to the end as a person does before pressing something there: rows on the way are measured by then. */
async function scrollToEnd(page: Page): Promise<void> {
  let before = -1;
  const settles = async () => {
    const height = await page.evaluate<number>(
      `(scrollTo(0, document.documentElement.scrollHeight), new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(document.documentElement.scrollHeight)))))`,
    );
    const isSame = height === before;
    before = height;
    return isSame;
  };
  await expect.poll(settles, { ...PATIENCE, interval: 20 }).toBe(true);
}

/** Rows are where the person looks, however far they scrolled; gives how many are in the document. */
async function expectRowsInSight(page: Page, row: string): Promise<number> {
  const seen = () =>
    page.getByTestId(row).evaluateAll(
      (all) =>
        all.filter((item) => {
          const box = item.getBoundingClientRect();
          return box.bottom > 0 && box.top < item.ownerDocument.documentElement.clientHeight;
        }).length,
    );
  await expect.poll(seen, PATIENCE).toBeGreaterThan(0);
  return page.getByTestId(row).count();
}

/** Checks that filters in an address apply when it opens, and that chosen filters are written into the address. */
export async function followLinks({ page }: Opened, hub: TestHub, devices: number): Promise<void> {
  const last = `host-${String(devices).padStart(6, '0')}`;
  await goTo(page, hub, `devices?query=${last}`);
  await expect.poll(() => page.getByTestId('device-row').count(), PATIENCE).toBe(1);
  await page.getByRole('link', { name: last }).click();
  await page.getByRole('heading', { level: 1, name: last }).waitFor();
  await page.goBack();
  await page.getByTestId('device-row').filter({ hasText: last }).waitFor();
  await goTo(page, hub, 'devices');
  await page.getByLabel('Platform').selectOption({ label: 'macOS' });
  await expect.poll(() => new URL(page.url()).search, PATIENCE).toBe('?platform=darwin');
  await expect
    .poll(async () => {
      const texts = await page.getByTestId('device-row').allTextContents();
      return texts.every((text) => text.includes('macOS'));
    }, PATIENCE)
    .toBe(true);
  await goTo(page, hub, 'inventory/all?kind=mcp_server&query=product-1');
  const names = await page.getByTestId('application-row').allTextContents();
  expect(names.length).toBeGreaterThan(0);
  expect(names.every((text) => text.includes('MCP server') && text.includes('product-1'))).toBe(
    true,
  );
  await goTo(page, hub, 'activity/alerts?severity=critical&state=open');
  expect(await page.getByTestId('alert-row').count()).toBeGreaterThan(0);
  await page.getByTestId('open-alerts').getByText('99+').first().waitFor();
}
