// The history of an app's configuration: what going back changes, also while another hub process stores a change.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let secondHub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  const config = hubConfig(await cloneDatabase());
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
});
afterAll(async () => {
  await browser?.close();
  await secondHub?.stop();
  await hub?.stop();
});

const gateway = async (at: TestHub, method: string, path: string, body?: unknown, headers = {}) =>
  at.console(method, `/gateway${path}`, {
    ...(body === undefined ? {} : { body }),
    ...{ tenantId: hub.tenantId, token: await at.tokenFor('Admin', hub.tenantId) },
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });

async function limitTo(at: TestHub, app: string, timeout: number): Promise<void> {
  const path = `/app?app_name=${app}`;
  const { version } = (await gateway(at, 'GET', path)).body.app;
  const changed = await gateway(
    at,
    'PATCH',
    path,
    { limits: { timeout } },
    { 'if-match': version },
  );
  expect(changed.status).toBe(200);
}

it('previews the changes of a restore against the newest version, which another hub stored', async () => {
  const settings = { api_key: 'sk-stored' };
  const provider = { label: 'main', provider_name: 'vendorA', provider_settings: settings };
  expect((await gateway(hub, 'POST', '/providers', provider)).status).toBe(201);
  const created = await gateway(hub, 'POST', '/apps', { name: 'app', provider_labels: ['main'] });
  expect(created.status).toBe(201);
  for (const timeout of [10, 20]) await limitTo(hub, 'app', timeout);
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'gateway/apps/app?tab=versions');
  const rows = page.getByTestId('version-row');
  await expect.poll(() => rows.count()).toBe(2);
  await rows.last().getByRole('button', { name: 'Show' }).click();
  const dialog = page.getByRole('dialog');
  const change = dialog.getByLabel('Configuration change');
  await change.locator('ins', { hasText: '"timeout": 10' }).waitFor();
  const back = dialog.getByLabel('Changes if you restore this version');
  await back.locator('del', { hasText: '"timeout": 20' }).waitFor();
  await back.locator('ins', { hasText: '"timeout": 10' }).waitFor();
  await limitTo(secondHub, 'app', 30);
  const newer = back.locator('del', { hasText: '"timeout": 30' });
  await newer.waitFor();
  // The version before this change may now be restored only with a preview that includes the change.
  await page.reload();
  await newer.waitFor();
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await gateway(secondHub, 'GET', '/app?app_name=app')).body.app.limits).toEqual({
    timeout: 10,
  });
  await expect.poll(() => rows.count()).toBe(4);
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('button', { name: 'Show' }).click();
    await dialog.getByText('This is the current configuration.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect(troubles).toEqual([]);
  await context.close();
});
