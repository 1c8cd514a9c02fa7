// Reviewing with the keyboard, with the way back; views and downloads.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const device = aDevice();
const alpha = (hash: string, ...args: string[]) =>
  anEntity('alpha', {
    kind: 'ai_tool',
    launch_hash: hash.repeat(64),
    details: { configured: [{ client: 'cursor', command: 'npx', args }] },
    instances: [{ owner: 'alice', permissions: hash === 'a' ? [] : ['clipboardRead'] }],
  });
const scan = (entities: Parameters<typeof aBatch>[1], kind: 'full' | 'delta' = 'full') =>
  deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities, { kind }),
  });
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const things = ['beta', 'gamma'].map((name) => anEntity(name, { kind: 'ai_tool' }));
  await scan([alpha('a', 'pkg@1'), ...things]);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const decided = async () => (await hub.console('GET', '/overrides')).body.items.length;

it('sets a policy with the keys j, x and b after its preview, and undoes it', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'inventory/all');
  await page.getByTestId('application-row').first().waitFor();
  await page.keyboard.press('?');
  await page.getByText('Approve this app or the selection (with preview)').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('alpha').first().waitFor();
  expect(await dialog.getByLabel('Blocked').isChecked()).toBe(true);
  await dialog.getByTestId('launches').getByText('npx pkg@1').waitFor();
  const submit = dialog.getByTestId('decide-submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.press('Enter');
  await expect.poll(decided).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(decided).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('names an administrator who set a policy first, and stores nothing before a review', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const app = (await hub.console('GET', '/discovered-apps?query=beta')).body.items[0];
  await goTo(page, hub, `inventory/items/${app.entity_id}`);
  await page.getByRole('radio', { name: 'Approved', exact: true }).check();
  const submit = page.getByTestId('decide-submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: app.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
        reason: 'Sends code away',
      },
    })
  ).body;
  // The page is live: it shows the other policy before anything is stored.
  await page.getByText('Sends code away').first().waitFor();
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  const conflict = page.getByRole('alert').filter({ hasText: 'set a policy for this' });
  await conflict.getByText('Sends code away').waitFor();
  const stored = async () => (await hub.console('GET', `/overrides/${override.override_id}`)).body;
  expect((await stored()).override).toMatchObject({ approval_status: 'blocked' });
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await expect
    .poll(async () => (await stored()).override)
    .toMatchObject({ approval_status: 'approved', reason: 'Sends code away' });
  expect(await decided()).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await stored()).override.approval_status).toBe('blocked');
  await hub.console('DELETE', `/overrides/${override.override_id}`, {
    headers: { 'if-match': (await stored()).override.version },
  });
  expect(troubles.filter((trouble) => !trouble.includes('412'))).toEqual([]);
  await context.close();
});

it('warns about policies by name or for other scopes when a policy is changed to the same app', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const app = (await hub.console('GET', '/discovered-apps?query=gamma')).body.items[0];
  const decide = async (match: object, scope: object) =>
    (
      await hub.console('POST', '/overrides', {
        body: { match, approval_status: 'blocked', execution_policy: 'block', scope },
      })
    ).body.override;
  const elsewhere = await decide({ name: 'Gamma' }, { kind: 'subscriber', subscriber_id: 'zoe' });
  const tenantPolicy = await decide({ entity_id: app.entity_id }, { kind: 'tenant' });
  await goTo(page, hub, `policies?override_id=${tenantPolicy.override_id}`);
  await page.getByRole('button', { name: /^Edit policy/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('kept');
  const others = dialog.getByTestId('decided-elsewhere');
  await others.getByText('zoe').waitFor();
  const link = await others.getByRole('link', { name: 'Show policy' }).getAttribute('href');
  expect(link).toContain(elsewhere.override_id);
  const namePolicy = await decide({ name: 'GAMMA' }, { kind: 'tenant' });
  await dialog.getByTestId('standing-already').getByText('GAMMA').waitFor();
  await dialog.getByTestId('decide-submit').click();
  const conflict = dialog.getByRole('alert').filter({ hasText: 'set a policy for this' });
  await conflict.getByText('GAMMA').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('kept');
  await dialog.getByTestId('decide-submit').click();
  await dialog.waitFor({ state: 'detached' });
  const { override } = (await hub.console('GET', `/overrides/${tenantPolicy.override_id}`)).body;
  expect(override.reason).toBe('kept');
  for (const item of [elsewhere, namePolicy, override]) {
    await hub.console('DELETE', `/overrides/${item.override_id}`, {
      headers: { 'if-match': item.version },
    });
  }
  expect(troubles.filter((trouble) => !trouble.includes('412'))).toEqual([]);
  await context.close();
});

it('lists each launch of a server, and those beyond twenty after a click', async () => {
  const configured = Array.from({ length: 60 }, (_, i) => ({
    command: 'npx',
    args: [`fork-${i}`],
  }));
  const served = anEntity('served', { kind: 'mcp_server', details: { configured } });
  const its = aDevice();
  const reportEntities = (entities: (typeof served)[]) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(its, entities) });
  await reportEntities([served]);
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer', { width: 360 });
  await goTo(page, hub, `inventory/items/${served.entity_id}`);
  const ways = page.getByTestId('launches').getByRole('listitem');
  await expect.poll(() => ways.count()).toBe(20);
  await page.getByRole('button', { name: 'Show 40 other launch commands' }).click();
  await expect.poll(() => ways.count()).toBe(50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => ways.count()).toBe(60);
  await expectSound({ page, troubles, context });
  await reportEntities([]);
  await context.close();
});

it('lists the files of an app on all devices, and its policies by name', async () => {
  const files = (of: string, count: number) =>
    Array.from({ length: count }, (_, i) => `/opt/${of}/${i}`);
  const installed = (of: string, count: number) =>
    anEntity('Many files', { executables: files(of, count) });
  const reportEntities = (
    device: ReturnType<typeof aDevice>,
    entities: ReturnType<typeof installed>[],
  ) => deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, entities) });
  const devices = [aDevice(), aDevice()] as const;
  await reportEntities(devices[0], [installed('first', 60)]);
  await reportEntities(devices[1], [installed('second', 20)]);
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: {
        match: { name: 'many FILES', platform: 'linux' },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
        reason: 'decided by name',
      },
    })
  ).body;
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer', { width: 360 });
  await goTo(page, hub, `inventory/items/${installed('first', 1).entity_id}`);
  const decision = page.getByTestId('decision-row').filter({ hasText: 'decided by name' });
  await decision.getByText('many FILES').waitFor();
  await page.getByRole('button', { name: 'Show 16 other files' }).click();
  const all = page.getByTestId('executables').getByRole('listitem');
  await expect.poll(() => all.count()).toBe(50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => all.count()).toBe(80);
  await expectSound({ page, troubles, context });
  for (const device of devices) await reportEntities(device, []);
  await hub.console('DELETE', `/overrides/${override.override_id}`, {
    headers: { 'if-match': override.version },
  });
  await context.close();
});

it('shows drift before and after, ahead of an approval', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  const { entity_id: entityId } = alpha('a');
  const approved = await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: entityId },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  await scan([alpha('b', 'pkg@2', '<b>--all</b>')], 'delta');
  await goTo(page, hub, `inventory/items/${entityId}`);
  const drifts = page.getByTestId('drifts');
  const driftText = await drifts.textContent();
  for (const text of ['npx pkg@1', 'npx pkg@2 <b>--all</b>', 'clipboardRead']) {
    expect(driftText).toContain(text);
  }
  expect(driftText).not.toContain('Only redacted values differ');
  const keep = page.getByRole('button', { name: 'Keep approval' });
  await keep.click();
  await drifts.waitFor({ state: 'detached' });
  // The hash of the launch is another, and nothing that is shown.
  await scan([alpha('c', 'pkg@2', '<b>--all</b>')], 'delta');
  await drifts.getByText('Only redacted values differ, so both look the same here.').waitFor();
  await keep.click();
  await drifts.waitFor({ state: 'detached' });
  const { override_id: id, version } = approved.body.override;
  await hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': version } });
  // A removed policy stays in the history, with its author and reason.
  await goTo(page, hub, 'policies?state=withdrawn');
  const row = page.getByTestId('decision-row').first();
  await row.getByText('Removed', { exact: true }).waitFor();
  await row.getByRole('button', { name: /^Why/ }).click();
  await page.getByTestId('why').getByText('admin@example.com').first().waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('removes an app with a policy by name from review, and names the policy in row and page', async () => {
  const decision = await hub.console('POST', '/overrides', {
    body: {
      match: { name: 'Beta' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
    },
  });
  const { override_id: id, version } = decision.body.override;
  const opened = await signedIn(browser, hub, 'Reviewer');
  const { page, troubles } = opened;
  await goTo(page, hub, 'inventory/all?approval_status=pending');
  const row = page.getByTestId('application-row').filter({ hasText: 'beta' });
  await page.getByTestId('application-row').filter({ hasText: 'gamma' }).waitFor();
  expect(await row.count()).toBe(0);
  await goTo(page, hub, 'inventory/all');
  await row.getByText('Blocked').waitFor();
  await row.getByRole('link', { name: 'The policy that covers beta by name' }).waitFor();
  await expectSound(opened);
  await row.getByRole('link', { name: 'beta', exact: true }).click();
  await page.getByRole('heading', { name: 'beta', exact: true }).waitFor();
  await page.getByRole('link', { name: 'The policy that covers beta by name' }).click();
  await page.getByTestId('decision-row').getByText('Beta').waitFor();
  expect(page.url()).toContain(id);
  // Another user removed the policy, so the open queue lists the app again.
  await goTo(page, hub, 'inventory/all?approval_status=pending');
  await hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': version } });
  await row.waitFor();
  expect(troubles).toEqual([]);
  await opened.context.close();
});

it('offers to undo a changed and a withdrawn policy', async () => {
  const created = await hub.console('POST', '/overrides', {
    body: {
      match: { name: 'alpha' },
      approval_status: 'restricted',
      execution_policy: 'warn',
      reason: 'first reason',
      scope: { kind: 'tenant' },
    },
  });
  expect(created.status).toBe(201);
  const stored = async () => (await hub.console('GET', '/overrides')).body.items[0];
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await goTo(page, hub, 'policies');
  await page.getByRole('button', { name: /^Edit policy/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('second reason');
  await dialog.getByTestId('decide-submit').click();
  await page.getByTestId('decision-row').filter({ hasText: 'second reason' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await stored()).reason).toBe('first reason');
  await page.getByTestId('decision-row').filter({ hasText: 'first reason' }).waitFor();
  await page.getByRole('button', { name: /^Remove policy/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(decided).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByTestId('decision-row').filter({ hasText: 'first reason' }).waitFor();
  const { override_id: id, version } = await stored();
  expect(id).not.toBe(created.body.override.override_id);
  await hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': version } });
  expect(troubles).toEqual([]);
  await context.close();
});

describe.each([
  ['light', 1280],
  ['dark', 360],
] as const)('in %s at %i pixels', (scheme, width) => {
  it('shows apps and their dialogs accessibly and within the viewport', async () => {
    const opened = await signedIn(browser, hub, 'Reviewer', { scheme, width });
    await goTo(opened.page, hub, 'inventory/all');
    await opened.page.getByLabel('Select alpha').check();
    await expectSound(opened);
    await opened.page.getByRole('button', { name: 'Set policy…' }).click();
    await opened.page.getByRole('radio', { name: 'Approved' }).check();
    await opened.page.getByText('Affects 1').waitFor();
    await expectSound(opened);
    await opened.context.close();
  });
});
