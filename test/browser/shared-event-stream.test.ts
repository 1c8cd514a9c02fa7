// Access to tenants as people meet it in a browser: a single event stream for all tabs, invitations, and a session that ends.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, openPage, signedIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { scimCall } from '../support/scim.ts';

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

async function openStreams(): Promise<number> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  return Number(/^gatewarden_event_streams (\d+)$/m.exec(text)?.[1]);
}

const addGroup = (name: string) => hub.console('POST', '/device-groups', { body: { name } });

it('keeps three tabs live over a single event stream, also after the tab that opened it closes', async () => {
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'devices/groups');
  const tabs = [page, await context.newPage(), await context.newPage()];
  for (const tab of tabs.slice(1)) await goTo(tab, hub, 'devices/groups');
  await expect.poll(openStreams).toBe(1);
  await addGroup('seen by all tabs');
  for (const tab of tabs) await tab.getByText('seen by all tabs').first().waitFor();
  await page.close();
  await expect.poll(openStreams).toBe(1);
  await addGroup('seen by the others');
  for (const tab of tabs.slice(1)) await tab.getByText('seen by the others').first().waitFor();
  await context.close();
  await expect.poll(openStreams).toBe(0);
});

it('asks a person whether to join a tenant that added them', async () => {
  const person = await aPerson(hub, 'Viewer');
  const secondTenant = await hub.newTenant('Harbour <b>& Sons</b>');
  const { body } = await hub.console('POST', '/scim-tokens', {
    tenantId: secondTenant.tenantId,
    token: secondTenant.adminToken,
    body: { name: 'directory', expires_in_days: 30 },
  });
  const provisioned = await scimCall({ url: hub.url, secret: body.secret }, 'POST', '/Users', {
    userName: person.email,
    emails: [{ value: person.email, primary: true }],
    roles: [{ value: 'Viewer' }],
  });
  expect(provisioned.status).toBe(201);
  const { page, troubles, context } = await openPage(browser);
  await page.goto(`${hub.url}/console/`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'You were added to another organization' }).waitFor();
  await page.getByLabel('Harbour <b>& Sons</b>').check();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(/\/console\/t\//);
  await page.goto(`${hub.url}/console/t/${secondTenant.tenantId}/devices`);
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});
