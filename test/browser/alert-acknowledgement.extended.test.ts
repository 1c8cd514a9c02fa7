// Acknowledging an alert in adverse conditions: the alert leaves its list while a person chooses, or the answer is lost.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anAlert } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, signedIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const device = aDevice();
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const sendAlert = (name: string) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert({ application_name: name })] },
  });

const stored = async (name: string) =>
  (await hub.console('GET', '/alerts')).body.items.find(
    (app: { application_name: string }) => app.application_name === name,
  );

const acknowledge = async (name: string) => {
  const { alert_id, device_id } = await stored(name);
  await hub.console('POST', `/alerts/${alert_id}/acknowledge?device_id=${device_id}`, { body: {} });
};

it.each([
  ['its row', 'alerts?state=open', ''],
  ['its own address', 'alerts', 'opened'],
])(
  'keeps the assignee that an administrator chose from %s when another acknowledges the alert',
  async (how, path, opened) => {
    const name = `contested by ${how}`;
    const colleague = await aPerson(hub, 'Reviewer');
    await sendAlert(name);
    const { page, context } = await signedIn(browser, hub, 'Reviewer');
    const { alert_id, device_id } = await stored(name);
    await goTo(page, hub, opened === '' ? path : `${path}?alert=${alert_id}.${device_id}`);
    const scope =
      opened === ''
        ? page.getByTestId('alert-row').filter({ hasText: name })
        : page.getByTestId('alert');
    await scope.getByRole('button', { name: /^Assign the alert/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign this alert' });
    await dialog.getByLabel('Assignee').selectOption(colleague.email);
    await acknowledge(name);
    await dialog.getByText('This alert was already acknowledged by admin@example.com.').waitFor();
    if (opened === '') await scope.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Assignee').inputValue()).toBe(colleague.email);
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored(name)).toMatchObject({ assigned_to: colleague.email });
    await context.close();
  },
);

it('shows changes that arrive during the first read of a page or before its subscription', async () => {
  const { page, context } = await signedIn(browser, hub, 'Viewer');
  const reading = Promise.withResolvers<void>();
  await sendAlert('changed while read');
  await page.route(/\/alerts\/[^/?]+\?/, async (route) => {
    const response = await route.fetch();
    await reading.promise;
    await route.fulfill({ response });
  });
  await goTo(page, hub, 'activity/alerts?state=open');
  await page.getByText('Live', { exact: true }).waitFor();
  const row = page.getByTestId('alert-row').filter({ hasText: 'changed while read' });
  await row.getByRole('link').first().click();
  await acknowledge('changed while read');
  await row.waitFor({ state: 'detached' });
  reading.resolve();
  await page.getByTestId('alert').getByText('by admin@example.com').waitFor();
  await page.unroute(/\/alerts\/[^/?]+\?/);

  const connecting = Promise.withResolvers<void>();
  await page.route(/\/events$/, async (route) => {
    await connecting.promise;
    await route.continue();
  });
  await sendAlert('changed before it was live');
  await goTo(page, hub, 'activity/alerts?state=open');
  const second = page.getByTestId('alert-row').filter({ hasText: 'changed before it was live' });
  await second.waitFor();
  await acknowledge('changed before it was live');
  connecting.resolve();
  await second.waitFor({ state: 'detached' });
  await context.close();
});

it('acknowledges alerts of a group with a single key, and offers a Viewer no acknowledgement', async () => {
  for (let i = 0; i < 3; i++) await sendAlert('noisy');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'activity/alerts?view=groups&state=open');
  const row = page.getByTestId('alert-group-row').filter({ hasText: 'noisy' });
  await row.getByRole('button', { name: /^Acknowledge 3 alerts: / }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('3 alerts acknowledged.').waitFor();
  await row.waitFor({ state: 'detached' });
  expect(await stored('noisy')).toMatchObject({ state: 'acknowledged' });
  await context.close();
  const viewer = await signedIn(browser, hub, 'Viewer');
  await sendAlert('noisy');
  await goTo(viewer.page, hub, 'activity/alerts?view=groups&state=open');
  await viewer.page.getByTestId('alert-group-row').filter({ hasText: 'noisy' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0);
  await viewer.context.close();
});

it('shows no failure for an acknowledgement whose answer is lost', async () => {
  await sendAlert('noted');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'activity/alerts?state=open');
  const row = page.getByTestId('alert-row').filter({ hasText: 'noted' });
  await loseAnswer(page, /\/acknowledge(\?|$)/, 'POST');
  await row.getByRole('button', { name: /^Acknowledge/ }).click();
  await row.waitFor({ state: 'detached' });
  expect(await stored('noted')).toMatchObject({ state: 'acknowledged' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.close();
});

it.each([
  ['alert-row', 'state=open', /\/acknowledge/],
  ['alert-group-row', 'view=groups&state=open', /\/alert-groups\/acknowledge/],
])('reports a failed acknowledgement of an %s with its request ID', async (row, query, path) => {
  await sendAlert(`kept as ${row}`);
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, `activity/alerts?${query}`);
  await page.route(path, (route) =>
    route.fulfill({
      status: 409,
      headers: { 'x-request-id': 'asked-77' },
      json: { error: { code: 'conflict', message: 'Not now.' }, request_id: 'asked-77' },
    }),
  );
  const kept = page.getByTestId(row).filter({ hasText: `kept as ${row}` });
  await kept.getByRole('button', { name: /^Acknowledge/ }).click();
  await page.getByText('Not now. Request ID: asked-77 · Code: conflict').waitFor();
  expect(await stored(`kept as ${row}`)).toMatchObject({ state: 'open' });
  await context.close();
});

it('does not attribute a block without a policy to the agent', async () => {
  await sendAlert('blocked somehow');
  const { alert_id, device_id } = await stored('blocked somehow');
  const { page, context } = await signedIn(browser, hub, 'Viewer');
  await goTo(page, hub, `activity/alerts?alert=${alert_id}.${device_id}`);
  const alert = page.getByTestId('alert');
  await alert.getByText('The device did not report which policy triggered this.').waitFor();
  expect(await alert.getByText('Agent health event').count()).toBe(0);
  await context.close();
});

it('repeats an assignment after a lost answer without a conflict', async () => {
  await sendAlert('given');
  const { page, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'activity/alerts');
  const row = page.getByTestId('alert-row').filter({ hasText: 'given' });
  await row.getByRole('button', { name: /^Assign the alert/ }).click();
  const dialog = page.getByRole('dialog');
  await loseAnswer(page, /\/assign(\?|$)/, 'POST');
  const store = dialog.getByRole('button', { name: 'Assign', exact: true });
  await store.click();
  await dialog.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
  await store.click();
  await dialog.waitFor({ state: 'detached' });
  expect((await stored('given')).assigned_to).toMatch(/^reviewer-/);
  await context.close();
});
