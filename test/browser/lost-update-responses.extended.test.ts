// Lost answers to updates: a repetition is no conflict with oneself, and another person's change stays a conflict.
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, signedIn } from '../support/console.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
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

interface Kept {
  page: string;
  /** The path of the record in the API, for reads and changes. */
  path: string;
  ifMatch: string;
}

interface Change {
  what: string;
  make(name: string): Promise<Kept>;
  open: string;
  writes: RegExp;
}

/** Whichever of them was made, under its name. */
type Made = Awaited<ReturnType<TestHub['console']>>['body'];

async function createRecord(path: string, body: object): Promise<Made> {
  const answer = await hub.console('POST', path, { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const CHANGES: Change[] = [
  {
    what: 'a device group',
    async make(name) {
      const { group } = await createRecord('/device-groups', { name });
      const path = `device-groups/${group.group_id}`;
      return { page: path, path: `/${path}`, ifMatch: group.version };
    },
    open: 'Edit',
    writes: /\/device-groups\/[^/]+$/,
  },
  {
    what: 'a user group',
    async make(name) {
      const members = ['bob@example.com', 'ada@example.com'];
      const { group } = await createRecord('/people-groups', { name, members });
      const path = `/people-groups/${group.people_group_id}`;
      return { page: 'settings/users/groups', path, ifMatch: group.version };
    },
    open: 'Edit user group',
    writes: /\/people-groups\/[^/]+$/,
  },
  {
    what: 'a notification channel',
    async make(name) {
      const body = { kind: 'webhook', name, url: `${sink.url}/x`, min_severity: 'low' };
      const { route } = await createRecord('/alert-routes', body);
      const path = `alert-routes/${route.route_id}`;
      return { page: path, path: `/${path}`, ifMatch: route.version };
    },
    open: 'Edit',
    writes: /\/alert-routes\/[^/]+$/,
  },
  {
    what: 'an MCP server',
    async make(name) {
      const body = { slug: name, name, url: `${sink.url}/mcp`, auth: { kind: 'none' } };
      const { backend } = await createRecord('/mcp/backends', body);
      const path = `/mcp/backends/${backend.id}`;
      return { page: `mcp-servers/${backend.id}`, path, ifMatch: backend.version };
    },
    open: 'Edit',
    writes: /\/mcp\/backends\/[^/]+$/,
  },
];

async function opened(page: Page, record: Kept, change: Change): Promise<Locator> {
  await goTo(page, hub, record.page);
  await page.getByRole('button', { name: change.open }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('renamed');
  await loseAnswer(page, change.writes, 'PATCH');
  await dialog.getByRole('button', { name: /^(Edit|Save changes)$/ }).click();
  await dialog.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
  return dialog.getByRole('button', { name: /^(Edit|Save changes)$/ });
}

const nameOf = async (record: Kept): Promise<unknown> => {
  const { body } = await hub.console('GET', record.path);
  const [stored] = Object.values(body).filter((item) => typeof item === 'object');
  return (stored as { name: string }).name;
};

it.each(CHANGES)(
  '$what is changed once, and stored again without a word of others',
  async (change) => {
    const record = await change.make('before');
    const { page, context } = await signedIn(browser, hub);
    const submit = await opened(page, record, change);
    await submit.click();
    await submit.waitFor({ state: 'detached' });
    expect(await nameOf(record)).toBe('renamed');
    const again = await hub.console('PATCH', record.path, {
      body: { name: 'x' },
      headers: { 'if-match': record.ifMatch },
    });
    expect(again.status).toBe(412);
    await context.close();
    await hub.console('DELETE', record.path, { headers: { 'if-match': '"2"' } });
  },
);

it.each(CHANGES)('reports a conflict when another user changes $what meanwhile', async (change) => {
  const record = await change.make('earlier');
  const { page, context } = await signedIn(browser, hub);
  const submit = await opened(page, record, change);
  const concurrentChange = await hub.console('PATCH', record.path, {
    body: { name: 'theirs' },
    headers: { 'if-match': '"2"' },
  });
  expect(concurrentChange.status).toBe(200);
  await submit.click();
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .filter({ hasText: /meanwhile|else/ })
    .waitFor();
  expect(await nameOf(record)).toBe('theirs');
  await context.close();
});

it('stores the settings of an app once, section by section, and a second store without a conflict', async () => {
  const gateway = (method: string, path: string, body: object) =>
    hub.console(method, `/gateway${path}`, { body, headers: { 'idempotency-key': randomUUID() } });
  const provider_settings = { api_key: 'sk-stored' };
  await gateway('POST', '/providers', { label: 'p', provider_name: 'vendorA', provider_settings });
  await gateway('POST', '/apps', { name: 'lost', provider_labels: ['p'] });
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'gateway/apps/lost?tab=settings');
  const limits = page.locator('details').filter({ has: page.getByText(/^Limits/) });
  await limits.locator('summary').first().click();
  await limits.getByRole('textbox', { name: 'Timeout' }).fill('30');
  await loseAnswer(page, /\/gateway\/app\?/, 'PATCH');
  const store = page.getByRole('button', { name: 'Save changes' });
  await store.click();
  await page.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
  await store.click();
  await page.getByText('Changes saved.').waitFor();
  const { body } = await hub.console('GET', '/gateway/app?app_name=lost');
  expect(body.app).toMatchObject({ version: '"2"', limits: { timeout: 30 } });
  await context.close();
});
