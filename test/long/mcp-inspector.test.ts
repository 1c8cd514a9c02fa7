// The command line of the MCP inspector against the gateway, in both revisions; its person signs in in Chromium. It is
// 110 MB of packages, so it is installed for this run only. What CI has of it is the client library that it is made of.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { openPage } from '../support/console.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, PASSWORD } from '../support/mcp-client.ts';
import { aModernServer, type Running } from '../support/mcp-servers.ts';
import { freePort } from '../support/programs.ts';

const run = promisify(execFile);
const VERSION = '2.12.0';

let hub: TestHub;
let browser: Browser;
let server: Running;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspector-'));
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...install, `@modelcontextprotocol/inspector@${VERSION}`]);
  program = join(folder, 'node_modules/.bin/mcp-inspector');
  browser = await openChromium();
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  server = await aModernServer();
  const body = { slug: 'modern', name: 'Modern', url: server.url, auth: { kind: 'none' } };
  expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const target = (method: string, ...more: string[]) => [
  program,
  '--cli',
  `${hub.url}/gwone/mcp`,
  ...['--transport', 'http', '--method', method, '--format', 'json', ...more],
];
const env = () => ({ ...process.env, HOME: folder, PATH: process.env.PATH ?? '', BROWSER: 'true' });

it.each(['legacy', 'modern'])(
  'lists and calls in the %s revision',
  async (era) => {
    const token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
    const more = ['--protocol-era', era, '--header', `Authorization: Bearer ${token}`];
    const listed = await run(process.execPath, target('tools/list', ...more), { env: env() });
    expect(listed.stdout).toContain('modern__greet');
    const called = await run(
      process.execPath,
      target('tools/call', '--tool-name', 'modern__greet', ...more),
      { env: env() },
    );
    expect(called.stdout).toContain('hello');
  },
  120_000,
);

it('lists after its person signed in', async () => {
  const person = await aPerson(hub);
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  // It asks for a sign-in at a terminal only.
  const command = [process.execPath, ...target('tools/list', '--callback-url', callback)].join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: env(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  for await (const line of createInterface({ input: child.stdout })) {
    output += line;
    const url = /http:[^\s\p{Cc}]+\/oauth\/authorize\?[^\s\p{Cc}]+/u.exec(line)?.[0];
    if (url === undefined) continue;
    const { page, context } = await openPage(browser);
    await page.goto(url);
    await page.getByRole('button', { name: 'Allow and sign in' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/oauth\/callback/);
    await context.close();
  }
  expect([await ended, output]).toEqual([0, expect.stringContaining('modern__greet')]);
}, 120_000);
