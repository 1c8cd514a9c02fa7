// Every page of the console in both themes, on a wide and on a narrow screen, with names that try to be
// more than text.

import { visible } from '@gatewarden/console/src/ui/visible.ts';
import { entityId, processId } from '@gatewarden/shared/identity.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import {
  expectSound,
  goTo,
  markupOf,
  type Opened,
  openPage,
  type Scheme,
  settled,
  signedIn,
} from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  "'-alert(3)-'",
  '\u202Egnp.exe\u202C مرحبا שלום',
  '👩‍👩‍👧‍👦🏴‍☠️ é',
  '{{7*7}} $'.concat('{7*7} <%= 7*7 %>'),
  'W'.repeat(512),
  'javascript:alert(4)',
];
const PLAIN = ['Firefox', 'Visual Studio Code', 'libssl3', 'ripgrep', 'Claude Desktop'];
/** The longest name of a notification channel. */
const ROUTE_NAME = 120;
// A host name has 255 characters at most.
const HOST = `${HOSTILE[0]} ${'h'.repeat(200)}`;
const device = aDevice({ hostname: HOST, os_version: HOSTILE[5] as string });
const idOf = (name: string) => entityId('linux', 'package', 'dpkg', name);
const SUBJECT = HOSTILE[0] as string;

const PAGES: Record<string, string> = {
  applications: 'inventory/all',
  application: `applications/${idOf(SUBJECT)}`,
  'application-long': `applications/${idOf(HOSTILE[6] as string)}`,
  devices: 'devices',
  device: `devices/${device.device_id}`,
  'device-groups': 'devices/groups',
  'device-group': 'devices/groups/GROUP',
  'default-policies': 'policies/defaults',
  'unknown-processes': 'inventory/unidentified-processes',
  decisions: 'policies',
  alerts: 'activity/alerts',
  'alert-routes': 'settings/notifications',
  activity: 'activity/enforcement',
  'not-found': 'no-such-page',
};
const VIEWS = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 390 },
] as const;

let hub: TestHub;
let browser: Browser;
/** The group with the first hostile name; both devices are in it. */
let groupId: string;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await fill();
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

describe.each(VIEWS)('in $scheme at $width pixels', ({ scheme, width }) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await signedIn(browser, hub, 'Admin', { scheme, width });
  });
  afterAll(() => opened?.context.close());

  it.each(Object.entries(PAGES))(
    'shows page %s accessibly, within the viewport and without errors',
    async (name, path) => {
      await goTo(opened.page, hub, path.replace('GROUP', groupId));
      await picture(opened.page, name, scheme, width);
      await expectSound(opened);
    },
  );

  it('shows the page of a notification channel accessibly, within the viewport and without errors', async () => {
    await goTo(opened.page, hub, 'settings/notifications');
    await opened.page.getByRole('link', { name: SUBJECT }).click();
    await opened.page.getByRole('button', { name: 'Send test' }).waitFor();
    await settled(opened.page);
    await picture(opened.page, 'alert-route', scheme, width);
    await expectSound(opened);
  });

  it('keeps both sign-in pages accessible, within the window and free of errors', async () => {
    const fresh = await openPage(browser, { scheme, width });
    await fresh.page.goto(`${hub.url}/console/`);
    await settled(fresh.page);
    await picture(fresh.page, 'sign-in', scheme, width);
    await expectSound(fresh);
    await fresh.page.getByRole('link', { name: 'Sign in' }).click();
    await fresh.page.getByLabel('E-mail').waitFor();
    await picture(fresh.page, 'login', scheme, width);
    await expectSound(fresh);
    await fresh.context.close();
  });

  it('shows an open dialog accessibly and within the viewport', async () => {
    for (const [path, button] of [
      ['policies', /^Edit policy/],
      ['policies', /^Remove policy/],
      ['policies', /^Rollout of the policy/],
      ['devices/groups', /^New group/],
      ['inventory/unidentified-processes', /^Identify/],
      ['inventory/unidentified-processes', /^Set policy for/],
      ['settings/notifications', /^Add channel/],
    ] as const) {
      await goTo(opened.page, hub, path);
      await opened.page.getByRole('button', { name: button }).first().click();
      await opened.page.getByRole('dialog').waitFor();
      await picture(opened.page, `dialog-${button.source.slice(1, 9)}`, scheme, width);
      await expectSound(opened);
    }
  });
});

describe('hostile names', () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await signedIn(browser, hub);
  });
  afterAll(() => opened?.context.close());

  const SHOWN: [path: string, row: string][] = [
    ['inventory/all', 'application-row'],
    ['devices/groups', 'device-group-row'],
    ['inventory/unidentified-processes', 'unknown-process-row'],
    ['inventory/unidentified-processes', 'process-mapping-row'],
    ['policies', 'decision-row'],
    ['activity/alerts', 'alert-row'],
    ['settings/notifications', 'notification-channel-row'],
    ['activity/enforcement', 'activity-row'],
  ];
  it.each(SHOWN)('shows hostile names as text on the page %s in each %s', async (path, row) => {
    const { page, troubles } = opened;
    await goTo(page, hub, path);
    const text = (await page.getByTestId(row).allTextContents()).join('\n');
    const longest = row === 'notification-channel-row' ? ROUTE_NAME : Number.POSITIVE_INFINITY;
    for (const name of HOSTILE) expect(text).toContain(visible(name.slice(0, longest)));
    expect(await markupOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('shows hostile names as text in headings, titles and previews', async () => {
    const { page, troubles } = opened;
    for (const name of HOSTILE) {
      await goTo(page, hub, `inventory/items/${idOf(name)}`);
      const heading = page.getByRole('heading', { level: 1 });
      await expect.poll(() => heading.textContent()).toBe(visible(name));
      const start = [...visible(name)].slice(0, 10).join('');
      await expect.poll(() => page.title()).toContain(start);
    }
    await page.getByRole('radio', { name: 'Approved', exact: true }).check();
    const preview = page.getByTestId('preview');
    await expect.poll(() => preview.getAttribute('data-state')).toBe('shown');
    expect(await preview.textContent()).toContain(HOST);
    expect(await markupOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('finds hostile names by the search exactly as written', async () => {
    const { page, troubles } = opened;
    for (const name of HOSTILE.filter((value) => value.length <= 200)) {
      await goTo(page, hub, `inventory/all?${new URLSearchParams({ query: name })}`);
      expect(await page.getByTestId('application-row').allTextContents()).toEqual([
        expect.stringContaining(visible(name)),
      ]);
      expect(await page.getByRole('searchbox').inputValue()).toBe(name);
    }
    expect(troubles).toEqual([]);
  });
});

/** For people who want to look: GATEWARDEN_SHOTS names a folder. */
async function picture(page: Page, name: string, scheme: Scheme, width: number): Promise<void> {
  const folder = process.env.GATEWARDEN_SHOTS;
  if (folder)
    await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png`, fullPage: true });
}

async function fill(): Promise<void> {
  const names = [...PLAIN, ...HOSTILE];
  const send = async (kind: string, body: unknown) => {
    const answer = await deviceCall(hub, 'POST', `/ea/v1/sync/${kind}`, { body });
    expect(answer.status).toBeLessThan(300);
  };
  const entities = names.map((name) =>
    anEntity(name, {
      publisher: name,
      version: name,
      install_path: name,
      executables: [`/usr/bin/${name}`],
    }),
  );
  const coverage = HOSTILE.slice(0, 6).map((reason, i) => ({
    source: `source-${i}`,
    owner: i === 0 ? null : reason,
    state: 'partial',
    entities: 3,
    reason,
  }));
  await send('discovered-apps', aBatch(device, entities, { coverage }));
  await send('discovered-apps', aBatch(aDevice(), entities.slice(0, 4)));
  const processes = names.map((name) =>
    anUnknownProcess(name, {
      executable_path: `/opt/${name}`,
      publisher: name,
      process_id: processId('linux', name, `/opt/${name}`),
    }),
  );
  await send('unknown-processes', { batch_id: crypto.randomUUID(), device, processes });
  const process = (name: string) => ({
    name,
    executable_path: `/opt/${name}`,
    pid: 7,
    started_at: null,
  });
  await send('alerts', {
    device,
    alerts: names.map((name) =>
      anAlert({ application_name: name, message: name, process: process(name) }),
    ),
  });
  await send('activity', {
    device,
    events: names.map((name) => anActivity({ application_name: name, process: process(name) })),
  });
  for (const name of names) {
    // A group's name has 200 characters at most.
    const group = await hub.console('POST', '/device-groups', {
      body: { name: name.slice(0, 200), description: name },
    });
    if (name === SUBJECT) groupId = group.body.group.group_id;
  }
  await hub.console('PUT', `/device-groups/${groupId}/devices/${device.device_id}`);
  await hub.console('PUT', '/default-policies', {
    body: { policies: [{ kind: 'mcp_server', execution_policy: 'block', reason: HOSTILE[1] }] },
  });
  for (const name of names) {
    await hub.console('POST', '/alert-routes', {
      body: { kind: 'chat', name: name.slice(0, ROUTE_NAME), url: 'https://chat.example.com/x' },
    });
    await hub.console('POST', '/overrides', {
      body: {
        match: { name },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
        reason: name,
      },
    });
    // The mapping names a process that does not run, so the others stay unknown.
    await hub.console('POST', '/process-mappings', {
      body: {
        process_name: `${name.slice(0, 500)} mapped`,
        match: 'exact',
        application_name: name,
      },
    });
  }
}
