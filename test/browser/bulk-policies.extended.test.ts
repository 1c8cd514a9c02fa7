// Deciding about many applications at once, or in stages, with the way back.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, loseAnswer, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const things = ['alpha', 'beta', 'gamma'].map((name) =>
    anEntity(name, { kind: 'ai_tool', launch_hash: 'a'.repeat(64) }),
  );
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(aDevice(), things) });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const decided = async () => (await hub.console('GET', '/overrides')).body.items.length;

it('applies a policy to many apps with a single preview and result, and undoes those unchanged since', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  // The dialog fades out after the last write, and must send no requests during that time.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const asked: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/overrides/bulk/preview')) asked.push(answer.status());
  });
  await goTo(page, hub, 'inventory/all');
  await page.getByTestId('application-row').first().waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 apps selected').waitFor();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Affects 1 device of 1 user.').waitFor();
  await dialog.getByText('Applies to all of these devices at their next check-in.').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy to 2 apps' }).click();
  await expect.poll(decided).toBe(2);
  await dialog.waitFor({ state: 'detached' });
  expect(new Set(asked)).toEqual(new Set([200]));
  const [remaining] = (await hub.console('GET', '/overrides')).body.items;
  const path = `/overrides/${remaining.override_id}`;
  const body = { reason: 'of somebody else' };
  const changed = await hub.console('PATCH', path, {
    body,
    headers: { 'if-match': remaining.version },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 of 2 undone, 1 failed: someone else changed the policy.').waitFor();
  expect((await hub.console('GET', '/overrides')).body.items).toMatchObject([body]);
  const { version } = changed.body.override;
  await hub.console('DELETE', path, { headers: { 'if-match': version } });
  expect(troubles.filter((trouble) => !trouble.includes('412'))).toEqual([]);
  await context.close();
});

it('rolls out policies of many apps in stages, each with its own rollout, and undoes all together', async () => {
  const opened = await signedIn(browser, hub, 'Reviewer');
  const { page, troubles, context } = opened;
  await goTo(page, hub, 'inventory/all');
  await page.getByTestId('application-row').first().waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'b']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Advanced' }).click();
  await dialog.getByLabel('Staged rollout').check();
  await dialog.getByText('Each policy is rolled out in the stages above').waitFor();
  const store = dialog.getByRole('button', { name: 'Apply policy to 2 apps' });
  await dialog.getByLabel('Percent of devices in ring 1').fill('40');
  await dialog.getByText('Each ring needs a higher percentage').waitFor();
  expect(await store.isEnabled()).toBe(false);
  await dialog.getByLabel('Percent of devices in ring 1').fill('7');
  await expectSound(opened);
  await store.click();
  await expect.poll(decided).toBe(2);
  const { items } = (await hub.console('GET', '/overrides')).body;
  for (const item of items) {
    expect(item).toMatchObject({
      rollout_percent: 7,
      rollout: { state: 'running', ring: 0, limits: { max_blocks_per_hour: 50 } },
    });
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('All 2 changes undone.').waitFor();
  await expect.poll(decided).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('stores the other staged policy when a colleague decides an app first, and keeps the typed stages', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/all');
  for (const name of ['alpha', 'beta']) await page.getByLabel(`Select ${name}`).check();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Advanced' }).click();
  await dialog.getByLabel('Staged rollout').check();
  await dialog.getByLabel('Percent of devices in ring 1').fill('7');
  await dialog.getByLabel('Reason').fill('a long story');
  const store = dialog.getByRole('button', { name: 'Apply policy to 2 apps' });
  await expect.poll(() => store.isEnabled()).toBe(true);
  await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: anEntity('alpha').entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  await dialog.getByText('A policy for the same scope already exists:').waitFor();
  await store.click();
  await dialog.getByText('Couldn’t set a policy for these apps').waitFor();
  await dialog.getByText(/^alpha: .* set a policy: approved/).waitFor();
  expect(await dialog.getByLabel('Percent of devices in ring 1').inputValue()).toBe('7');
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('a long story');
  expect((await hub.console('GET', '/overrides?rollout=running')).body.items).toMatchObject([
    { rollout_percent: 7, reason: 'a long story' },
  ]);
  // The remaining app is decided again with the same stages, exactly once even though the answer is lost.
  await loseAnswer(page, /\/overrides\/bulk$/, 'POST');
  const left = dialog.getByRole('button', { name: 'Apply policy to 1 app' });
  await expect.poll(() => left.isEnabled()).toBe(true);
  await left.click();
  await dialog.getByText('The server isn’t responding', { exact: false }).waitFor();
  await expect.poll(() => left.isEnabled()).toBe(true);
  await left.click();
  await dialog.waitFor({ state: 'detached' });
  const { items } = (await hub.console('GET', '/overrides?rollout=running')).body;
  expect(items.map((item: { rollout_percent: number }) => item.rollout_percent)).toEqual([7, 7]);
  expect(troubles.filter((trouble) => !trouble.includes('ERR_CONNECTION_RESET'))).toEqual([]);
  for (const { override_id: id, version } of (await hub.console('GET', '/overrides')).body.items) {
    await hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': version } });
  }
  await context.close();
});

it('suggests similar apps, selects them with a click, and sets a policy for a single user', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/all');
  await page.getByLabel('Select alpha').check();
  await expect.poll(() => page.getByTestId('similar').count()).toBe(2);
  await page.getByTestId('similar').filter({ hasText: 'gamma' }).click();
  await page.getByText('2 apps selected').waitFor();
  await page.getByRole('button', { name: 'Set policy…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Restricted' }).check();
  await dialog.getByRole('radio', { name: 'One user' }).check();
  const store = dialog.getByRole('button', { name: 'Apply policy to 2 apps' });
  expect(await store.isEnabled()).toBe(false);
  await dialog.getByLabel('User', { exact: true }).fill('alice');
  await page.keyboard.press('Escape');
  await dialog.getByText('Affects 1 device of 1 user.').waitFor();
  await store.click();
  await expect.poll(decided).toBe(2);
  const { items } = (await hub.console('GET', '/overrides')).body;
  for (const item of items) {
    expect(item.scope).toEqual({ kind: 'subscriber', subscriber_id: 'alice' });
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('All 2 changes undone.').waitFor();
  await expect.poll(decided).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('changes the policy that a selected app has already, and restores it with Undo', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const match = { entity_id: anEntity('alpha').entity_id };
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: {
        ...{ match, approval_status: 'approved', execution_policy: 'allow' },
        ...{ scope: { kind: 'tenant' }, reason: 'Checked by security' },
      },
    })
  ).body;
  await goTo(page, hub, 'inventory/all');
  for (const name of ['alpha', 'beta']) await page.getByLabel(`Select ${name}`).check();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Changes the policy of 1 app.').waitFor();
  await dialog.getByRole('button', { name: 'Apply policy to 2 apps' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { override_id } = override;
  const ofAlpha = async () =>
    (await hub.console('GET', `/overrides?entity_id=${match.entity_id}`)).body.items;
  expect(await ofAlpha()).toMatchObject([
    { override_id, execution_policy: 'block', reason: 'Checked by security' },
  ]);
  await expect.poll(decided).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('All 2 changes undone.').waitFor();
  expect(await ofAlpha()).toMatchObject([{ override_id, execution_policy: 'allow' }]);
  await expect.poll(decided).toBe(1);
  expect(troubles).toEqual([]);
  await context.close();
});
