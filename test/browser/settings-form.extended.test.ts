// The form of an app's configuration: errors appear at their field, and optional values can be removed again.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, type Opened, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { makeApp, manage } from '../support/management.ts';

let hub: TestHub;
let browser: Browser;
let opened: Opened;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  opened = await signedIn(browser, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** An app with these settings; gives how it is read again. */
async function anAppWith(settings: Record<string, unknown>) {
  const name = `form-${randomUUID()}`;
  await makeApp(await manage(hub), name);
  const path = `/gateway/app?app_name=${name}`;
  const read = async () => (await hub.console('GET', path)).body.app;
  const headers = { 'if-match': (await read()).version };
  const stored = await hub.console('PATCH', path, { body: settings, headers });
  expect(stored.status).toBe(200);
  await goTo(opened.page, hub, `gateway/apps/${name}?tab=settings`);
  return read;
}

async function store(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved.').first().waitFor();
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
  // The focus stays at the section that was changed.
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
}

const section = (page: Page, name: string) =>
  page.locator('details').filter({ has: page.locator('summary', { hasText: name }) });

it('reports a number beyond its bounds at its field, and keeps the typed text', async () => {
  const { page } = opened;
  const read = await anAppWith({ alerting: { app_level: { window_minutes: 30 } } });
  const window = section(page, 'Alerting')
    .getByRole('textbox', { name: 'Window (minutes)' })
    .first();
  await window.fill('2');
  await page.keyboard.press('Tab');
  expect(await window.inputValue()).toBe('2');
  expect(await window.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('alert').filter({ hasText: 'Window (minutes): From 5 to 1,440' }).waitFor();
  const submit = page.getByRole('button', { name: 'Save changes' });
  expect(await submit.isDisabled()).toBe(true);
  await window.fill('20');
  await store(page);
  expect((await read()).alerting.app_level.window_minutes).toBe(20);
});

it('reports a rejection by the hub at its field until the field changes', async () => {
  const { page } = opened;
  const read = await anAppWith({ limits: { timeout: 5 } });
  const limits = section(page, 'Limits');
  const rate = limits.getByRole('group', { name: 'Request limit', exact: true });
  await rate.getByRole('textbox', { name: 'Amount' }).fill('10');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const duration = rate.getByRole('combobox', { name: 'Period' });
  await expect.poll(() => duration.getAttribute('aria-invalid')).toBe('true');
  await rate.getByText('is required', { exact: true }).waitFor();
  await duration.selectOption('minute');
  await rate.getByText('is required', { exact: true }).waitFor({ state: 'detached' });
  const groups = [{ group_name: 'g', models: [{ provider_name: 'x', model_name: 'm' }] }];
  const routing = section(page, 'Routing');
  await routing.locator('summary').click();
  const json = routing.getByRole('textbox', { name: /^Model groups(?! by)/ });
  await json.fill(JSON.stringify(groups));
  await routing.locator('summary').click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  // Its section is opened for it.
  await routing.getByText('0 → models → 0 → weight: is required').waitFor();
  await json.fill('');
  await store(page);
  expect((await read()).limits).toEqual({
    timeout: 5,
    rate_limit: { value: 10, duration: 'minute' },
  });
});

it('removes configured values: a limit completely, and a text', async () => {
  const { page } = opened;
  const read = await anAppWith({
    limits: { timeout: 5, rate_limit: { value: 10, duration: 'minute' }, rate_limit_per_minute: 3 },
    detection: { agent_purpose: 'to help' },
    access: { jwt_auth: { enabled: false, allowed_issuers: ['https://login.example'] } },
  });
  const limits = section(page, 'Limits');
  const rate = limits.getByRole('group', { name: 'Request limit', exact: true });
  // A reset discards the input of the field.
  await rate.getByRole('textbox', { name: 'Amount' }).fill('-1');
  await rate.getByRole('button', { name: 'Reset: Request limit' }).click();
  expect(await rate.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('');
  expect(await rate.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Reset: Sign-in with JWT' }).click();
  await section(page, 'Detection').getByRole('textbox', { name: 'Purpose of the agent' }).fill('');
  await store(page);
  const app = await read();
  expect(app.limits).toMatchObject({ timeout: 5, rate_limit: null });
  expect(app.detection.agent_purpose).toBe('');
  expect(app.access?.jwt_auth ?? null).toBe(null);
  // A required setting keeps a value.
  const perMinute = limits.getByRole('textbox', { name: 'Requests per minute', exact: true });
  await perMinute.fill('');
  await page.getByRole('alert').filter({ hasText: 'per minute: Enter a number' }).waitFor();
  await perMinute.fill('4');
  await store(page);
  expect((await read()).limits.rate_limit_per_minute).toBe(4);
});

it('warns in advance that entries of a merged map cannot be removed', async () => {
  const { page } = opened;
  const read = await anAppWith({ detection: { enabled_categories: { pii: true } } });
  const detection = section(page, 'Detection');
  await detection.getByText('Advanced (categories and definitions)').click();
  const stays = 'You can edit and add entries here, but not remove them.';
  const named = (name: RegExp) => detection.getByRole('textbox', { name });
  await named(/^Active categories/).waitFor();
  // The notice appears only at the setting that has entries.
  expect(await detection.getByText(stays).count()).toBe(1);
  await named(/^Active categories/).fill('{"pii": false}');
  await store(page);
  expect((await read()).detection.enabled_categories).toEqual({ pii: false });
});
