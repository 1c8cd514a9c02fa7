// The start page: empty, filled, live; each number leads to the list that it counts.
import { countDays } from '@gatewarden/hub/src/features/devices/trends/index.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

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

it('shows an empty tenant its first steps, and fills while it is open', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
  await settled(page);
  expect(new URL(page.url()).pathname).toBe(`/console/t/${hub.tenantId}/home`);
  await page.getByText('No devices yet').waitFor();
  await page.getByText('You’re all caught up. Nothing to review.').waitFor();
  const device = aDevice();
  const entities = ['first', 'second'].map((name) =>
    anEntity(name, { kind: 'mcp_server', source: 'mcp_config' }),
  );
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, entities) });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert({ severity: 'critical' })] },
  });
  const toDecide = page.getByRole('region', { name: 'Needs review' });
  await expect
    .poll(() => toDecide.getByTestId('overview-row').allTextContents())
    .toEqual([expect.stringMatching(/MCP.*2/)]);
  await page.getByRole('region', { name: 'Open alerts' }).getByText('Critical').waitFor();
  await toDecide.getByRole('link').click();
  await settled(page);
  expect(page.url()).toContain('/inventory/mcp-servers?');
  expect(page.url()).toContain('approval_status=pending');
  await expect.poll(() => page.getByTestId('product-row').count()).toBe(2);
  // Each number is the length of the list that it leads to.
  await page.goto(`${hub.url}/console/t/${hub.tenantId}/home`);
  await settled(page);
  const rows = page.getByTestId('overview-row');
  const numbers: [string, number][] = [];
  for (const row of await rows.all()) {
    const href = await row.getByRole('link').getAttribute('href');
    numbers.push([href ?? '', Number(await row.locator('.gw-num').textContent())]);
  }
  expect(numbers.map(([href]) => new URL(href, hub.url).search)).toEqual(
    expect.arrayContaining(['?seen=today', '?fresh=week&sort=-first_seen_at']),
  );
  for (const [href, number] of numbers) {
    await page.goto(`${hub.url}${href}`);
    await settled(page);
    const listed = page.locator('tbody tr[data-testid$="-row"]');
    await expect.poll(async () => [href, await listed.count()]).toEqual([href, number]);
  }
  expect(troubles).toEqual([]);
  await context.close();
});

it('has no serious accessibility finding with the charts of the trends, in both themes', async () => {
  const installed_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const tool = anEntity('charted', { kind: 'ai_tool', installed_at });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(aDevice(), [tool]) });
  await expect
    .poll(async () => {
      await countDays(hub.context.database.db);
      const { body } = await hub.console('GET', '/trends');
      return body.series.find((item: { series: string }) => item.series === 'ai_tools')?.days
        .length;
    })
    .toBeGreaterThan(1);
  const opened = await signedIn(browser, hub, 'Admin');
  const { page } = opened;
  await goTo(page, hub, 'home');
  await page.getByRole('button', { name: 'Show numbers: AI tools by day' }).waitFor();
  await page.getByTestId('trend-tile').locator('svg').first().waitFor({ state: 'attached' });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectSound(opened);
  }
  await goTo(page, hub, 'settings/users');
  await page.getByRole('button', { name: 'Invite user' }).waitFor();
  const regions = await page.getByRole('region').all();
  const names = await Promise.all(regions.map((region) => region.getAttribute('aria-label')));
  expect(names).toEqual([...new Set(names)]);
  await opened.context.close();
});

it('serves compressed files to a browser that accepts them', async () => {
  const page = await (await fetch(`${hub.url}/console/`)).text();
  const script = /src="([^"]+index-[^"]+)"/.exec(page)?.[1] ?? '';
  for (const [takes, gets] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ]) {
    const answer = await fetch(`${hub.url}${script}`, {
      headers: { 'accept-encoding': takes ?? '' },
    });
    expect(answer.status).toBe(200);
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      gets,
      'accept-encoding',
    ]);
    expect((await answer.text()).length).toBeGreaterThan(100_000);
  }
});
