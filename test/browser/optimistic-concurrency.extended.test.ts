// A record changed while another person edits it: the form continues from the stored state, typed input stays, and
// no change of the other person is undone unseen.
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

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

interface Record {
  /** Makes it; gives where its API has it and where its page is. */
  make(): Promise<{ api: string; page: string }>;
  /** The property of the answer that contains the record. */
  as: string;
  open(page: Page): Promise<void>;
  /** The field that both change; `theirs` is the other person's change of further fields. */
  field: string;
  store: string;
  theirs: object;
  /** A field that only the other person changed. */
  besides: [label: string, value: string];
}

const createRecord = async (path: string, body: object, as: string, id: string) => {
  const answer = await hub.console('POST', path, {
    body,
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body[as][id] as string;
};
const change = (page: Page) => page.getByRole('button', { name: /^Edit/ }).first().click();

const RECORDS: { [name: string]: Record } = {
  'a device group': {
    async make() {
      const at = `device-groups/${await createRecord('/device-groups', { name: 'first' }, 'group', 'group_id')}`;
      return { api: `/${at}`, page: at };
    },
    as: 'group',
    open: change,
    field: 'Name',
    store: 'Edit',
    theirs: { description: 'of theirs' },
    besides: ['Description', 'of theirs'],
  },
  'a user group': {
    async make() {
      const body = { name: 'first', members: ['ada@example.com'] };
      const id = await createRecord('/people-groups', body, 'group', 'people_group_id');
      return { api: `/people-groups/${id}`, page: 'settings/users/groups' };
    },
    as: 'group',
    open: change,
    field: 'Name',
    store: 'Save changes',
    theirs: { description: 'of theirs' },
    besides: ['Description', 'of theirs'],
  },
  'a notification channel': {
    async make() {
      const body = {
        ...{ kind: 'webhook', name: 'first', min_severity: 'high' },
        url: 'https://example.com/hook',
      };
      const at = `alert-routes/${await createRecord('/alert-routes', body, 'route', 'route_id')}`;
      return { api: `/${at}`, page: at };
    },
    as: 'route',
    open: change,
    field: 'Name',
    store: 'Save changes',
    theirs: { digest_after: 7 },
    besides: ['Batch after', '7'],
  },
  'an MCP server': {
    async make() {
      const body = {
        ...{ slug: 'first', name: 'first', auth: { kind: 'none' } },
        url: 'https://mcp.example.com/mcp',
      };
      const id = await createRecord('/mcp/backends', body, 'backend', 'id');
      return { api: `/mcp/backends/${id}`, page: `mcp-servers/${id}` };
    },
    as: 'backend',
    open: change,
    field: 'Name',
    store: 'Save changes',
    theirs: { slug: 'second' },
    besides: ['Slug', 'second'],
  },
  'a call rule': {
    async make() {
      const body = {
        ...{ name: 'first', backend_id: null, tool: '*' },
        definition: { kind: 'approval', by: 'caller', valid_minutes: 10 },
      };
      const id = await createRecord('/mcp/call-rules', body, 'rule', 'id');
      return { api: `/mcp/call-rules/${id}`, page: 'gateway/guardrails' };
    },
    as: 'rule',
    open: change,
    field: 'Name',
    store: 'Save changes',
    theirs: { tool: 'delete-*' },
    besides: ['Tool', 'delete-*'],
  },
};

it.each(Object.keys(RECORDS))(
  '%s: what was typed stays, what the other did is there',
  async (kind) => {
    const { make, as, open, field, store, theirs, besides } = RECORDS[kind] as Record;
    const { api, page: address } = await make();
    const { page, context } = await signedIn(browser, hub);
    await goTo(page, hub, address);
    await open(page);
    const dialog = page.getByRole('dialog');
    const typed = labelled(dialog, field);
    await typed.fill('mine');
    const readCurrent = async () => (await hub.console('GET', api)).body[as];
    const changed = await hub.console('PATCH', api, {
      body: { name: 'of somebody else', ...theirs },
      headers: { 'if-match': (await readCurrent()).version },
    });
    expect(changed.status).toBe(200);
    await dialog.getByRole('button', { name: store, exact: true }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('Someone else changed this').waitFor();
    await alert.getByText(`${field}: now “of somebody else”`).waitFor();
    expect(await typed.inputValue()).toBe('mine');
    expect(await labelled(dialog, besides[0]).inputValue()).toBe(besides[1]);
    expect((await readCurrent()).name).toBe('of somebody else');
    await dialog.getByRole('button', { name: store, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readCurrent()).toMatchObject({ ...theirs, name: 'mine' });
    await context.close();
  },
);

const labelled = (within: Locator, label: string) =>
  within.getByRole('textbox', { name: new RegExp(`^${label}`) }).first();

it('reports conflicts of default policies by kind', async () => {
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'policies/defaults');
  const row = (kind: string) => page.getByTestId('default-policy-row').filter({ hasText: kind });
  const mine = row('MCP server').getByRole('combobox');
  await mine.selectOption('Warn');
  const at = '/default-policies';
  const { version } = (await hub.console('GET', at)).body;
  const otherDefaults = [
    { kind: 'ai_tool', execution_policy: 'monitor', reason: null },
    { kind: 'mcp_server', execution_policy: 'block', reason: null },
  ];
  const stored = await hub.console('PUT', at, {
    body: { policies: otherDefaults },
    headers: { 'if-match': version },
  });
  expect(stored.status).toBe(200);
  const store = page.getByRole('button', { name: 'Save changes' });
  await store.click();
  await page.getByText('MCP server: now “block”').waitFor();
  expect(await mine.inputValue()).toBe('warn');
  expect(await row('AI tool').getByRole('combobox').inputValue()).toBe('monitor');
  await store.click();
  await expect
    .poll(async () => (await hub.console('GET', at)).body.policies)
    .toMatchObject([
      { kind: 'ai_tool', execution_policy: 'monitor' },
      { kind: 'mcp_server', execution_policy: 'warn' },
    ]);
  await context.close();
});

const gateway = (method: string, path: string, body?: object, version?: string) =>
  hub.console(method, `/gateway${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: {
      'idempotency-key': randomUUID(),
      ...(version === undefined ? {} : { 'if-match': version }),
    },
  });

it('reports conflicts of a provider and of app settings by field', async () => {
  const provider = { label: 'main', provider_name: 'vendorA' };
  const settings = { provider_settings: { api_key: 'sk-stored' } };
  expect((await gateway('POST', '/providers', { ...provider, ...settings })).status).toBe(201);
  const app = { name: 'app', provider_labels: ['main'] };
  expect((await gateway('POST', '/apps', app)).status).toBe(201);
  const { page, context } = await signedIn(browser, hub);

  await goTo(page, hub, 'gateway/providers');
  await change(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Models').first().fill('mine');
  await page.keyboard.press('Enter');
  const main = async () => (await gateway('GET', '/providers/main')).body.provider;
  const off = await gateway('PATCH', '/providers/main', { enabled: false }, (await main()).version);
  expect(off.status).toBe(200);
  await dialog.getByRole('button', { name: 'Save changes', exact: true }).click();
  await dialog.getByText('Someone else changed this').waitFor();
  expect(await dialog.getByLabel('Enabled').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Save changes', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await main()).toMatchObject({ enabled: false, selected_models: ['mine'] });

  const readCurrent = async () => (await gateway('GET', '/app?app_name=app')).body.app;
  await goTo(page, hub, 'gateway/apps/app');
  await page.getByText('Limits', { exact: false }).first().click();
  const timeout = page.getByLabel('Timeout (seconds)', { exact: true }).first();
  await timeout.fill('77');
  const otherLimits = { limits: { timeout: 55, concurrency_per_minute: 9 } };
  const concurrentChange = await gateway(
    'PATCH',
    '/app?app_name=app',
    otherLimits,
    (await readCurrent()).version,
  );
  expect([concurrentChange.status, concurrentChange.body.error]).toEqual([200, undefined]);
  const store = page.getByRole('button', { name: 'Save changes', exact: true });
  await store.click();
  await page.getByText('Limits → Timeout (seconds): now “55”').waitFor();
  expect(await timeout.inputValue()).toBe('77');
  const rate = page.getByLabel('Parallel requests per minute', { exact: true }).first();
  await expect.poll(() => rate.inputValue()).toBe('9');
  await store.click();
  await page.getByText('Changes saved.', { exact: false }).waitFor();
  expect((await readCurrent()).limits).toEqual({ timeout: 77, concurrency_per_minute: 9 });
  await context.close();
});
