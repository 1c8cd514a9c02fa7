// Answers that are lost, break off, or report a failure of the hub: no policy is stored twice, typed text stays,
// and nobody sees a conflict with themselves.
import { randomUUID } from 'node:crypto';
import { entityId } from '@gatewarden/shared/identity.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

const NAMES = ['first', 'two', 'three', 'four'];
const idOf = (name: string) => entityId('linux', 'package', 'dpkg', name);
let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(
      aDevice(),
      NAMES.map((name) => anEntity(name)),
    ),
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const decisions = async (name: string) =>
  (await hub.console('GET', `/overrides?entity_id=${idOf(name)}`)).body.items;

/** Answers the next matching request with an error of the hub. */
async function refuseOnce(page: Page, path: RegExp, status: number): Promise<void> {
  let isRefused = false;
  await page.route(path, async (route) => {
    if (isRefused || route.request().method() !== 'GET') return route.continue();
    isRefused = true;
    await route.fulfill({
      status,
      json: { error: { code: 'trouble', message: 'It is troubled' }, request_id: 'trouble-1' },
    });
  });
}

const noAnswer = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'The server isn’t responding' });

describe('lost responses', () => {
  it('stores a policy once after a lost response and a retry, and offers to undo it', async () => {
    const { page, context } = await signedIn(browser, hub, 'Reviewer');
    await goTo(page, hub, `inventory/items/${idOf('first')}`);
    await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
    await page.getByLabel('Reason').fill('of a person in a train');
    const submit = page.getByTestId('decide-submit');
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await loseAnswer(page, /\/overrides$/, 'POST');
    await submit.click();
    await noAnswer(page).waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('of a person in a train');
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await submit.click();
    await page.getByText(/^Policy applied\./).waitFor();
    expect(await decisions('first')).toMatchObject([{ reason: 'of a person in a train' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => decisions('first')).toEqual([]);
    await context.close();
  });

  it('reports the stored policy when it was edited before the retry', async () => {
    const { page, context } = await signedIn(browser, hub, 'Reviewer');
    await goTo(page, hub, `inventory/items/${idOf('two')}`);
    await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
    const submit = page.getByTestId('decide-submit');
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await loseAnswer(page, /\/overrides$/, 'POST');
    await submit.click();
    await noAnswer(page).waitFor();
    await page.getByLabel('Reason').fill('typed later');
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await submit.click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'You already set a policy for this' })
      .waitFor();
    expect(await decisions('two')).toMatchObject([{ reason: null }]);
    await context.close();
  });

  it("reports no conflict with the user's own change after a lost response", async () => {
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: idOf('three') },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
      },
    });
    const { page, context } = await signedIn(browser, hub, 'Reviewer');
    await goTo(page, hub, `policies?entity_id=${idOf('three')}`);
    await page.getByRole('button', { name: /^Edit policy/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('changed in a train');
    const submit = dialog.getByRole('button', { name: 'Save changes' });
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await loseAnswer(page, /\/overrides\/[^/]+$/, 'PATCH');
    await submit.click();
    await noAnswer(page).waitFor();
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await submit.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await decisions('three')).toMatchObject([{ reason: 'changed in a train' }]);
    await context.close();
  });

  it('stores each of many policies once after a lost response and a retry, and offers to undo all', async () => {
    const { page, context } = await signedIn(browser, hub, 'Reviewer');
    await goTo(page, hub, 'inventory/all');
    for (const name of ['first', 'four']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('button', { name: 'Set policy…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Restricted' }).check();
    const submit = dialog.getByRole('button', { name: 'Apply policy to 2 apps' });
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await loseAnswer(page, /\/overrides\/bulk$/, 'POST');
    await submit.click();
    await noAnswer(page).waitFor();
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await submit.click();
    await dialog.waitFor({ state: 'detached' });
    for (const name of ['first', 'four']) {
      expect(await decisions(name)).toMatchObject([{ approval_status: 'restricted' }]);
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const name of ['first', 'four']) await expect.poll(() => decisions(name)).toEqual([]);
    await context.close();
  });
});

it('stores many policies at a hub of the release before', async () => {
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  let refused = 0;
  await page.route(/\/overrides\/bulk$/, async (route) => {
    if (!('bulk_id' in route.request().postDataJSON())) return route.continue();
    refused++;
    const message = '/bulk_id is not a field of this request';
    await route.fulfill({
      status: 400,
      json: { error: { code: 'invalid_request', message }, request_id: 'older-1' },
    });
  });
  await goTo(page, hub, 'inventory/all');
  for (const name of ['first', 'four']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Set policy…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Restricted' }).check();
  const submit = dialog.getByRole('button', { name: 'Apply policy to 2 apps' });
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await dialog.waitFor({ state: 'detached' });
  expect(refused).toBe(1);
  for (const name of ['first', 'four']) expect(await decisions(name)).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  for (const name of ['first', 'four']) await expect.poll(() => decisions(name)).toEqual([]);
  await context.close();
});

describe('failing hub', () => {
  it('keeps the input of a form that is being filled in', async () => {
    const name = `kept-${randomUUID()}`;
    const created = await hub.console('POST', '/gateway/apps', {
      body: { name, mode: 'sdk' },
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(created.status).toBe(201);
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, `gateway/apps/${name}`);
    const limits = page
      .locator('details')
      .filter({ has: page.locator('summary').filter({ hasText: /^Limits/ }) });
    await limits.locator('summary').click();
    const timeout = limits.getByRole('textbox', { name: 'Timeout' });
    await timeout.fill('30');
    await refuseOnce(page, /\/gateway\/app\?/, 500);
    // A change that others make has the page read again.
    await hub.console('POST', '/gateway/apps', {
      body: { name: `other-${randomUUID()}`, mode: 'sdk' },
      headers: { 'idempotency-key': randomUUID() },
    });
    const trouble = page.getByRole('alert').filter({ hasText: 'Couldn’t refresh' });
    await trouble.getByText('trouble-1').waitFor();
    expect(await timeout.inputValue()).toBe('30');
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await trouble.waitFor({ state: 'detached' });
    expect(await timeout.inputValue()).toBe('30');
    await context.close();
  });

  it('does not claim to show rows that other users removed', async () => {
    const { group } = (
      await hub.console('POST', '/device-groups', { body: { name: `gone-${randomUUID()}` } })
    ).body;
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, `devices/groups/${group.group_id}`);
    const title = page.getByRole('heading', { name: group.name });
    await title.waitFor();
    const path = `/device-groups/${group.group_id}`;
    await hub.console('DELETE', path, { headers: { 'if-match': group.version } });
    await page.getByRole('alert').filter({ hasText: 'Couldn’t load this page' }).waitFor();
    // Several parts of the page are reloaded; each updates when its own answer arrives.
    await title.waitFor({ state: 'detached' });
    await context.close();
  });

  it('retries a read by itself after a hub was too busy', async () => {
    const { page, context } = await signedIn(browser, hub, 'Viewer');
    await refuseOnce(page, /\/discovered-apps(\?|$)/, 429);
    await goTo(page, hub, 'inventory/all');
    await page.getByTestId('application-row').filter({ hasText: 'first' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });
});

it('lists only the policies of the app in the address', async () => {
  await hub.console('POST', '/overrides', {
    body: {
      match: { name: 'anything else' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
    },
  });
  const { page, context } = await signedIn(browser, hub, 'Viewer');
  await goTo(page, hub, `policies?entity_id=${idOf('three')}`);
  await page.getByTestId('decision-row').filter({ hasText: 'three' }).waitFor();
  expect(await page.getByTestId('decision-row').count()).toBe(1);
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByTestId('decision-row').filter({ hasText: 'anything else' }).waitFor();
  await context.close();
});

it('shows a not-found page for an invalid address, whatever its escapes', async () => {
  const { page, context } = await signedIn(browser, hub, 'Viewer');
  const titles: Record<string, string> = {
    nowhere: 'Page not found',
    '%zz': 'Page not found',
    'devices/%e0%a4%a': 'Page not found',
    'devices/%00': 'Device',
    'inventory/all?search=%zz': 'All apps',
  };
  for (const [path, title] of Object.entries(titles)) {
    await goTo(page, hub, path);
    expect([path, await page.getByRole('heading', { level: 1 }).textContent()]).toEqual([
      path,
      title,
    ]);
  }
  await context.close();
});

describe('unreadable page sections', () => {
  const trouble = (page: Page) => page.getByRole('alert').filter({ hasText: 'trouble-1' });

  it('reports unreadable enforcement state and device problems in their places', async () => {
    const { page, context } = await signedIn(browser, hub);
    await refuseOnce(page, /\/emergency-stop$/, 500);
    await goTo(page, hub, 'policies');
    await trouble(page).getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Pause enforcement' }).waitFor();
    await refuseOnce(page, /\/device-overview$/, 500);
    await goTo(page, hub, 'devices');
    await trouble(page).waitFor();
    await context.close();
  });

  it('reports an unreadable section without a place of its own in a notice until it is read', async () => {
    const { page, context } = await signedIn(browser, hub);
    await refuseOnce(page, /\/own\/views$/, 500);
    await goTo(page, hub, 'inventory/all');
    const notice = trouble(page);
    await notice.getByText('Part of this page couldn’t be loaded').waitFor();
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.goBack();
    await notice.waitFor({ state: 'detached' });
    await context.close();
  });

  it('reports unreadable names once, and shows ids in their places until they are read', async () => {
    const created = await hub.console('POST', '/device-groups', { body: { name: 'Painters' } });
    const { group_id: groupId } = created.body.group;
    const decided = await hub.console('POST', '/overrides', {
      body: {
        match: { name: 'Daub' },
        scope: { kind: 'group', group_id: groupId },
        approval_status: 'blocked',
        execution_policy: 'monitor',
        reason: 'a test',
      },
    });
    expect(decided.status, JSON.stringify(decided.body)).toBe(201);
    const { page, context } = await signedIn(browser, hub);
    await refuseOnce(page, new RegExp(`/device-groups/${groupId}$`), 500);
    await goTo(page, hub, 'policies');
    const notice = trouble(page);
    await notice.getByText('Some names couldn’t be loaded').waitFor();
    await page.getByRole('link', { name: groupId.slice(0, 8) }).click();
    await page.getByRole('heading', { level: 1, name: 'Painters' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Painters' }).waitFor();
    await notice.waitFor({ state: 'detached' });
    await context.close();
  });
});
