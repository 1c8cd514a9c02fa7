// Lost answers to requests that create an object: a repetition creates no second object, and no unknown secret stays valid.
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anUnknownProcess } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, loseAnswer, signedIn } from '../support/console.ts';
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
let serverId: string;
beforeAll(async () => {
  browser = await openChromium();
  sink = await openHttpSink();
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase())));
  const { body } = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'lost', name: 'Lost', url: `${sink.url}/mcp`, auth: { kind: 'none' } },
  });
  serverId = body.backend.id;
  await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: { batch_id: randomUUID(), device: aDevice(), processes: [anUnknownProcess('once')] },
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await sink?.close();
});

interface Creation {
  what: string;
  page(): string;
  open: string;
  fill(dialog: Locator): Promise<void>;
  submit: string;
  posts: RegExp;
  list: string;
  /** The label of the field that shows its secret. */
  secret?: string;
}

const CREATIONS: Creation[] = [
  {
    what: 'an enrolment token',
    page: () => 'devices/add',
    open: 'New token',
    fill: (dialog) => dialog.getByLabel('Name').fill('once'),
    submit: 'Create token',
    posts: /\/agent-tokens$/,
    list: '/agent-tokens',
    secret: 'Enrollment token',
  },
  {
    what: 'a token for a directory',
    page: () => 'settings/sign-in',
    open: 'New token',
    fill: (dialog) => dialog.getByLabel('Name').fill('once'),
    submit: 'Create token',
    posts: /\/scim-tokens$/,
    list: '/scim-tokens',
    secret: 'SCIM token',
  },
  {
    what: 'a direct token',
    page: () => `mcp-servers/${serverId}`,
    open: 'Create token',
    async fill(dialog) {
      await dialog.getByLabel('Name').fill('once');
      await dialog.getByLabel('Client program').fill('Cursor');
    },
    submit: 'Create token',
    posts: /\/api-tokens$/,
    list: '/mcp/api-tokens?of=all',
  },
  {
    what: 'an export key',
    page: () => 'gateway/export-keys',
    open: 'Create key',
    fill: (dialog) => dialog.getByRole('textbox', { name: 'Name' }).fill('once'),
    submit: 'Create key',
    posts: /\/log-export-keys$/,
    list: '/log-export-keys',
    secret: 'Export key',
  },
  {
    what: 'a notification channel',
    page: () => 'settings/notifications',
    open: 'Add channel',
    async fill(dialog) {
      await dialog.getByRole('textbox', { name: 'Name' }).fill('once');
      await dialog.getByRole('textbox', { name: 'URL' }).fill(`${sink.url}/once`);
    },
    submit: 'Create channel',
    posts: /\/alert-routes$/,
    list: '/alert-routes',
    secret: 'Signing secret',
  },
  {
    what: 'a call rule',
    page: () => 'gateway/guardrails',
    open: 'Create rule',
    async fill(dialog) {
      await dialog.getByRole('textbox', { name: 'Name' }).fill('once');
      await dialog.getByRole('textbox', { name: 'Patterns' }).fill('ticket = T-[0-9]+');
    },
    submit: 'Create rule',
    posts: /\/mcp\/call-rules$/,
    list: '/mcp/call-rules',
  },
  {
    what: 'a rule of who may',
    page: () => 'gateway/mcp-access',
    open: 'Add rule',
    async fill(dialog) {
      await dialog.getByLabel('Users', { exact: true }).selectOption('person');
      await dialog.getByLabel('E-mail address').fill('somebody@example.com');
    },
    submit: 'Add rule',
    posts: /\/mcp\/rules$/,
    list: '/mcp/rules',
  },
  {
    what: 'a device group',
    page: () => 'devices/groups',
    open: 'New group',
    fill: (dialog) => dialog.getByLabel('Name').fill('once'),
    submit: 'New group',
    posts: /\/device-groups$/,
    list: '/device-groups',
  },
  {
    what: 'a user group',
    page: () => 'settings/users/groups',
    open: 'Create group',
    async fill(dialog) {
      await dialog.getByRole('textbox', { name: 'Name' }).fill('once');
      await dialog
        .getByRole('textbox', { name: 'Members' })
        .fill('bob@example.com\nada@example.com');
    },
    submit: 'Create group',
    posts: /\/people-groups$/,
    list: '/people-groups',
  },
  {
    what: 'an MCP server',
    page: () => 'gateway/mcp-servers',
    open: 'Add server',
    async fill(dialog) {
      await dialog.getByRole('button', { name: 'Another server' }).click();
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('once');
      await dialog.getByRole('textbox', { name: 'Slug' }).fill('once');
      await dialog.getByRole('textbox', { name: 'URL' }).fill(`${sink.url}/once`);
      await dialog.getByRole('radio', { name: 'None' }).check();
    },
    submit: 'Add server',
    posts: /\/mcp\/backends$/,
    list: '/mcp/backends',
  },
  {
    what: 'a name for processes',
    page: () => 'inventory/unidentified-processes',
    open: 'Identify',
    fill: (dialog) => dialog.getByRole('textbox', { name: 'App' }).fill('Once'),
    submit: 'Save mapping',
    posts: /\/process-mappings$/,
    list: '/process-mappings',
  },
];

const living = async (list: string) =>
  (await hub.console('GET', list)).body.items.filter(
    (item: { status?: string; revoked_at?: string | null }) =>
      (item.status ?? 'active') === 'active' && (item.revoked_at ?? null) === null,
  );

async function opened(page: Page, creation: Creation): Promise<Locator> {
  await goTo(page, hub, creation.page());
  await page.getByRole('button', { name: creation.open }).first().click();
  const dialog = page.getByRole('dialog');
  await creation.fill(dialog);
  return dialog;
}

it.each(CREATIONS)('$what is created once', async (creation) => {
  const before = (await living(creation.list)).length;
  const { page, context } = await signedIn(browser, hub);
  const dialog = await opened(page, creation);
  await loseAnswer(page, creation.posts, 'POST');
  const submit = dialog.getByRole('button', { name: creation.submit });
  await submit.click();
  await dialog.getByRole('alert').filter({ hasText: 'The server isn’t responding' }).waitFor();
  await submit.click();
  if (creation.secret === undefined) await submit.waitFor({ state: 'detached' });
  else expect(await dialog.getByLabel(creation.secret).inputValue()).not.toBe('');
  expect(await living(creation.list)).toHaveLength(before + 1);
  await context.close();
});

it('creates a signing secret once when its response is lost, because receivers know the first', async () => {
  const created = await hub.console('POST', '/alert-routes', {
    body: { kind: 'webhook', name: 'turned', url: `${sink.url}/turned`, min_severity: 'low' },
  });
  const id = created.body.route.route_id;
  const { page, context } = await signedIn(browser, hub);
  await goTo(page, hub, `settings/notifications/${id}`);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = page.getByRole('dialog');
  await loseAnswer(page, /\/rotate-secret$/, 'POST');
  const submit = dialog.getByRole('button', { name: 'Rotate secret' });
  await submit.click();
  await dialog.getByRole('alert').waitFor();
  // Until the rotation is confirmed, deliveries are signed with the secret that receivers have.
  await submit.click();
  const shown = await dialog.getByLabel('Signing secret').inputValue();
  expect(shown).not.toBe(created.body.secret);
  const { body } = await hub.console('GET', `/alert-routes/${id}`);
  expect(body.route.version).toBe('"2"');
  await context.close();
});
