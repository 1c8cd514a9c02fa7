// The policy control in Chromium, the same from an alert, from a user's page and for several products; the list of policies.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const TOOLS = ['alpha', 'beta'];
const alert = anAlert({ application_name: 'alpha' });
const devices = [aDevice({ hostname: 'ida-laptop' }), aDevice({ hostname: 'eve-laptop' })];

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const entities = TOOLS.map((name) => anEntity(name, { kind: 'ai_tool' }));
  for (const [index, user] of ['ida@example.com', 'eve@example.com'].entries()) {
    const device = devices[index];
    if (device === undefined) continue;
    const headers = { 'x-subscriber-id': user };
    const body = aBatch(device, entities);
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body, headers });
    if (index > 0) continue;
    const alerts = { device, alerts: [alert] };
    await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: alerts, headers });
  }
  const total = async () => (await hub.console('GET', '/products')).body.total;
  await vi.waitFor(async () => expect(await total()).toBe(TOOLS.length), 30_000);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const overrides = async () => (await hub.console('GET', '/overrides')).body.items;
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Set policy' });

it('blocks the product of an alert with a click after a preview, and names the policy in force there', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const address = `${alert.alert_id}.${devices[0]?.device_id}`;
  await goTo(page, hub, `activity/alerts?alert=${address}`);
  await page.getByTestId('alert').getByRole('button', { name: 'Block', exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByText(/^Applies to .+ on all platforms/).waitFor();
  await dialog.getByText('No policy applies. This app runs.').waitFor();
  await dialog.getByText('2 devices', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Apply policy' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await overrides()).toMatchObject([
    { execution_policy: 'block', scope: { kind: 'tenant' } },
  ]);

  await page.getByTestId('alert').getByRole('button', { name: 'Approve' }).click();
  const inForce = dialog.getByTestId('policy-in-force');
  await inForce.getByText('Policy for this product').waitFor();
  await inForce.getByText('Blocked').waitFor();
  await inForce.getByRole('link', { name: 'Show policy' }).click();
  await page.getByTestId('decision-row').getByText('Blocked').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('sets the policy of a product on a user’s page for this user alone', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'users/ida@example.com');
  const row = page.getByTestId('user-app-row').filter({ hasText: 'beta' });
  await row.getByRole('button', { name: 'Actions for beta' }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('1 device', { exact: true }).waitFor();
  await dialog.getByText('ida-laptop').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await overrides()).toContainEqual(
    expect.objectContaining({
      scope: { kind: 'subscriber', subscriber_id: 'ida@example.com' },
      execution_policy: 'block',
    }),
  );
  expect(troubles).toEqual([]);
  await context.close();
});

it('counts devices and users of all selected products once, before and in the control', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/ai-tools');
  for (const tool of TOOLS) await page.getByLabel(`Select ${tool}`).click();
  await page.getByText('On 2 devices of 2 users').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('2 devices', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Apply to 2 products' }).click();
  await dialog.waitFor({ state: 'detached' });
  const policies = async () => (await hub.console('GET', '/product-policies')).body.items;
  const forEveryone = async () =>
    (await policies()).filter(({ scope }: { scope: { kind: string } }) => scope.kind === 'tenant');
  expect(await forEveryone()).toHaveLength(2);

  const row = page.getByTestId('product-row').filter({ hasText: 'alpha' });
  await row.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await dialog.getByTestId('policy-in-force').getByText('Policy for this product').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy' }).click();
  await dialog.waitFor({ state: 'detached' });
  const blocked = (await forEveryone()).filter(
    (policy: { execution_policy: string }) => policy.execution_policy === 'block',
  );
  expect(blocked).toMatchObject([{ product_name: 'alpha' }]);
  expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
  await context.close();
});

it('changes the policy of an app on its page instead of a second policy, and keeps the reason', async () => {
  const { items } = (await hub.console('GET', '/discovered-apps')).body;
  const { entity_id } = items.find(({ name }: { name: string }) => name === 'beta');
  await hub.console('POST', '/overrides', {
    body: {
      ...{ match: { entity_id }, approval_status: 'blocked', execution_policy: 'block' },
      ...{ scope: { kind: 'tenant' }, reason: 'agreed in May' },
    },
  });
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, `inventory/items/${entity_id}`);
  await page.getByRole('radio', { name: 'Approved', exact: true }).click();
  await page.getByTestId('decide-submit').click();
  await page.getByText('Policy updated.', { exact: false }).waitFor();
  const own = (await overrides()).filter(
    (item: { match: object; scope: { kind: string }; product_policy_id: string | null }) =>
      item.product_policy_id === null &&
      item.scope.kind === 'tenant' &&
      JSON.stringify(item.match) === JSON.stringify({ entity_id }),
  );
  expect(own).toMatchObject([{ execution_policy: 'allow', reason: 'agreed in May' }]);
  expect(troubles).toEqual([]);
  await context.close();
});

it('sorts policies by a header of the list, and counts them', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
  await goTo(page, hub, 'policies');
  const { items, total } = (await hub.console('GET', '/overrides')).body;
  expect(total).toBe(items.length);
  await page.getByText(`1–${total} of ${total}`).waitFor();
  const order = (name: string) =>
    page.getByRole('columnheader', { name, exact: true }).getAttribute('aria-sort');
  await expect.poll(() => order('Changed')).toBe('descending');
  await page.getByRole('button', { name: 'Policy', exact: true }).click();
  await page.waitForURL(/sort=-execution_policy/);
  await expect.poll(() => order('Policy')).toBe('descending');
  expect(await order('Changed')).toBe('none');
  expect(troubles).toEqual([]);
  await context.close();
});
