// The LLM gateway in the console: apps, providers, keys, prompts and versions by an administrator; logs, use, metrics and
// export keys; what a Viewer is offered; every page in both themes, wide and narrow.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openTab, type Scheme, settled, signedIn } from '../support/console.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe 🦊 /%';
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  const config = hubConfig(await cloneDatabase());
  hub = await startTestHub({ ...config, providerNames: { D: 'Acme', H: 'Example AI' } });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const gateway = (method: string, path: string, body?: unknown, headers = {}) =>
  hub.console(method, `/gateway${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });

async function aProvider(label = `p-${randomUUID()}`): Promise<string> {
  const body = { label, provider_name: 'vendorA', provider_settings: { api_key: 'sk-stored' } };
  expect((await gateway('POST', '/providers', body)).status).toBe(201);
  return label;
}

async function anApp(name: string): Promise<string> {
  const answer = await gateway('POST', '/apps', { name, provider_labels: [await aProvider()] });
  expect(answer.status).toBe(201);
  return name;
}

const appPage = (name: string, tab = 'settings') =>
  `gateway/apps/${encodeURIComponent(name)}?tab=${tab}`;

const section = (page: Page, name: string) =>
  page
    .locator('details')
    .filter({ has: page.locator('summary').filter({ hasText: new RegExp(`^${name}`) }) });

async function app(name: string) {
  const query = `?app_name=${encodeURIComponent(name)}`;
  return (await gateway('GET', `/app${query}`)).body.app;
}

describe('an administrator', () => {
  it('adds a provider, whose credential is never shown again', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    await openTab(page, 'AI gateway', 'Providers');
    await page.getByText('No providers yet').waitFor();
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Label' }).fill('main');
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).selectOption('vendorG');
    await dialog.getByRole('combobox', { name: 'AWS auth mode' }).selectOption('assume_role');
    await dialog.getByRole('textbox', { name: 'AWS role ARN' }).fill('arn:role');
    await dialog.getByRole('textbox', { name: 'AWS region' }).fill('eu-west-1');
    await dialog.getByLabel('AWS secret key').fill('planted-secret');
    await dialog.getByLabel('Models').first().fill('model-1');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'model-1: Input' }).fill('2,5');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByTestId('provider-row').filter({ hasText: 'main' });
    await row.getByText('Configured').waitFor();
    expect(await page.content()).not.toContain('planted-secret');
    const [stored] = (await gateway('GET', '/providers')).body.items;
    expect(stored).toMatchObject({
      label: 'main',
      provider_name: 'vendorG',
      selected_models: ['model-1'],
      model_costs: { 'model-1': { input_per_1m: 2.5 } },
    });
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'AWS region' }).fill('eu-west-2');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [changed] = (await gateway('GET', '/providers')).body.items;
    expect(changed.provider_settings).toMatchObject({ vendorG_region: 'eu-west-2' });
    expect(changed.credential_configured).toBe(true);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('creates an app of any name, shows its key, and finds it by search and tag', async () => {
    const label = await aProvider();
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'gateway/apps');
    await page.getByRole('button', { name: 'Create app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create app' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(HOSTILE);
    await dialog.getByLabel('Providers').first().fill(label);
    await page.getByRole('option', { name: label }).click();
    await page.keyboard.press('Tab');
    await dialog.getByText('More options').click();
    await dialog.getByLabel('Tags').first().fill('team-a');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Create app' }).click();
    const box = dialog.getByLabel('Key', { exact: true });
    await box.waitFor();
    const secret = await box.inputValue();
    expect(secret).toMatch(/^gwk_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('searchbox', { name: 'Search by name' }).fill('onerror');
    await expect.poll(() => page.url()).toContain('name=onerror');
    const row = page.getByTestId('gateway-app-row');
    await expect.poll(() => row.count()).toBe(1);
    await row.getByRole('link', { name: 'team-a' }).click();
    await expect.poll(() => page.url()).toContain('tag=team-a');
    await row.getByRole('link').first().click();
    await settled(page);
    const heading = page.getByRole('heading', { level: 1 });
    await expect.poll(() => heading.textContent()).toContain('<img src=x');
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('changes settings in a form generated from the schema, and sends only changed fields', async () => {
    const name = await anApp(`settings-${randomUUID()}`);
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name));
    const limits = section(page, 'Limits');
    await limits.locator('summary').click();
    await limits.getByRole('textbox', { name: 'Timeout' }).fill('30');
    const access = section(page, 'Access');
    await access.locator('summary').click();
    await access.getByRole('combobox', { name: 'Require a user', exact: true }).selectOption('Yes');
    await access.getByLabel('Allowed e-mail domains').first().fill('example.com');
    await page.keyboard.press('Enter');
    await page.getByText('2 changes').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect(await app(name)).toMatchObject({
      limits: { timeout: 30 },
      access: { enforce_identity: true, allowed_user_domains: ['example.com'] },
    });
    const json = limits.getByRole('textbox', { name: 'Request limits by model' });
    await json.fill('[{');
    await page.getByRole('alert').filter({ hasText: 'Enter valid JSON' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    await json.fill('[{"provider_label": "nobody", "model": "m"}]');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('/limits/model_rate_limits/0/provider_label').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await limits.getByRole('textbox', { name: 'Timeout' }).inputValue()).toBe('30');
    expect(troubles.filter((trouble) => !trouble.includes('400'))).toEqual([]);
    await context.close();
  });

  it('keeps what is typed while the page is read again after a change was stored', async () => {
    const name = await anApp(`typing-${randomUUID()}`);
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name));
    const limits = section(page, 'Limits');
    await limits.locator('summary').click();
    const timeout = limits.getByRole('textbox', { name: 'Timeout' });
    await timeout.fill('30');
    const released = Promise.withResolvers<void>();
    await page.route(/\/gateway\/app\?/, async (request) => {
      if (request.request().method() !== 'GET') return request.continue();
      await released.promise;
      await request.continue();
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect(await timeout.inputValue()).toBe('30');
    const json = limits.getByRole('textbox', { name: 'Request limits by model' });
    await json.fill('[{');
    await page.getByRole('alert').filter({ hasText: 'Enter valid JSON' }).waitFor();
    const isRead = page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().includes('/gateway/app?'),
    );
    released.resolve();
    await (await isRead).finished();
    await settled(page);
    expect([await timeout.inputValue(), await json.inputValue()]).toEqual(['30', '[{']);
    const store = page.getByRole('button', { name: 'Save changes' });
    expect(await store.isDisabled()).toBe(true);
    await context.close();
  });

  it("reports another administrator's change instead of overwriting it", async () => {
    const name = await anApp(`conflict-${randomUUID()}`);
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name));
    const prompts = section(page, 'Prompts');
    await prompts.locator('summary').click();
    await prompts.getByRole('combobox').selectOption('Yes');
    const { version } = await app(name);
    const query = `?app_name=${encodeURIComponent(name)}`;
    await gateway('PATCH', `/app${query}`, { tags: ['theirs'] }, { 'if-match': version });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Someone else changed this').waitFor();
    const now = await app(name);
    expect([now.tags, now.prompts]).toEqual([['theirs'], undefined]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect((await app(name)).tags).toEqual(['theirs']);
    expect((await app(name)).prompts).toEqual({ require_system_from_store: true });
    await context.close();
  });

  it('issues, reveals, ends and revokes keys', async () => {
    const name = await anApp(`keys-${randomUUID()}`);
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name, 'keys'));
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('second');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const box = dialog.getByLabel('Key', { exact: true });
    await box.waitFor();
    const secret = await box.inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByTestId('app-key-row').filter({ hasText: 'second' });
    await row.getByRole('button', { name: 'Reveal' }).click();
    await expect.poll(() => dialog.getByLabel('Key', { exact: true }).inputValue()).toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Set expiration' }).click();
    await dialog.getByLabel('Expires').fill('2020-01-01T10:00');
    await dialog.getByText('Enter a time in the future').waitFor();
    await dialog.getByLabel('Expires').fill('2040-01-01T10:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    const keys = await gateway('GET', `/app/keys?app_name=${encodeURIComponent(name)}`);
    expect(keys.body.items.find((key: { name: string }) => key.name === 'second')).toMatchObject({
      status: 'revoked',
      expires_at: expect.stringMatching(/^20(40|39)-/),
    });
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('writes a prompt, previews a change as a diff, and deletes it', async () => {
    const name = await anApp(`prompts-${randomUUID()}`);
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name, 'prompts'));
    await page.getByRole('button', { name: 'Create prompt' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Prompt' }).fill('greeting');
    await dialog.getByRole('textbox', { name: 'Content' }).fill('first\ntwo\nthree');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByTestId('prompt-row');
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Content' }).fill('first\n2\nthree');
    expect(await dialog.locator('del').textContent()).toBe('two\n');
    expect(await dialog.locator('ins').textContent()).toBe('2\n');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const query = `?app_name=${encodeURIComponent(name)}`;
    const stored = await gateway('GET', `/app/prompts/greeting${query}`);
    expect(stored.body.prompt.content).toBe('first\n2\nthree');
    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No prompts', { exact: true }).waitFor();
    expect(troubles.filter((trouble) => !/404 .*\/prompts\/greeting/.test(trouble))).toEqual([]);
    await context.close();
  });

  it('restores an earlier version, and attaches, promotes and detaches providers', async () => {
    const name = await anApp(`versions-${randomUUID()}`);
    const provider = await aProvider();
    const query = `?app_name=${encodeURIComponent(name)}`;
    for (const timeout of [10, 20]) {
      const { version } = await app(name);
      await gateway('PATCH', `/app${query}`, { limits: { timeout } }, { 'if-match': version });
    }
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, appPage(name, 'versions'));
    const rows = page.getByTestId('version-row');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.last().getByRole('button', { name: 'Show' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"timeout": 10').first().waitFor();
    await page.reload();
    await dialog.getByText('"timeout": 10').first().waitFor();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await app(name)).limits).toEqual({ timeout: 10 });

    for (let i = 1; i < 205; i++) await aProvider(); // The list then needs a second page.
    await aProvider('zz-last');
    await page.getByRole('tab', { name: 'Providers' }).click();
    const choice = page.getByRole('combobox', { name: 'Attach provider' });
    await choice.selectOption('zz-last');
    await choice.selectOption(provider);
    await page.getByRole('button', { name: 'Attach provider' }).click();
    const attached = page.getByTestId('attached-provider').filter({ hasText: provider });
    await attached.getByRole('button', { name: 'Make primary' }).click();
    await attached.getByText('Primary', { exact: true }).waitFor();
    expect((await app(name)).provider_labels[0]).toBe(provider);
    await attached.getByRole('button', { name: 'Detach' }).click();
    await expect.poll(() => attached.count()).toBe(0);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('creates an export key, and stores the retention of logs', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'settings/log-export');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('collector');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const box = dialog.getByLabel('Export key', { exact: true });
    await box.waitFor();
    const secret = await box.inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByTestId('export-key-row').filter({ hasText: 'collector' });
    await row.getByText('LLM requests of all apps').waitFor();
    const exported = await fetch(`${hub.url}/llmgateway/logs/export`, {
      headers: { 'x-gw-log-export-key': secret },
    });
    expect(exported.status).toBe(200);
    await exported.text();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await page.getByRole('textbox', { name: 'Retention (days)' }).fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    const settings = (await hub.console('GET', '/log-settings')).body.settings;
    expect(settings.retention_days).toBe(9);
    expect(troubles).toEqual([]);
    await context.close();
  });
});

describe('a Viewer', () => {
  it('offers a Viewer no write actions', async () => {
    const name = await anApp(`viewed-${randomUUID()}`);
    const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
    for (const path of [
      'gateway/apps',
      'gateway/providers',
      'gateway/export-keys',
      ...['settings', 'providers', 'keys', 'prompts', 'versions'].map((tab) => appPage(name, tab)),
    ]) {
      await goTo(page, hub, path);
      const offered = await page.locator('main').getByRole('button').allTextContents();
      const allowed = ['Load more', 'Show', 'Copy'];
      expect([path, offered.filter((text) => text !== '' && !allowed.includes(text))]).toEqual([
        path,
        [],
      ]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
});

// Both schemes and both widths, each once: colours do not depend on the width.
describe.each([
  ['light', 1280],
  ['dark', 360],
] as [Scheme, number][])('every page, %s, %d pixels wide', (scheme, width) => {
  it('passes accessibility checks and does not overflow', async () => {
    await anApp(HOSTILE.repeat(2) + scheme + width).catch(() => undefined);
    const name = await anApp(`shown-${scheme}-${width}`);
    const opened = await signedIn(browser, hub, 'Admin', { scheme, width });
    const { page, troubles, context } = opened;
    for (const path of [
      'gateway/apps',
      ...['settings', 'providers', 'keys', 'prompts', 'versions'].map((tab) => appPage(name, tab)),
      'gateway/providers',
      'gateway/requests',
      'gateway/tool-calls',
      'gateway/usage',
      'gateway/metrics',
      'gateway/export-keys',
      'gateway/catalogs',
      'gateway/audit',
    ]) {
      await goTo(page, hub, path);
      await expectSound(opened);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
});

it('names provider vendors as the operator does', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Admin');
  await goTo(page, hub, 'gateway/providers');
  await page.getByRole('button', { name: 'Add provider' }).click();
  const types = page.getByRole('dialog').getByLabel('Type').locator('option');
  const labels = await types.allTextContents();
  expect(labels).toEqual(expect.arrayContaining(['Acme', 'Example AI Rerank', 'Vendor I Rerank']));
  expect(troubles).toEqual([]);
  await context.close();
});
