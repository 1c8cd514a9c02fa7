// The console's navigation: areas, tabs, the members' portal, old addresses, and lists that begin high on the page.
import { OLD_ADDRESSES } from '@gatewarden/console/src/app/old-addresses.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openTab, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const device = aDevice({ hostname: 'nav-laptop' });
const tool = anEntity('nav-tool', { kind: 'ai_tool' });

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [tool, anEntity('nav-app', { kind: 'application' })]),
    headers: { 'x-subscriber-id': 'ada@example.com' },
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const textsOf = (page: Page, navigation: string) =>
  page.getByRole('navigation', { name: navigation }).getByRole('link').allTextContents();

describe('areas', () => {
  it('seven entries, each with its tabs', async () => {
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
    await page.getByTestId('application-row').filter({ hasText: 'nav-tool' }).waitFor();
    expect(await page.getByTestId('application-row').count()).toBe(1);
    await openTab(page, 'Inventory', 'Apps');
    await page.getByTestId('application-row').filter({ hasText: 'nav-app' }).waitFor();
    await expect.poll(() => page.getByTestId('application-row').count()).toBe(1);
    await context.close();
  });
});

it('a member has four tabs, and sessions in the account menu', async () => {
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

it('every old address leads to its page, with its parameters and its query', async () => {
  const { page, context } = await signedIn(browser, hub, 'Admin');
  const ids: Record<string, string> = {
    $entityId: tool.entity_id,
    $deviceId: device.device_id,
    $operationId: 'management_patch_apps_app_name',
    $code: 'not_found',
  };
  const fill = (path: string) =>
    path.replace(/\$\w+/g, (name) => ids[name] ?? '0199aaaa-0000-7000-8000-000000000000');
  const base = `/console/t/${hub.tenantId}`;
  for (const { from, to, when } of OLD_ADDRESSES) {
    const query = new URLSearchParams(when).toString();
    await page.goto(`${hub.url}${base}${fill(from)}${query === '' ? '' : `?${query}`}`);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${base}${fill(to)}`);
  }
  await page.goto(`${hub.url}${base}/alerts?state=open&severity=high`);
  await expect.poll(() => new URL(page.url()).pathname).toBe(`${base}/activity/alerts`);
  expect(new URL(page.url()).search).toBe('?state=open&severity=high');
  for (const [path, to] of [
    ['inventory', 'inventory/ai-tools'],
    ['gateway', 'gateway/usage'],
    ['my', 'my/devices'],
  ]) {
    await page.goto(`${hub.url}${base}/${path}`);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${base}/${to}`);
  }
  await context.close();
});
