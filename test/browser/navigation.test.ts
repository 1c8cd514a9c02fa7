// The console's navigation: areas, tabs, the members' portal, search, and sorting of lists.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openTab, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const OWNER = { 'x-subscriber-id': 'ada@example.com' };
const device = aDevice({ hostname: 'nav-laptop' });
const tool = anEntity('nav-tool', { kind: 'ai_tool' });

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [tool, anEntity('nav-app', { kind: 'application' })]),
    headers: OWNER,
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice({ hostname: 'spare-laptop' }), [anEntity('plain-package')]),
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
    body: { device, events: [anActivity()] },
    headers: OWNER,
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** The texts of links, without counts. */
async function textsOf(page: Page, navigation: string): Promise<string[]> {
  const links = page.getByRole('navigation', { name: navigation }).getByRole('link');
  return (await links.allTextContents()).map((text) =>
    text.replace(/\d+ open$/, '').replace(/\d+$/, ''),
  );
}

describe('areas', () => {
  it('shows seven navigation entries, each with its tabs', async () => {
    const opened = await signedIn(browser, hub, 'Admin');
    const { page, context } = opened;
    expect(await textsOf(page, 'Main')).toEqual([
      'Home',
      'Inventory',
      'Devices',
      'Policies',
      'Activity',
      'AI gateway',
      'Settings',
    ]);
    for (const [area, tabs] of [
      ['Inventory', /^AI tools MCP servers Apps Extensions Packages Unidentified processes$/],
      ['Devices', /^All devices Groups Agent versions$/],
      ['Policies', /^App policies Defaults Access requests Rollouts$/],
      ['Activity', /^Alerts Enforcement LLM requests Tool calls Audit log$/],
      ['AI gateway', /^Usage Apps and keys Providers Guardrails Published MCP .* Tool approvals$/],
      ['Settings', /^Users and groups Sign-in and SCIM Notifications .* API reference$/],
    ] as const) {
      await page.getByRole('navigation', { name: 'Main' }).getByText(area).click();
      await page.getByRole('navigation', { name: `${area} pages` }).waitFor();
      expect((await textsOf(page, `${area} pages`)).join(' ')).toMatch(tabs);
      await settled(page);
    }
    await expectSound(opened);
    await context.close();
  });

  it('marks the tab in sight, which the keyboard opens', async () => {
    const { page, context } = await signedIn(browser, hub, 'Admin');
    await openTab(page, 'Policies', 'Defaults');
    const tabs = page.getByRole('navigation', { name: 'Policies pages' });
    await page.getByRole('heading', { level: 1, name: 'Default policies' }).waitFor();
    expect(await tabs.locator('[aria-current="page"]').allTextContents()).toEqual(['Defaults']);
    await tabs.getByRole('link', { name: 'App policies' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Access requests' }).waitFor();
    await context.close();
  });

  it('keeps the entry of the area in view at 1280 by 720', async () => {
    const { page, context } = await signedIn(browser, hub, 'Admin', { width: 1280, height: 720 });
    for (const path of ['home', 'inventory/ai-tools', 'gateway/mcp-access', 'settings/data']) {
      await goTo(page, hub, path);
      const entry = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
      expect(await entry.count()).toBe(1);
      const box = await entry.boundingBox();
      expect(box === null ? 0 : box.y + box.height).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(720);
    }
    await context.close();
  });

  it('opens Inventory with AI tools, and each list has its kinds only', async () => {
    const { page, context } = await signedIn(browser, hub, 'Viewer');
    await page.getByRole('navigation', { name: 'Main' }).getByText('Inventory').click();
    await page.getByRole('heading', { level: 1, name: 'AI tools' }).waitFor();
    await page.getByTestId('product-row').filter({ hasText: 'nav-tool' }).waitFor();
    expect(await page.getByTestId('product-row').count()).toBe(1);
    await openTab(page, 'Inventory', 'Apps');
    await page.getByTestId('product-row').filter({ hasText: 'nav-app' }).waitFor();
    await expect.poll(() => page.getByTestId('product-row').count()).toBe(1);
    await context.close();
  });
});

it('shows members four tabs, and their sessions in the account menu', async () => {
  const opened = await signedIn(browser, hub, 'Member');
  const { page, context } = opened;
  const tabs = ['My devices', 'Connect a client', 'My requests', 'My activity'];
  expect(await textsOf(page, 'Main')).toEqual(tabs);
  for (const name of tabs) {
    await page.getByRole('navigation', { name: 'Main' }).getByText(name).click();
    await page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]').waitFor();
    await settled(page);
    await expectSound(opened);
  }
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  await page.getByTestId('session-row').waitFor();
  await context.close();
});

describe('search', () => {
  it('opens with Ctrl-K, finds by a piece of a name, and opens a result with the arrow keys', async () => {
    const opened = await signedIn(browser, hub, 'Admin');
    const { page, context } = opened;
    await goTo(page, hub, 'devices');
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search the console' });
    await dialog.getByText('Type a name').waitFor();
    await expectSound(opened);
    await page.keyboard.type('nav-');
    const results = page.getByTestId('search-result');
    await results.filter({ hasText: 'nav-laptop' }).waitFor();
    await expect
      .poll(() => results.allTextContents())
      .toEqual([
        // Products, then apps by platform, then devices.
        ...['nav-app', 'nav-tool', 'nav-app', 'nav-tool', 'nav-laptop'].map((name) =>
          expect.stringContaining(name),
        ),
      ]);
    await expectSound(opened);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'nav-tool' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });

  it('finds pages, reports that nothing matches, and returns the focus at Escape', async () => {
    const { page, context } = await signedIn(browser, hub, 'Viewer');
    await goTo(page, hub, 'devices');
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search the console' });
    await dialog.getByRole('textbox').fill('no-such-thing');
    await dialog.getByText('No results for “no-such-thing”.').waitFor();
    await dialog.getByRole('textbox').fill('rollouts');
    await page.getByTestId('search-result').filter({ hasText: 'Rollouts' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rollouts' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Search' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    await expect.poll(() => focused.textContent()).toContain('Search');
    await context.close();
  });

  it('ignores single keys once they are switched off, and keeps Ctrl-K', async () => {
    const { page, context } = await signedIn(browser, hub, 'Admin');
    await goTo(page, hub, 'inventory/all');
    await page.getByTestId('application-row').first().waitFor();
    await page.keyboard.press('j');
    expect(await page.locator(':focus').textContent()).toMatch(/^nav-/);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByTestId('application-row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('/');
    expect(await page.locator(':focus').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search the console' }).waitFor();
    await context.close();
  });
});

it('links addresses in tables to the user’s page, with devices, use and erasure', async () => {
  const opened = await signedIn(browser, hub, 'Admin');
  const { page, context } = opened;
  await goTo(page, hub, 'devices');
  await page.getByTestId('device-row').getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
  await page.getByTestId('user-device-row').getByText('nav-laptop').waitFor();
  await settled(page);
  await expectSound(opened);
  await page.getByRole('button', { name: 'Erase user' }).click();
  await page.getByRole('dialog').getByText('ada@example.com').first().waitFor();
  await page.keyboard.press('Escape');
  opened.troubles.length = 0;
  await goTo(page, hub, 'users/nobody%40example.com');
  await page.getByRole('alert').waitFor();
  expect(opened.troubles.join()).toContain('404');
  await context.close();
});

describe('lists at 1440 by 900', () => {
  it('sort by their headers, and remember hidden columns', async () => {
    const opened = await signedIn(browser, hub, 'Admin', { width: 1440, height: 900 });
    const { page, context } = opened;
    await goTo(page, hub, 'devices');
    const header = (name: string) => page.getByRole('columnheader', { name });
    expect(await header('Host name').getAttribute('aria-sort')).toBe('ascending');
    await header('Last seen').getByRole('button').click();
    await page.waitForURL(/sort=-last_seen_at/);
    expect(await header('Last seen').getAttribute('aria-sort')).toBe('descending');
    expect(await header('Host name').getAttribute('aria-sort')).toBe('none');
    await page.getByText(/^1–2 of 2$/).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Agent' }).click();
    await page.keyboard.press('Escape');
    await header('Agent').waitFor({ state: 'detached' });
    await page.reload();
    await header('Platform').waitFor();
    expect(await header('Agent').count()).toBe(0);
    await expectSound(opened);
    await context.close();
  });

  it('retire the selected devices after a question', async () => {
    const { page, context } = await signedIn(browser, hub, 'Admin');
    await goTo(page, hub, 'devices');
    await page.getByLabel('Select spare-laptop').check();
    await page.getByText('1 device selected').waitFor();
    await page.getByRole('button', { name: 'Retire selected' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire selected' }).click();
    await page.getByTestId('device-row').filter({ hasText: 'spare-laptop' }).waitFor({
      state: 'detached',
    });
    const { body } = await hub.console('GET', '/devices?state=retired');
    expect(body.items).toMatchObject([{ hostname: 'spare-laptop' }]);
    await context.close();
  });
});
