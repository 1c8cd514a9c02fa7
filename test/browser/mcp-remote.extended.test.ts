// `mcp-remote`, by which clients that speak over standard input only reach the gateway: it is refused, registers, sends
// its person to a browser, and lists and calls.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { openPage } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aModernServer, type Running } from '../support/mcp-servers.ts';
import { freePort } from '../support/programs.ts';

const PROGRAM = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js');

let hub: TestHub;
let browser: Browser;
let server: Running;
let folder: string;

beforeAll(async () => {
  browser = await openChromium();
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  server = await aModernServer();
  const body = { slug: 'modern', name: 'Modern', url: server.url, auth: { kind: 'none' } };
  expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  folder = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

it('lists and calls after its person signed in', async () => {
  const person = await aPerson(hub, 'Member');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      PROGRAM,
      `${hub.url}/gwone/mcp`,
      String(await freePort()),
      '--transport',
      'http-only',
      '--debug',
    ],
    env: {
      PATH: '/nonexistent',
      HOME: folder,
      MCP_REMOTE_CONFIG_DIR: folder,
    },
    stderr: 'pipe',
  });
  const signedIn = (async () => {
    for await (const line of createInterface({ input: transport.stderr as Readable })) {
      const url = /http:\S+\/oauth\/authorize\?\S+/.exec(line)?.[0];
      if (url === undefined) continue;
      const { page, context } = await openPage(browser);
      await page.goto(url);
      await page.getByRole('button', { name: 'Allow and sign in' }).click();
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/oauth\/callback/);
      await context.close();
      return;
    }
  })();
  const client = new Client({ name: 'behind mcp-remote', version: '1' });
  await client.connect(transport, { timeout: 120_000 });
  await signedIn;
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain('modern__greet');
  expect(await client.callTool({ name: 'modern__greet', arguments: {} })).toMatchObject({
    content: [{ type: 'text', text: 'hello' }],
  });
  await client.close();
});
