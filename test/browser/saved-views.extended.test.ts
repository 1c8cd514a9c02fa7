// Views that a person keeps of the list, downloads of it, and what is named where it is explained.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const device = aDevice();
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const things = ['alpha', 'beta', 'gamma'].map((name) => anEntity(name, { kind: 'ai_tool' }));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, things) });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

it('names the subject of a policy in its reasons, and records no device view for a list of policies', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const app = (await hub.console('GET', '/discovered-apps?query=gamma')).body.items[0];
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: app.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'device', device_id: device.device_id },
      },
    })
  ).body;
  await goTo(page, hub, `policies?override_id=${override.override_id}`);
  const row = page.getByTestId('decision-row');
  await row.getByRole('link', { name: device.hostname }).waitFor();
  await row.getByRole('button', { name: 'Why: gamma' }).click();
  const decision = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'One device' });
  await decision.getByText('gamma', { exact: true }).waitFor();
  const looks = await hub.context.database.pool.query(
    "SELECT 1 FROM audit_events WHERE operation = 'device.view'",
  );
  expect(looks.rows).toEqual([]);
  await hub.console('DELETE', `/overrides/${override.override_id}`, {
    headers: { 'if-match': override.version },
  });
  expect(troubles).toEqual([]);
  await context.close();
});

it('saves and restores a view, and downloads the list as filtered', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/all?query=beta');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('View name').fill('Only beta');
  await page.keyboard.press('Enter');
  await page.getByText('View saved.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('applications.csv');
  await goTo(page, hub, 'inventory/all');
  await expect.poll(() => page.getByTestId('application-row').count()).toBe(3);
  const views = page.getByLabel('Saved views');
  await views.selectOption({ label: 'Only beta' });
  await expect.poll(() => page.getByTestId('application-row').count()).toBe(1);
  expect(await views.locator('option:checked').textContent()).toBe('Only beta');
  await page.getByLabel('Type').selectOption('AI tool');
  await expect.poll(() => views.inputValue()).toBe('');
  expect(troubles).toEqual([]);
  await context.close();
});

it('reports a saved view with an unknown filter, and removes a view that was deleted elsewhere', async () => {
  const reviewer = await signedIn(browser, hub, 'Reviewer');
  const { page, context } = reviewer;
  // The view is stored in the format of an earlier console.
  const kept = await page.evaluate(`(async () => {
    const session = await (await fetch('/console/api/v1/session')).json();
    const made = await fetch('/console/api/v1/tenants/${hub.tenantId}/own/views', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
      body: JSON.stringify({ list: 'applications', name: 'Old', search: { query: 'beta', colour: 'red', kind: 'spaceship' } }),
    });
    return (await made.json()).view.view_id;
  })()`);
  await goTo(page, hub, 'inventory/all');
  await page.getByLabel('Saved views').selectOption({ label: 'Old' });
  await page.getByText(/Some filters of this view no longer exist \(.*kind, colour/).waitFor();
  await expect.poll(() => page.getByTestId('application-row').count()).toBe(1);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('View name').fill(' old ');
  await page.getByText('You already have a view with this name').waitFor();
  await hub.context.database.pool.query('DELETE FROM saved_views WHERE view_id = $1', [kept]);
  await page.getByRole('button', { name: 'Delete the view Old' }).click();
  await page.getByRole('alert').filter({ hasText: 'Couldn’t save changes' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Delete the view' }).count()).toBe(0);
  await context.close();
});
