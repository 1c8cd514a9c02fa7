// A device in the hands of an administrator, and an application that drifted, on their pages.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity, aRunningProcess } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

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

const push = (body: unknown) => deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });

it('requests a scan of a device, moves, retires and readmits it', async () => {
  const device = aDevice({ hostname: 'laptop-of-ada' });
  await push(aBatch(device, [anEntity('curl')]));
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, `devices/${device.device_id}`);
  await page.getByRole('button', { name: 'Scan now' }).click();
  await page.getByText('Scan requested. It starts at the device’s next check-in.').waitFor();

  await page.getByRole('button', { name: 'Change owner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'User' }).fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Change owner' }).click();
  await page.getByText('grace@example.com').first().waitFor();

  await page.getByRole('button', { name: 'Retire', exact: true }).click();
  await dialog.getByRole('button', { name: 'Retire', exact: true }).click();
  await page.getByRole('button', { name: 'Allow re-enrollment' }).click();
  await page.getByRole('button', { name: 'Retire', exact: true }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('erases a user after an administrator typed the name, and lists the rules that name the user', async () => {
  const device = aDevice({ hostname: 'laptop-of-lin' });
  const as = { 'x-subscriber-id': 'lin@example.com' };
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
    headers: as,
  });
  const values = ['lin@example.com', 'ada@example.com'];
  const conditions = [{ field: 'subscriber_id', test: 'one_of', values }];
  await hub.console('POST', '/device-groups', {
    body: { name: 'Two people', rule: { conditions } },
  });
  const reviewer = await signedIn(browser, hub, 'Reviewer');
  await goTo(reviewer.page, hub, `devices/${device.device_id}`);
  await reviewer.page.getByRole('button', { name: 'Scan now' }).waitFor();
  expect(await reviewer.page.getByRole('button', { name: 'Erase user' }).count()).toBe(0);
  await reviewer.context.close();

  const { page, troubles, context } = await signedIn(browser, hub, 'Admin', { width: 360 });
  await goTo(page, hub, `devices/${device.device_id}`);
  await page.getByRole('button', { name: 'Erase user' }).click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: 'Erase permanently' });
  await dialog.getByLabel('Type the user ID').fill('lin@example');
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByLabel('Type the user ID').fill('lin@example.com');
  await erase.click();
  await dialog.getByText('1 device retired and emptied').waitFor();
  await dialog.getByRole('link', { name: 'Two people' }).waitFor();
  await expectSound({ page, troubles, context });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Allow re-enrollment' }).waitFor();
  expect(await page.getByText('lin@example.com').count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('erases a user without devices from the page of users, and reports unknown names', async () => {
  const groupOf = (value: string) =>
    hub.console('POST', '/device-groups', {
      body: {
        name: `Of ${value}`,
        rule: { conditions: [{ field: 'subscriber_id', test: 'one_of', values: [value] }] },
      },
    });
  await groupOf('nobody-yet@example.com');
  const { page, troubles, context } = await signedIn(browser, hub, 'Admin', { width: 360 });
  await goTo(page, hub, 'settings/data');
  const somebody = page.getByLabel('User ID, as devices and gateways report it');
  const open = page.getByRole('button', { name: 'Erase user' });
  expect(await open.isDisabled()).toBe(true);
  await expectSound({ page, troubles, context });

  const dialog = page.getByRole('dialog');
  const eraseAs = async (name: string) => {
    await somebody.fill(name);
    await open.click();
    await dialog.getByLabel('Type the user ID').fill(name);
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
  };
  await eraseAs('nobody-yet@example.com');
  await dialog.getByText('0 devices retired and emptied').waitFor();
  await dialog.getByRole('link', { name: 'Of nobody-yet@example.com' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });

  await eraseAs('nobody-at-all@example.com');
  await dialog.getByText('Nothing was erased').waitFor();
  expect(troubles.filter((trouble) => !trouble.includes('404'))).toEqual([]);
  await context.close();
});

it('lists problems above the devices with a link, until they are resolved', async () => {
  const device = aDevice({ hostname: 'cloned-image' });
  await push(aBatch(device, [anEntity('curl')]));
  await push(aBatch({ ...device, platform: 'darwin' }, [anEntity('curl')]));
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'devices');
  const notice = page.getByTestId('device-attention');
  await notice.getByText('1 device ID is used by more than one device.').waitFor();
  await expectSound({ page, troubles, context });
  await notice.getByRole('link', { name: 'Show duplicate IDs' }).click();
  await expect.poll(() => page.getByTestId('device-row').count()).toBe(1);
  await page.getByTestId('device-row').getByText('Duplicate ID', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'cloned-image' }).click();
  await page.getByRole('button', { name: 'Mark as resolved' }).click();
  await page.getByRole('button', { name: 'Mark as resolved' }).waitFor({ state: 'detached' });
  await goTo(page, hub, 'devices');
  await page.getByTestId('device-row').first().waitFor();
  expect(await notice.count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('shows processes, policies and alerts of a device, and links an alert to its details', async () => {
  const device = aDevice({ hostname: 'busy <b>laptop</b>' });
  const game = anEntity('Snake', { kind: 'application' });
  await push(aBatch(device, [game]));
  const send = (path: string, body: object) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body: { device, ...body } });
  const snake = aRunningProcess('snake', {
    application_name: 'Snake',
    entity_ids: [game.entity_id],
  });
  await send('running-processes', { processes: [snake] });
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: game.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        reason: 'No games',
        scope: { kind: 'device', device_id: device.device_id },
      },
    })
  ).body;
  const alerts = Array.from({ length: 3 }, () =>
    anAlert({ application_name: 'Snake', override_id: override.override_id }),
  );
  await send('alerts', { alerts });
  const opened = await signedIn(browser, hub);
  const { page } = opened;
  await goTo(page, hub, `devices/${device.device_id}`);
  // Sections load as they come into sight.
  for (const [name, row, text] of [
    ['Active policies', 'device-decision-row', 'Unknown'],
    ['Running programs', 'device-process-row', '/usr/bin/snake'],
    ['Alerts', 'alert-row', 'Snake'],
  ] as const) {
    const section = page.getByRole('region', { name, exact: true });
    await section.scrollIntoViewIfNeeded();
    await section.getByTestId(row).first().getByText(text).first().waitFor();
  }
  // The list of running processes follows the device's reports.
  await send('running-processes', { processes: [snake, aRunningProcess('tetris')] });
  await page.getByTestId('device-process-row').getByText('/usr/bin/tetris').waitFor();
  // The chain of a decision opens over the page, and what the page lists stays.
  await page.getByTestId('device-decision-row').getByRole('button', { name: /^Why/ }).click();
  await page.getByTestId('why').waitFor();
  await page.reload();
  await page.getByTestId('why').waitFor();
  await page.getByTestId('entity-row').filter({ hasText: 'Snake' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('why').waitFor({ state: 'detached' });
  const alertsHere = page.getByRole('region', { name: 'Alerts', exact: true });
  await alertsHere.scrollIntoViewIfNeeded();
  await page.getByTestId('alert-row').first().getByRole('link').first().click();
  const alert = page.getByTestId('alert');
  await alert.getByRole('link', { name: 'Snake' }).waitFor();
  await alert.getByRole('link', { name: 'busy <b>laptop</b>' }).waitFor();
  expect(new URL(page.url()).searchParams.get('alert')).toContain(device.device_id);
  await expectSound(opened);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectSound(opened);
  // The chain replaces the alert under an address of its own; Back shows the alert again.
  await alert.getByRole('button', { name: /^Why/ }).click();
  await page.getByTestId('why').waitFor();
  await page.reload();
  await page.getByTestId('why').getByText('Snake').first().waitFor();
  await page.keyboard.press('Escape');
  await alert.getByRole('link', { name: 'Show policy' }).click();
  const decision = page.getByTestId('decision-row');
  await decision.getByRole('button', { name: /^Why/ }).click();
  await page.getByTestId('why').getByRole('link', { name: 'Snake' }).waitFor();
  expect(new URL(page.url()).searchParams.get('why')).toBe(`decision.${override.override_id}`);
  await page.reload();
  await page.getByTestId('why').getByRole('link', { name: 'Snake' }).waitFor();
  await page.getByTestId('why').locator('a[href*="/audit-log?event="]').click();
  await page.getByRole('dialog').getByText('override.create').waitFor();

  await goTo(page, hub, `activity/alerts?view=groups&device_id=${device.device_id}`);
  await expectSound(opened);
  await page.getByRole('link', { name: /^3 alerts/ }).click();
  await expect.poll(() => page.getByTestId('alert-row').count()).toBe(3);
  await opened.context.close();
});

it('marks an approved app with a changed launch, and approves it again after review', async () => {
  const device = aDevice();
  const server = (launch: string) =>
    anEntity('notes-mcp', { kind: 'mcp_server', launch_hash: launch.repeat(64) });
  await push(aBatch(device, [server('a')]));
  await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: server('a').entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'policies/defaults');
  await page.getByText('No apps need a review.').waitFor();
  await page.getByRole('radio', { name: 'Block' }).check();
  await page.getByRole('button', { name: 'Save review setting' }).click();
  await page.getByText('Settings saved.').waitFor();
  await push(aBatch(device, [server('b')], { kind: 'delta' }));
  await page.getByText('1 app needs a review, on 1 device.').waitFor();
  await goTo(page, hub, `inventory/items/${server('a').entity_id}`);
  await page.getByRole('heading', { name: 'Changed since approval' }).waitFor();
  expect(await page.getByTestId('drifts').textContent()).toContain('launch command');
  const suspended = page
    .getByTestId('decision-row')
    .filter({ hasText: 'Held: changed since approval' });
  await suspended.getByText('Block', { exact: false }).first().waitFor();
  expect(await suspended.getByRole('button').allTextContents()).toEqual(['Why?']);
  await page.getByRole('button', { name: 'Keep approval' }).click();
  await suspended.waitFor({ state: 'detached' });
  await page.getByTestId('drifts').waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
  await context.close();
});

it('shows everyone the emergency stop until it is released', async () => {
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'policies');
  await page.getByRole('button', { name: 'Pause enforcement' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pause enforcement' }).click();
  await page.getByRole('status').getByText('all agents are in monitor mode').waitFor();
  const ceiling = async () =>
    (await hub.console('GET', '/emergency-stop')).body.enforcement_ceiling;
  expect(await ceiling()).toBe('monitor');
  await page.getByRole('button', { name: 'Resume enforcement' }).click();
  await dialog.getByRole('button', { name: 'Resume enforcement' }).click();
  await page.getByRole('button', { name: 'Pause enforcement' }).waitFor();
  expect(await ceiling()).toBe('enforce');
  expect(troubles).toEqual([]);
  await context.close();
});
