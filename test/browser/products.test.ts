// The inventory by product: a single row over platforms, a policy in three clicks, five products in seven, and Home in two.
import { entityId } from '@gatewarden/shared/identity.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { countClicks, goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const TOOLS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

async function scan(
  platform: 'darwin' | 'linux' | 'win32',
  kind: 'ai_tool' | 'package',
  name: string,
) {
  const source = kind === 'package' ? 'npm' : 'ai_cli';
  const entity = anEntity(name, {
    ...{ entity_id: entityId(platform, kind, source, name), kind, source, publisher: null },
  });
  const tools =
    platform === 'linux' ? TOOLS.map((tool) => anEntity(tool, { kind: 'ai_tool' })) : [];
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice({ platform }), [entity, ...tools]),
  });
  expect(answer.status).toBe(202);
}

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await scan('darwin', 'ai_tool', 'Claude Code');
  await scan('win32', 'ai_tool', 'Claude Code');
  await scan('linux', 'package', '@anthropic-ai/claude-code');
  const total = async () => (await hub.console('GET', '/products?category=ai_tool')).body.total;
  await vi.waitFor(async () => expect(await total()).toBe(TOOLS.length + 1), 30_000);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const policies = async () => (await hub.console('GET', '/product-policies')).body.items;

it('shows a product of three platforms in a single row, blocks it in three clicks, and removes the policy', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/ai-tools');
  const row = page.getByTestId('product-row').filter({ hasText: 'Claude Code' });
  await expect.poll(() => row.count()).toBe(1);
  for (const platform of ['macOS', 'Linux', 'Windows']) await row.getByText(platform).waitFor();

  const clicks = await countClicks(page);
  await row.getByRole('button', { name: 'Actions for Claude Code' }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set policy' });
  await dialog.locator('[data-testid="preview"][data-state="shown"]').waitFor();
  await dialog.getByText('3 devices').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await clicks()).toBe(3);
  const [policy] = await policies();
  expect(policy).toMatchObject({ product_name: 'Claude Code', execution_policy: 'block' });
  expect(policy.entity_ids).toHaveLength(3);

  await row.getByText('Blocked').waitFor();
  await row.getByRole('link', { name: 'Claude Code' }).click();
  const inForce = page.getByTestId('product-policy-row');
  await inForce.first().getByText('Claude Code').waitFor();
  await inForce.first().getByText('All platforms').waitFor();
  await inForce.first().getByText('3 apps').waitFor();
  expect(await page.getByTestId('product-app-row').count()).toBe(3);
  await inForce.first().getByRole('button', { name: 'Remove policy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove policy' }).click();
  await expect.poll(policies).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
});

it('approves five products in seven clicks', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/ai-tools');
  const clicks = await countClicks(page);
  for (const tool of TOOLS) await page.getByLabel(`Select ${tool}`).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Apply to 5 products' }).click();
  await expect.poll(async () => (await policies()).length).toBe(5);
  const names = (await policies()).map((policy: { product_name: string }) => policy.product_name);
  expect(names.sort()).toEqual([...TOOLS].sort());
  expect(await clicks()).toBeLessThanOrEqual(7);
  expect(troubles).toEqual([]);
  await context.close();
});

it('blocks a new product on Home in two clicks, over the policy that approves it', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'home');
  const row = page.getByTestId('new-product-row').filter({ hasText: 'alpha' });
  await row.waitFor();
  const clicks = await countClicks(page);
  await row.getByRole('button', { name: 'Block alpha' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set policy' });
  await dialog.locator('[data-testid="preview"][data-state="shown"]').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await clicks()).toBe(2);
  const ofAlpha = (await policies()).filter(
    ({ product_name }: { product_name: string }) => product_name === 'alpha',
  );
  expect(ofAlpha).toMatchObject([{ execution_policy: 'block' }]);
  await row.getByText('Blocked').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('offers a viewer neither selection nor actions', async () => {
  const { page, context } = await signedIn(browser, hub, 'Viewer');
  await goTo(page, hub, 'inventory/ai-tools');
  await page.getByTestId('product-row').first().waitFor();
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  expect(await page.getByLabel(/^Select /).count()).toBe(0);
  await context.close();
});
