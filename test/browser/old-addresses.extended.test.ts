// Addresses of earlier navigation lead to the pages of today; main lists begin high on the page.
import { OLD_ADDRESSES } from '@gatewarden/console/src/app/old-addresses.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert()] },
    headers: OWNER,
  });
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
  ['inventory/all', 'application-row'],
  ['activity/alerts', 'alert-row'],
  ['activity/enforcement', 'activity-row'],
  ['activity/llm-requests', 'llm-request-row'],
  ['activity/tool-calls', 'tool-call-row'],
  ['activity/audit-log', 'audit-row'],
  ['settings/users', 'user-row'],
] as const;

it('every old address leads to its page, with its parameters and its query', async () => {
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
