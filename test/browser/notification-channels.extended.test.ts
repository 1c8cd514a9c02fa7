// Alert routes in the console: made, tried and deleted by an administrator, with a real target at the other end.
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDevice, anAlert } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, openTab, settled, signedIn } from '../support/console.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { type HttpSink, openHttpSink, reaching } from '../support/sinks.ts';

let sink: HttpSink;
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  sink = await openHttpSink();
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase())));
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await sink?.close();
});

const sendAlert = () =>
  deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device: aDevice(), alerts: [anAlert({ severity: 'critical' })] },
  });

describe('an administrator', () => {
  it('creates a webhook, shows its secret, sends a test and shows its delivery', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    await openTab(page, 'Settings', 'Notifications');
    await page.getByText('No notification channels yet').waitFor();
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('Enter a URL').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Security, on call');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${sink.url}/hidden/path`);
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    const box = dialog.getByLabel('Signing secret');
    await box.waitFor();
    const secret = await box.inputValue();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy secret' }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Security, on call' }).click();
    await settled(page);
    expect(await page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain('hidden/path');
    await page.getByRole('button', { name: 'Send test' }).click();
    const outcome = page.getByTestId('test-outcome');
    await expect
      .poll(() => outcome.textContent())
      .toContain('Test delivered (response 204).The receiver gets a signed JSON message');
    await page.getByTestId('delivery-row').filter({ hasText: 'Delivered' }).waitFor();
    await page.getByText('Working', { exact: true }).waitFor();
    const [got] = sink.at('/hidden/path');
    new Webhook(secret).verify(got?.raw ?? '', got?.headers as Record<string, string>);

    await sendAlert();
    const row = page.getByTestId('delivery-row').filter({ hasText: 'Alert' });
    await row.filter({ hasText: 'Delivered' }).waitFor();
    await page.getByRole('button', { name: 'Send again…' }).click();
    const again = page.getByRole('dialog', { name: 'Send again?' });
    await again.getByRole('button', { name: 'Send again', exact: true }).click();
    await again.getByText('No messages to send.').waitFor();
    await again.getByLabel('Include delivered messages').check();
    await again.getByRole('button', { name: 'Send again', exact: true }).click();
    await again.getByText('Sending 1 message.').waitFor();
    const ids = () => sink.at('/hidden/path').map((request) => request.headers['webhook-id']);
    await expect.poll(() => ids().length).toBe(3);
    expect(ids()[2]).toBe(ids()[1]);
    await again.getByRole('button', { name: 'Close' }).first().click();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('limits a channel to a device group, and lists simultaneous alerts as a single digest', async () => {
    const created = await hub.console('POST', '/device-groups', { body: { name: 'Laptops' } });
    const device = aDevice();
    const raise = (count: number) =>
      deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
        body: { device, alerts: Array.from({ length: count }, () => anAlert()) },
      });
    await raise(1);
    const path = `/device-groups/${created.body.group.group_id}/devices/${device.device_id}`;
    expect((await hub.console('PUT', path, { body: {} })).status).toBe(200);
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/notifications');
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    const digest = dialog.getByRole('textbox', { name: 'Batch after' });
    expect(await digest.inputValue()).toBe('');
    await dialog.getByRole('radio', { name: 'Chat' }).check();
    expect(await digest.inputValue()).toBe('20');
    await digest.fill('2');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop chat');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${sink.url}/laptops`);
    await dialog.getByRole('combobox', { name: 'Device group' }).fill('Lap');
    await page.getByRole('option', { name: 'Laptops' }).click();
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Laptop chat' }).click();
    await page.getByRole('link', { name: 'Laptops' }).waitFor();
    await page.getByText('After 2 messages per minute').waitFor();
    await raise(7);
    await page.getByTestId('delivery-row').filter({ hasText: 'Summary of 5 alerts' }).waitFor();
    await page
      .getByTestId('delivery-row')
      .filter({ hasText: 'Alert, in a summary' })
      .nth(4)
      .waitFor();

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Device group' }).fill('');
    await page.getByRole('option', { name: 'All devices' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Laptops' }).waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('shows the failure of a channel, disables it, and deletes it', async () => {
    sink.answer = (response) => response.writeHead(500).end();
    const { page, troubles, context } = await signedIn(browser, hub);
    const body = { kind: 'chat', name: 'Broken chat', url: `${sink.url}/broken` };
    await hub.console('POST', '/alert-routes', { body });
    await goTo(page, hub, 'settings/notifications');
    await page.getByRole('link', { name: 'Broken chat' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Send test' }).click();
    const outcome = page.getByTestId('test-outcome');
    await expect.poll(() => outcome.textContent()).toContain('answered 500. Retrying.');
    await page.getByText('Failing, retrying').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();

    sink.answer = (response) => response.writeHead(204).end();
    await page.getByRole('button', { name: /^Retry now/ }).click();
    await page.getByTestId('delivery-row').filter({ hasText: 'Delivered' }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Mended chat');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mended chat' }).waitFor();

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByTestId('notification-channel-row').first().waitFor();
    expect(await page.getByText('Mended chat').count()).toBe(0);
    // The event of the deletion may arrive before its answer: then the page requests the deleted route once.
    const asked = (value: string) => value.includes('404') && value.includes(`/alert-routes/${id}`);
    expect(troubles.filter((trouble) => !asked(trouble))).toEqual([]);
    await context.close();
  });

  it('explains in the form the rejection of a URL or an email address', async () => {
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/notifications');
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Metadata');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://169.254.169.254/');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('must point to public addresses only').waitFor();
    await dialog.getByRole('radio', { name: 'E-mail' }).check();
    await dialog.getByRole('textbox', { name: 'E-mail addresses' }).fill('a@example.com');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('HUB_SMTP_URL').waitFor();
    await context.close();
  });
});

it('shows a Viewer notification channels and their history without write actions', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
  await goTo(page, hub, 'settings/log-export');
  const tabs = page.getByRole('navigation', { name: 'Settings pages' });
  await tabs.getByText('Log export').waitFor();
  expect(await tabs.getByText('Notifications').count()).toBe(0);
  await goTo(page, hub, 'activity/alerts');
  await page.getByRole('link', { name: 'Manage notifications' }).click();
  await page.getByRole('link', { name: 'Security, on call' }).click();
  await page.getByTestId('delivery-row').first().waitFor();
  expect(await page.locator('main').getByRole('button').count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});
