// A Member's own pages: connecting a client, connecting with servers, and ending the connections in their name.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openPage, settled, signIn } from '../support/console.ts';
import { aPerson, type Person } from '../support/cookie-browser.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import type { Running } from '../support/mcp-servers.ts';
import {
  anUpstreamLogin,
  aProtectedServer,
  type UpstreamLogin,
} from '../support/upstream-login.ts';

let hub: TestHub;
let browser: Browser;
let login: UpstreamLogin;
let server: Running;
let guarded: string;
let person: Person;

beforeAll(async () => {
  browser = await openChromium();
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  login = await anUpstreamLogin();
  server = await aProtectedServer(login);
  const add = async (slug: string, name: string, kind: string) =>
    (
      await hub.console('POST', '/mcp/backends', {
        body: { slug, name, url: server.url, auth: { kind } },
      })
    ).body.backend.id as string;
  guarded = await add('guarded', 'Guarded <b>files</b>', 'oauth');
  await add('keyed', 'Keyed notes', 'personal_key');
  await add('open', 'Open calendar', 'passthrough');
  person = await aPerson(hub, 'Member');
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await server?.close();
  await login?.close();
});

const member = async (view = {}) => {
  const opened = await openPage(browser, view);
  await signIn(opened.page, hub, person);
  await settled(opened.page);
  return opened;
};
const row = (page: Page, name: string) =>
  page.getByTestId('own-server-row').filter({ hasText: name });

// Both schemes and both widths, each once: colours do not depend on the width.
describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s at %i pixels', (scheme, width) => {
  it('keeps both pages accessible, within the window and free of errors', async () => {
    const opened = await member({ scheme, width });
    await goTo(opened.page, hub, 'my/connect');
    await opened.page.getByRole('heading', { name: 'Claude Code' }).waitFor();
    await expectSound(opened);
    await goTo(opened.page, hub, `my/connect/connections?connect=${guarded}`);
    await row(opened.page, 'Keyed notes').waitFor();
    await expectSound(opened);
    await opened.page.getByRole('button', { name: 'Add key for Keyed notes' }).click();
    await opened.page.getByRole('dialog').waitFor();
    await expectSound(opened);
    await opened.context.close();
  });
});

it('offers a Member their own pages and the API reference only, and explains other pages', async () => {
  const { page, troubles, context } = await member();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  expect(await navigation.getByRole('link').allTextContents()).toEqual([
    'My devices',
    'Connect a client',
    'My requests',
    'My activity',
  ]);
  for (const path of ['inventory/all', 'gateway/mcp-servers', 'alerts', 'settings/users/groups']) {
    await goTo(page, hub, path);
    await page.getByRole('heading', { level: 1, name: 'Not available for your role' }).waitFor();
  }
  await page.getByRole('link', { name: 'Gatewarden' }).click();
  await page.getByRole('heading', { level: 1, name: 'My devices' }).waitFor();
  await page.getByRole('link', { name: 'Connect a client to the MCP gateway' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('copies a gateway configuration for all servers or a single server, without secrets', async () => {
  const { page, troubles, context } = await member();
  await goTo(page, hub, 'my/connect');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (label: string) => {
    const button = page.getByRole('button', { name: `Copy: ${label}`, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => button.textContent()).toBe('Copied');
    return (await page.evaluate('navigator.clipboard.readText()')) as string;
  };
  const all = `${hub.url}/gwone/${hub.tenantId}/mcp`;
  expect(await copied('Claude Code')).toBe(`claude mcp add --transport http gatewarden ${all}`);
  const cursor = new URL(
    (await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')) ?? '',
  );
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: all });
  await page.getByLabel('Servers').selectOption({ label: 'Open calendar' });
  await page.getByText('only available at its own URL').waitFor();
  expect(await copied('Claude Code')).toBe(
    `claude mcp add --transport http open ${hub.url}/open/mcp`,
  );
  const code =
    (await page.getByRole('link', { name: 'Add to VS Code' }).getAttribute('href')) ?? '';
  expect(JSON.parse(decodeURIComponent(code.split('?')[1] ?? ''))).toEqual({
    name: 'open',
    type: 'http',
    url: `${hub.url}/open/mcp`,
  });
  expect(await page.content()).not.toMatch(/gw[a-z]_[A-Za-z0-9]{10}/);
  expect(troubles).toEqual([]);
  await context.close();
});

it('connects and disconnects a server by keyboard for a user whose call waits', async () => {
  const { page, troubles, context } = await member();
  await goTo(page, hub, `my/connect/connections?connect=${guarded}`);
  await page.getByText('is waiting for you').waitFor();
  const connect = page.getByRole('status').getByRole('button', { name: /^Connect to Guarded/ });
  await connect.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/connected=/);
  await page.getByText('You are connected to Guarded <b>files</b>').waitFor();
  expect(await row(page, 'Guarded').textContent()).toContain('Connected');
  await page.getByRole('button', { name: /^Disconnect from Guarded/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => row(page, 'Guarded').textContent()).toContain('Not connected');
  expect(login.live.size).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('reports a login without a response on the page of the user', async () => {
  const { page, context } = await member();
  login.mood.noRegistration = true;
  const other = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'closed', name: 'Closed', url: `${server.url}`, auth: { kind: 'oauth' } },
  });
  expect(other.status).toBe(201);
  await goTo(page, hub, 'my/connect/connections');
  await page.getByRole('button', { name: 'Connect to Closed' }).click();
  await page.getByText('An admin needs to enter a client ID').waitFor();
  login.mood = {};
  await context.close();
});

it("stores a user's own key, never shows it again, and removes it", async () => {
  const { page, troubles, context } = await member();
  await goTo(page, hub, 'my/connect/connections');
  await page.getByRole('button', { name: 'Add key for Keyed notes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add key' }).click();
  await dialog.getByText('Enter a key').waitFor();
  await dialog.getByLabel('Key', { exact: false }).first().fill('my-very-own-key');
  await dialog.getByRole('button', { name: 'Add key' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => row(page, 'Keyed').textContent()).toContain('Connected');
  await page.reload();
  await settled(page);
  expect(await page.content()).not.toContain('my-very-own-key');
  await page.getByRole('button', { name: 'Remove key for Keyed notes' }).click();
  await dialog.getByRole('button', { name: 'Remove key' }).click();
  await expect.poll(() => row(page, 'Keyed').textContent()).toContain('Not connected');
  expect(troubles).toEqual([]);
  await context.close();
});
