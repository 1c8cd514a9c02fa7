// Usage over time for a Viewer: a chart by keyboard, its table, other measures, and both themes.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine } from '../support/logs.ts';
import { makeProvider, manage } from '../support/management.ts';

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

const DAY_MS = 86_400_000;

/** Sends a request of each of eight apps on each of eight days; each costs a dollar. */
async function sendRequests(): Promise<void> {
  await makeProvider(await manage(hub), 'priced', {
    selected_models: ['gpt-4.1'],
    model_costs: { 'gpt-4.1': { input_per_1m: 1_000 } },
  });
  const node = await aNode(hub, hub.tenantId);
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const lines = Array.from({ length: 64 }, (_, i) =>
    aRequestLine(
      {
        timestamp: new Date(midnight - (i % 8) * DAY_MS).toISOString(),
        ...{ provider: 'priced', model: 'gpt-4.1' },
      },
      { app: { name: `app-${Math.floor(i / 8)}` }, tokens: { request: 1_000 } },
    ),
  );
  expect((await node.send('llm-requests', lines)).status).toBe(202);
}

it('shows usage over time as a chart and as a table in both themes, by keyboard', async () => {
  await sendRequests();
  for (const scheme of ['light', 'dark'] as const) {
    const opened = await signedIn(browser, hub, 'Viewer', { scheme });
    const { page, context } = opened;
    await goTo(page, hub, 'gateway/usage');
    const section = page.getByRole('region', { name: 'Usage over time' });
    const series = section.getByTestId('daily-usage-series');
    await expect.poll(() => series.count()).toBe(7);
    expect(await series.last().textContent()).toBe('Other (2)$14.00');
    const total = (await page.getByTestId('usage-total').textContent()) ?? '';
    expect(total).toContain('$56.00');
    await section.getByText('$56.00', { exact: true }).waitFor();
    // Arrow keys move through the days.
    await section.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await section.getByText('Other (2)', { exact: true }).nth(1).waitFor();
    await expectSound(opened);
    await section.getByRole('button', { name: 'Show table' }).press('Enter');
    await expect.poll(() => section.getByTestId('daily-usage-row').count()).toBe(7);
    await section.getByLabel('Measure').selectOption('tokens');
    await section.getByLabel('Stack by').selectOption('model');
    const table = section.getByRole('table', { name: 'Tokens per day by model' });
    await expect
      .poll(() => table.getByTestId('daily-usage-row').first().textContent())
      .toMatch(/8,0008,000$/);
    await expect.poll(() => page.url()).toContain('measure=tokens&stack=model');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectSound(opened);
    await context.close();
  }
});
