// Addresses of earlier navigation lead to the pages of today; main lists begin high on the page.
import { OLD_ADDRESSES } from '@gatewarden/console/src/app/old-addresses.ts';
import { entityId } from '@gatewarden/shared/identity.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBatch, aDevice, anActivity, anAlert, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../support/logs.ts';

let hub: TestHub;
let browser: Browser;
const OWNER = { 'x-subscriber-id': 'ada@example.com' };
const device = aDevice({ hostname: 'nav-laptop' });
const tool = anEntity('nav-tool', { kind: 'ai_tool' });
/** A product of each category, with the risk hints of an MCP server that a runner fetches. */
const PRODUCTS = [
  { kind: 'ai_tool', source: 'ai_cli', name: 'Claude Code' },
  {
    kind: 'mcp_server',
    source: 'claude_desktop',
    name: 'a-server-with-a-name-of-forty-characters',
  },
  { kind: 'application', source: 'homebrew_cask', name: 'Mozilla Firefox' },
  { kind: 'browser_extension', source: 'chrome', name: 'uBlock Origin' },
  { kind: 'package', source: 'npm', name: 'lodash' },
] as const;
const UNPINNED = { command: 'npx', args: ['a-server'], env: ['API_TOKEN'], unpinned: true };

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
  for (const platform of PLATFORMS) {
    const entities = PRODUCTS.map(({ kind, source, name }) =>
      anEntity(name, {
        ...{ entity_id: entityId(platform, kind, source, name), kind, source },
        ...(kind === 'mcp_server' ? { details: { configured: [UNPINNED] } } : {}),
      }),
    );
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice({ platform }), entities),
      headers: OWNER,
    });
  }
  await deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
    body: { device, events: [anActivity()] },
    headers: OWNER,
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert()] },
    headers: OWNER,
  });
  await hub.console('POST', '/overrides', {
    body: {
      ...{ match: { name: 'curl' }, scope: { kind: 'tenant' } },
      ...{ approval_status: 'blocked', execution_policy: 'block' },
    },
  });
  const products = async () => (await hub.console('GET', '/products')).body.items;
  await vi.waitFor(
    async () => expect((await products()).length).toBeGreaterThan(PRODUCTS.length),
    30_000,
  );
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine()]);
  await node.send('mcp-tool-calls', [aToolCallLine()]);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** The main lists, with the test id of their rows. */
const LISTS = [
  ['devices', 'device-row'],
  ['inventory/ai-tools', 'product-row'],
  ['inventory/mcp-servers', 'product-row'],
  ['inventory/apps', 'product-row'],
  ['inventory/extensions', 'product-row'],
  ['inventory/packages', 'product-row'],
  ['policies', 'decision-row'],
  ['inventory/all', 'application-row'],
  ['activity/alerts', 'alert-row'],
  ['activity/enforcement', 'activity-row'],
  ['activity/llm-requests', 'llm-request-row'],
  ['activity/tool-calls', 'tool-call-row'],
  ['activity/audit-log', 'audit-row'],
  ['settings/users', 'user-row'],
] as const;

it('redirects every old address to its page, with its parameters and its query', async () => {
  const { page, context } = await signedIn(browser, hub, 'Admin');
  const ids: Record<string, string> = {
    $entityId: tool.entity_id,
    $deviceId: device.device_id,
    $operationId: 'updateGatewayApp',
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

it('lists begin at 260 pixels or above, with room for 16 rows of 40 pixels', async () => {
  const { page, context } = await signedIn(browser, hub, 'Admin', { width: 1440, height: 900 });
  for (const [path, row] of LISTS) {
    await goTo(page, hub, path);
    const box = await page.getByTestId(row).first().boundingBox();
    expect([path, Math.round(box?.height ?? 0)]).toEqual([path, 40]);
    const top = Math.round(box?.y ?? 900);
    expect([path, top, top <= 260]).toEqual([path, top, true]);
  }
  await context.close();
});

it.each([
  ['inventory/ai-tools', 'Claude Code', false],
  ['inventory/mcp-servers', 'a-server-with-a-name-of-forty-characters', true],
  ['inventory/apps', 'Mozilla Firefox', false],
  ['inventory/extensions', 'uBlock Origin', false],
  ['inventory/packages', 'lodash', false],
])('shows three platforms and whole headers on %s', async (path, name, hasRisks) => {
  const { page, context } = await signedIn(browser, hub, 'Admin', { width: 1440, height: 900 });
  await goTo(page, hub, path);
  const row = page.getByTestId('product-row').filter({ hasText: name });
  const cell = row.locator('td', { hasText: 'Windows 1' });
  for (const platform of ['macOS 1', 'Linux 1', 'Windows 1']) {
    expect(await cell.textContent()).toContain(platform);
  }
  // Chips without room are counted in a last chip; each visible chip is whole.
  const cutChips = await cell.evaluate((box) => {
    const { right } = box.getBoundingClientRect();
    return [...box.querySelectorAll('.gw-badge')].filter((chip) => {
      const area = chip.getBoundingClientRect();
      return (
        chip.checkVisibility({ visibilityProperty: true }) &&
        (area.right > right || area.height > 24)
      );
    }).length;
  });
  expect(cutChips).toBe(0);
  const headers = page.getByRole('columnheader');
  const cut = await headers.evaluateAll((cells) =>
    cells
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
  expect(await page.getByRole('columnheader', { name: 'Risks' }).count()).toBe(hasRisks ? 1 : 0);
  await context.close();
});

it('names platform and author of each policy on a window of 1440 pixels', async () => {
  const product = async () =>
    (await hub.console('GET', '/products?query=claude')).body.items[0]?.product_id;
  await expect.poll(product).toBeDefined();
  for (const platform of [null, 'win32']) {
    const { status } = await hub.console('POST', '/product-policies', {
      body: {
        ...{ product_id: await product(), platform, scope: { kind: 'tenant' } },
        ...{ approval_status: 'blocked', execution_policy: 'block' },
      },
    });
    expect(status).toBe(201);
  }
  const { page, context } = await signedIn(browser, hub, 'Admin', { width: 1440, height: 900 });
  await goTo(page, hub, 'policies');
  const rows = page.getByTestId('decision-row').filter({ hasText: 'Claude Code' });
  for (const platform of ['All platforms', 'Windows']) {
    const row = rows.filter({ hasText: platform });
    await row.getByRole('link', { name: /@/ }).waitFor();
    const cell = row.locator('td', { hasText: platform });
    expect(await cell.evaluate((area) => area.scrollWidth <= area.clientWidth)).toBe(true);
  }
  await context.close();
});
