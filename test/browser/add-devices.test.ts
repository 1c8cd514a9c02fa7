// A device is added from the page: a command with a token, a file for device management, and the device that connects.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice } from '../support/builders.ts';
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

it('shows a device as soon as it enrolls with the token of the command', async () => {
  const opened = await signedIn(browser, hub, 'Admin', { width: 390, height: 844 });
  const { page, context } = opened;
  await goTo(page, hub, 'devices/add');
  await page.getByRole('button', { name: 'Create command' }).click();
  await page.getByText('Waiting for the first device…').waitFor();
  const command = (await page.getByTestId('installer').textContent()) ?? '';
  const [secret = ''] = /gwa_\w+/.exec(command) ?? [];
  await page.getByRole('tab', { name: 'macOS' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file for Jamf Pro' }).click();
  const file = await (await downloading).path();
  expect(readFileSync(file, 'utf8')).toContain(`GATEWARDEN_AUTH_TOKEN=${secret}`);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectSound(opened);
  }
  const device = aDevice({ hostname: 'fresh-laptop' });
  const enrolled = await deviceCall({ ...hub, agentToken: secret }, 'POST', '/ea/v1/enroll', {
    body: { device, subscriber_id: 'alice@example.com' },
    headers: { 'x-subscriber-id': 'alice@example.com' },
  });
  expect(enrolled.status).toBe(201);
  await page.getByTestId('connected-device-row').getByText('fresh-laptop').waitFor();
  await context.close();
});
