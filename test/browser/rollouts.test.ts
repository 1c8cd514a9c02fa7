// A staged rollout as time passes, on open pages: it advances, stops at its limit, appears on the start page, and
// is undone with a click.
import { advanceRollouts } from '@gatewarden/hub/src/features/devices/rollouts/index.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

const device = aDevice();
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

const db = () => hub.context.database.db;

/** Runs the hub's job as of so many minutes from now. */
const advance = (minutes = 0) => advanceRollouts(db(), new Date(Date.now() + minutes * 60_000));

it('shows a rollout live as it advances, stops and is undone, and lists it on the start page', async () => {
  const created = await hub.console('POST', '/overrides', {
    body: {
      match: { name: 'risky tool' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
      rollout_percent: 0,
    },
  });
  const id = created.body.override.override_id;
  await hub.console('POST', `/overrides/${id}/rollout`, {
    body: {
      rings: [
        { percent: 10, minutes: 60 },
        { percent: 50, minutes: 60 },
        { percent: 100, minutes: 60 },
      ],
      limits: { max_blocks_per_hour: 0 },
    },
  });
  const start = await signedIn(browser, hub, 'Viewer');
  await goTo(start.page, hub, 'home');
  await start.page.getByText('You’re all caught up. Nothing to review.').waitFor();
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'policies');
  await page.getByRole('button', { name: /^Rollout of/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Staged rollout' });
  const state = () => dialog.getByTestId('rollout-state').textContent();
  await expect.poll(state).toBe('Rolling out 10% of devices');
  await advance(61);
  await expect.poll(state).toBe('Rolling out 50% of devices');
  expect(await dialog.locator('[aria-current="step"]').textContent()).toContain('50%');
  await deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
    body: {
      batch_id: crypto.randomUUID(),
      device,
      events: [anActivity({ override_id: id, decided_at: new Date().toISOString() })],
    },
  });
  await advance();
  await expect.poll(state).toBe('Stopped 50% of devices');
  await dialog.getByText('1 block in the last hour (limit: 0)').waitFor();
  // The start page shows the paused rollout and leads to it.
  await start.page.getByRole('link', { name: /Rollouts paused automatically/ }).click();
  const row = start.page.getByTestId('decision-row');
  await row.filter({ hasText: 'risky tool' }).waitFor();
  expect(new URL(start.page.url()).search).toBe('?rollout=stopped');
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await expect.poll(state).toBe('Reverted 0% of devices');
  await start.page.getByText('No results match').waitFor();
  expect([...troubles, ...start.troubles]).toEqual([]);
  await context.close();
  await start.context.close();
});

it('warns that a rollout without started rings reaches nobody, and offers to undo it', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const entity = anEntity('staged tool');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, [entity]) });
  await goTo(page, hub, `inventory/items/${entity.entity_id}`);
  await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByRole('checkbox', { name: /^Staged rollout/ }).check();
  await page.getByTestId('decide-submit').click();
  await page.getByRole('dialog', { name: 'Staged rollout' }).waitFor();
  await page.keyboard.press('Escape');
  const notice = page.getByRole('alert').filter({ hasText: 'reaches no devices until' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  const left = async () =>
    (await hub.console('GET', `/overrides?entity_id=${entity.entity_id}`)).body.items;
  await expect.poll(left).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
});
