// An MCP client signs its person in through a real browser: consent, login, and back to the client, in the official
// client's own way and under the pages' own Content-Security-Policy.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { openPage } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aProvider } from '../support/mcp-client.ts';

let hub: TestHub;
let browser: Browser;
let client: Server;
let redirectUrl: string;
let arrived: (url: URL) => void = () => undefined;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  client = createServer((request, response) => {
    arrived(new URL(request.url ?? '/', redirectUrl));
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Signed in</title>You may close this.');
  });
  await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
  redirectUrl = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  client?.closeAllConnections();
  client?.close();
});

it('connects a client after its first refusal, without policy violations or accessibility faults', async () => {
  const person = await aPerson(hub, 'Member');
  const own = aProvider(redirectUrl, '<b>Client</b> of a test');
  const url = new URL(`${hub.url}/gwone/mcp`);
  expect(await auth(own as never, { serverUrl: url })).toBe('REDIRECT');
  const { page, troubles, context } = await openPage(browser);
  await page.goto(own.led[0]?.href ?? '');
  expect(await page.getByRole('heading').textContent()).toBe('Allow this app?');
  const main = page.getByRole('main');
  expect(await main.textContent()).toContain('<b>Client</b> of a test');
  expect(await main.textContent()).toContain('127.0.0.1');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: 'Allow and sign in' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  const back = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  await page.getByRole('button', { name: 'Sign in' }).click();
  const answer = await back;
  await page.waitForURL(/\/callback/);
  expect(answer.searchParams.get('iss')).toBe(`${hub.url}/gwone`);
  expect(troubles.filter((trouble) => !trouble.includes('favicon'))).toEqual([]);
  await context.close();
  const code = answer.searchParams.get('code') ?? '';
  expect(
    await auth(
      own as never,
      {
        serverUrl: url,
        authorizationCode: code,
        iss: answer.searchParams.get('iss') ?? undefined,
      } as never,
    ),
  ).toBe('AUTHORIZED');
  const connected = new Client({ name: 'test', version: '1' });
  await connected.connect(new StreamableHTTPClientTransport(url, { authProvider: own as never }));
  expect((await connected.listTools()).tools).toEqual([]);
  await connected.close();
});

it('answers two clients and the console that wait at the login page of the same browser', async () => {
  const person = await aPerson(hub, 'Viewer');
  const { page: first, context } = await openPage(browser);
  const signIn = async (page: Page) => {
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const waiting = [];
  for (const page of [first, await context.newPage()]) {
    const own = aProvider(redirectUrl, 'One of two');
    const url = new URL(`${hub.url}/gwone/mcp`);
    expect(await auth(own as never, { serverUrl: url })).toBe('REDIRECT');
    await page.goto(own.led[0]?.href ?? '');
    await page.getByRole('button', { name: 'Allow and sign in' }).click();
    await page.getByLabel('Password').waitFor();
    waiting.push({ page, own, url, state: own.led[0]?.searchParams.get('state') });
  }
  const desk = await context.newPage();
  await desk.goto(`${hub.url}/console/sign-in`);
  await desk.getByLabel('Password').waitFor();
  for (const { page, own, url, state } of waiting) {
    await signIn(page);
    await page.waitForURL(/\/callback/);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('state')).toBe(state);
    const code = answer.get('code') ?? '';
    const iss = answer.get('iss') ?? undefined;
    const back = { serverUrl: url, authorizationCode: code, iss };
    expect(await auth(own as never, back as never)).toBe('AUTHORIZED');
  }
  await signIn(desk);
  await desk.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(desk.url()).pathname).toMatch(/^\/console\//);
  const left = (await context.cookies()).map((cookie) => cookie.name);
  expect(left.filter((name) => /^gw_(sign_in|oauth_(browser|person))/.test(name))).toEqual([]);
  await context.close();
});

it('returns a user who denies consent to the client with access_denied', async () => {
  const own = aProvider(redirectUrl, '<b>Client</b> of a test');
  await auth(own as never, { serverUrl: new URL(`${hub.url}/gwone/${hub.tenantId}/mcp`) });
  const { page, troubles, context } = await openPage(browser, { scheme: 'dark', width: 360 });
  await page.goto(own.led[0]?.href ?? '');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const back = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  await page.getByRole('button', { name: 'Deny' }).click();
  expect((await back).searchParams.get('error')).toBe('access_denied');
  await page.waitForURL(/\/callback/);
  expect(troubles.filter((trouble) => !trouble.includes('favicon'))).toEqual([]);
  await context.close();
});
