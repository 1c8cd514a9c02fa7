// Logs, usage and cost, and metrics in the console, for a Viewer.
import { randomUUID } from 'node:crypto';
import { toLocalInput } from '@gatewarden/console/src/ui/time-text.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine, minutesAgo } from '../support/logs.ts';
import { makeApp, manage } from '../support/management.ts';

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

describe('logs', () => {
  it('finds log rows by filters in the URL, and explains a blocked row', async () => {
    await makeApp(await manage(hub), 'logged');
    const node = await aNode(hub, hub.tenantId);
    const id = randomUUID();
    const user = { user_email: 'ada@example.com' };
    const blocked = {
      metadata: user,
      guardrails: {
        is_blocked: true,
        actions_and_categories: { block: { prompt_injection: ['override'] } },
      },
    };
    const sent = await node.send('llm-requests', [
      aRequestLine({ id, model: 'model-1' }, blocked),
      aRequestLine({ model: 'model-2' }),
      aRequestLine({ model: 'model-2', timestamp: minutesAgo(20) }),
    ]);
    expect(sent.status).toBe(202);
    const calls = await node.send('mcp-tool-calls', [
      aToolCallLine({ tool_name: 'forecast' } as object),
    ]);
    expect(calls.status).toBe(202);
    const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
    await goTo(page, hub, 'activity/llm-requests');
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(3);
    await page.getByRole('button', { name: 'Filters' }).click();
    const blockedFacet = page.getByTestId('facet-status').getByRole('button', { name: 'Blocked' });
    await blockedFacet.click();
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(1);
    expect(page.url()).toContain('status=blocked');
    await page.getByTestId('llm-request-row').getByRole('button', { name: 'Show' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(id, { exact: true }).waitFor();
    await dialog.getByText('prompt_injection', { exact: false }).first().waitFor();
    // The chain names the app's configuration at the time of the request, and its author.
    await dialog.getByRole('button', { name: `Why: ${id}` }).click();
    const chain = page.getByTestId('why');
    await chain.getByText('block · prompt_injection · override').waitFor();
    await chain.getByText('Initial configuration').waitFor();
    await chain.getByText('App created', { exact: false }).waitFor();
    await chain.getByText('Reported by a gateway node node', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await chain.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').textContent()).toBe('Why?');
    // An address of both: the chain lies on top, whichever of them came first, and only it closes.
    await page.keyboard.press('Enter');
    await chain.waitFor();
    await page.reload();
    await chain.getByText('Initial configuration').click();
    await page.keyboard.press('Escape');
    await chain.waitFor({ state: 'detached' });
    // The opened row has an address of its own.
    await page.reload();
    await dialog.getByText(id, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(1);
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await blockedFacet.click();
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(3);
    const moment = toLocalInput(minutesAgo(25));
    const chooseTimes = () => page.getByRole('button', { name: 'Custom' }).click();
    await chooseTimes();
    await page.getByLabel('From', { exact: true }).fill(moment);
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(1);
    const { searchParams } = new URL(page.url());
    expect(toLocalInput(searchParams.get('from'))).toBe(moment);
    await page.reload();
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(1);
    await chooseTimes();
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(moment);
    await page.getByLabel('From', { exact: true }).fill('');
    await expect.poll(() => page.url()).not.toContain('from=');
    await page.getByLabel('To', { exact: true }).fill(moment);
    await expect.poll(() => page.getByTestId('llm-request-row').count()).toBe(2);
    await page.getByText('All', { exact: true }).click();
    await expect.poll(() => page.url()).not.toContain('to=');
    await goTo(page, hub, 'activity/tool-calls');
    await expect.poll(() => page.getByTestId('tool-call-row').count()).toBe(1);
    // The log has no row for the end of the call.
    const call = page.getByTestId('tool-call-row');
    expect(await call.textContent()).toContain('Incomplete');
    await call.getByRole('button', { name: 'Show' }).click();
    await dialog.getByText('weather', { exact: true }).waitFor();
    await page.reload();
    await dialog.getByText('weather', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByTestId('tool-call-row').getByRole('button', { name: 'Why' }).click();
    await chain.getByText('No server with this name.').waitFor();
    await page.reload();
    await chain.getByText('The rule that applied at the call wasn’t recorded.').waitFor();
    await page.keyboard.press('Escape');
    await chain.waitFor({ state: 'detached' });

    await goTo(page, hub, 'gateway/usage?by=app,model');
    await expect.poll(() => page.getByTestId('usage-row').count()).toBe(2);
    const total = (await page.getByTestId('usage-total').textContent()) ?? '';
    expect(total).toContain('3');
    // No price was known: what they cost is not nothing.
    expect(total).not.toContain('$');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect((await download.path()).length).toBeGreaterThan(0);
    // The chart shows fewer series than there are, and the page states that.
    const many = Array.from({ length: 16 }, (_, i) => aRequestLine({ model: `many-${i}` }));
    expect((await node.send('llm-requests', many)).status).toBe(202);
    await goTo(page, hub, 'gateway/usage?by=model');
    await page.getByText('Top 15 of 18. The table lists all.').waitFor();
    // People type a date as month, day and year, digit by digit.
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.type('11022026', { delay: 60 });
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-11-02');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-11-02');
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await page.getByText('Choose a day after the start day.').waitFor();
    await goTo(page, hub, 'gateway/usage/metrics');
    await page.getByText('Prompt injections', { exact: true }).waitFor();
    const picture = page.getByRole('img', { name: 'Traffic by app' });
    await picture.waitFor();
    // The same numbers as a table, and nothing of either is cut off on a telephone.
    const table = page.getByRole('table', { name: 'Traffic by app' }).getByTestId('metric-row');
    const shares = (await table.locator('.gw-num').allTextContents()).sort();
    expect(shares.length).toBeGreaterThan(0);
    expect((await picture.locator('.gw-num').allTextContents()).sort()).toEqual(shares);
    await page.setViewportSize({ width: 360, height: 740 });
    const cut = picture.locator('.gw-num').evaluateAll(
      (all) =>
        all.filter((item) => {
          const frame = item.closest('.gw-bars')?.getBoundingClientRect().right ?? 0;
          return item.getBoundingClientRect().right > frame + 1;
        }).length,
    );
    expect(await cut).toBe(0);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
