// A server that devices use without the gateway: published in three clicks, its tools approved, and a group allowed.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { entityId } from '@gatewarden/shared/identity.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openTab, signedIn } from '../support/console.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { aModernServer, type Running } from '../support/mcp-servers.ts';
import { pageFaults } from '../support/page-checks.ts';

const LOCAL = '@modelcontextprotocol/server-filesystem';
let hub: TestHub;
let browser: Browser;
let server: Running;

beforeAll(async () => {
  browser = await openChromium();
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  server = await aModernServer();
  await report('Notes', { url: server.url });
  await report(LOCAL, { command: 'npx', args: ['-y', LOCAL] });
  for (const name of ['Engineering', 'Sales']) {
    const members = [`${name.toLowerCase()}@example.com`];
    await hub.console('POST', '/people-groups', { body: { name, members } });
  }
  const total = async () => (await hub.console('GET', '/mcp/discovered-servers')).body.total;
  await vi.waitFor(async () => expect(await total()).toBe(2), 30_000);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await server?.close();
});

async function report(name: string, configured: object) {
  const entity = anEntity(name, {
    ...{ entity_id: entityId('linux', 'mcp_server', 'mcp_config', name), kind: 'mcp_server' },
    ...{ source: 'mcp_config', publisher: null, details: { configured: [configured] } },
  });
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [entity]),
  });
  expect(answer.status).toBe(202);
}

it('publishes a discovered server in three clicks, approves its tools, and reserves it for a group', async () => {
  const { page, troubles, context } = await signedIn(browser, hub);
  await openTab(page, 'AI gateway', 'Published MCP servers');
  let clicks = 0;
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name, exact: true }).click();
    clicks++;
  };
  await click('On devices', 'link');
  const rows = page.getByTestId('discovered-server-row');
  const local = rows.filter({ hasText: 'Filesystem' });
  await local.getByText('Host it yourself').waitFor();
  await click('Publish Notes through the gateway');
  await page.getByRole('dialog', { name: 'Publish Notes' }).waitFor();
  await click('Publish server');
  await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
  expect(clicks).toBe(3);

  const steps = page.getByRole('region', { name: 'Next steps' });
  const marks = () =>
    steps.getByRole('img').evaluateAll((icons) => icons.map((icon) => icon.ariaLabel));
  await expect.poll(marks).toEqual(['Open', 'Open', 'Open']);
  await page.getByText('Reachable').waitFor();
  await click('Approve tools');
  const approval = page.getByRole('dialog');
  await approval.getByText('Greets', { exact: true }).waitFor();
  await approval.getByRole('button', { name: 'Approve tools' }).click();
  await expect.poll(marks).toEqual(['Done', 'Open', 'Open']);

  await steps.getByRole('link', { name: 'Choose who may call them' }).click();
  await page.getByRole('button', { name: /^Change access of Engineering to Notes/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change access' });
  await dialog.getByRole('radio', { name: /only for groups with a rule/ }).check();
  await dialog.getByText('Sales: All tools → No tools').waitFor();
  await dialog.getByRole('button', { name: 'Change access' }).click();
  const matrix = page.getByTestId('access-matrix-row');
  await matrix.filter({ hasText: 'Sales' }).getByText('No tools').waitFor();
  await matrix.filter({ hasText: 'Engineering' }).getByText('All tools').waitFor();
  await page.getByTestId('mcp-rule-row').filter({ hasText: 'Engineering' }).waitFor();

  await openTab(page, 'AI gateway', 'Published MCP servers');
  const row = page.getByTestId('mcp-server-row').filter({ hasText: 'Notes' });
  await row.getByText('2 of 2 approved').waitFor();
  await row.getByText('0 of 1 via gateway').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'keeps catalog, discovered servers and matrix accessible in %s at %i pixels',
  async (scheme, width) => {
    const opened = await signedIn(browser, hub, 'Admin', { scheme, width });
    const { page } = opened;
    const dialogs: [path: string, button: RegExp][] = [
      ['gateway/mcp-servers', /^Add server/],
      ['gateway/mcp-servers/discovered', /^Publish/],
      ['gateway/mcp-access', /^Change access of Sales/],
    ];
    for (const [path, name] of dialogs) {
      await goTo(page, hub, path);
      await page.getByRole('row').nth(1).waitFor();
      await expectSound(opened);
      expect(await pageFaults(page, 8)).toEqual([]);
      const button = page.getByRole('button', { name }).first();
      if ((await button.count()) === 0) continue;
      await button.click();
      await page.getByRole('dialog').waitFor();
      await expectSound(opened);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await opened.context.close();
  },
);
