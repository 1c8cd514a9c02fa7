// Every page with the keyboard alone, and with hostile names in it: everything that can be pressed is reached, the focus can
// be seen everywhere and gets stuck nowhere, and what devices and people say is text. Accessible in light and dark. React has
// nothing to warn of.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  settled,
  signedIn,
  signIn,
  unseenOf,
} from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { serveForDevelopment } from '../support/development-console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../support/logs.ts';
import { pageFaults, WIDTHS } from '../support/page-checks.ts';
import { declaredPages, PAGES, type PageIds } from '../support/pages.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe 👩‍👩‍👧‍👦';
/** Links of the main navigation: seven areas and the logo. */
const LINKS_MAX = 8;
const LONG = `${HOSTILE} ${'W'.repeat(400)}`;
/** Far more stops than any page here has: who needs more is stuck. */
const STOPS_MAX = 600;

let hub: TestHub;
let browser: Browser;
let opened: Opened;
let ids: PageIds;
let takeAway: (() => void) | undefined;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const person = await aPerson(hub);
  ids = await fill(person.email);
  opened = await openPage(browser);
  await signIn(opened.page, hub, person);
  takeAway = await serveForDevelopment(opened.context);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  takeAway?.();
});

it('has a row in the table for each page that the console declares', () => {
  expect(Object.keys(PAGES).sort()).toEqual(declaredPages());
});

it.each(Object.entries(PAGES))('%s', async (_path, address) => {
  const { page, troubles } = opened;
  await goTo(page, hub, address(ids));
  await seeAll(page);
  expect(await markupOf(page)).toEqual([]);
  expect(await unseenOf(page)).toEqual([]);
  await expectSoundEverywhere(opened, LINKS_MAX);
  const walked = await walk(page);
  expect(walked).toEqual({ unseen: [], missed: [], isStuck: false });
  expect(troubles).toEqual([]);
});

it('shows an employee four tabs, in the words of the console', async () => {
  const member = await signedIn(browser, hub, 'Member');
  for (const path of ['my/devices', 'my/connect', 'my/requests', 'my/activity']) {
    await goTo(member.page, hub, path);
    await expectSoundEverywhere(member, 4);
  }
  await member.context.close();
});

/** Checks words, layout and accessibility of the page at each width, and accessibility in both themes. */
async function expectSoundEverywhere(at: Opened, linksMax: number): Promise<void> {
  const { page } = at;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 720 });
    expect([page.url(), width, await pageFaults(page, linksMax)]).toEqual([page.url(), width, []]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectSound(at);
    }
  }
}

/** One of everything with a name that would do harm where it were not text. */
async function fill(person: string): Promise<PageIds> {
  const device = aDevice({ hostname: LONG.slice(0, 255), os_version: HOSTILE });
  const entity = anEntity(LONG, { kind: 'ai_tool', publisher: HOSTILE, version: HOSTILE });
  const as = { 'x-subscriber-id': person };
  const send = async (path: string, body: object, headers: Record<string, string> = as) => {
    const answer = await deviceCall(hub, 'POST', `/ea/v1/${path}`, { body, headers });
    expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
    return answer.body;
  };
  const make = async (path: string, body: object) => {
    const answer = await hub.console('POST', path, {
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
    expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
    return answer.body;
  };
  const process = { ...anAlert().process, name: LONG, executable_path: `/opt/${HOSTILE}` } as never;
  await send('sync/discovered-apps', aBatch(device, [entity, anEntity(HOSTILE)]));
  await send('sync/unknown-processes', {
    batch_id: randomUUID(),
    device,
    processes: [anUnknownProcess(LONG), anUnknownProcess('plain')],
  });
  await send('sync/activity', { device, events: [anActivity({ process })] });
  await send('sync/alerts', {
    device,
    alerts: [
      anAlert({ application_name: LONG, message: LONG, process }),
      anAlert({ ...{ action: 'agent', code: 'update_rolled_back', process: null }, message: LONG }),
    ],
  });
  const { device_token: token } = await send('enroll', { device, subscriber_id: person });
  await send(
    'sync/access-requests',
    {
      device,
      requests: [
        {
          access_request_id: randomUUID(),
          asked_at: new Date().toISOString(),
          entity_id: entity.entity_id,
          reason: HOSTILE,
        },
      ],
    },
    { ...as, authorization: `Bearer ${token}` },
  );
  const group = await make('/device-groups', { name: HOSTILE, description: LONG });
  await hub.console('PUT', `/device-groups/${group.group.group_id}/devices/${device.device_id}`);
  await make('/overrides', {
    match: { name: LONG },
    approval_status: 'restricted',
    execution_policy: 'warn',
    reason: HOSTILE,
    scope: { kind: 'tenant' },
  });
  await make('/process-mappings', {
    process_name: `${HOSTILE}*`,
    match: 'glob',
    application_name: HOSTILE,
  });
  const route = await make('/alert-routes', {
    kind: 'webhook',
    name: HOSTILE,
    url: 'https://example.com/hook',
    // Takes no alert here: nothing is sent.
    min_severity: 'critical',
  });
  await make('/agent-tokens', { name: HOSTILE, expires_in_days: 1 });
  await make('/scim-tokens', { name: HOSTILE, expires_in_days: 1 });
  await make('/people-groups', { name: HOSTILE, members: ['a@example.com'] });
  const backend = await make('/mcp/backends', {
    slug: 'hostile',
    name: HOSTILE,
    url: 'https://example.com/mcp',
    auth: { kind: 'none' },
  });
  await make('/gateway/providers', {
    label: 'provider',
    provider_name: 'vendorA',
    provider_settings: { api_key: 'not-a-key' },
  });
  await make('/gateway/providers', {
    label: HOSTILE,
    provider_name: 'vendorA',
    provider_settings: { api_key: 'not-a-key' },
  });
  await make('/gateway/apps', { name: 'an-app', provider_labels: ['provider'] });
  const node = await aNode(hub, hub.tenantId);
  const app = { app: { name: HOSTILE } };
  await node.send('llm-requests', [aRequestLine({ id: HOSTILE, model: HOSTILE }, app)]);
  const call = { backend: { name: HOSTILE }, tool: { name: HOSTILE } };
  await node.send('mcp-tool-calls', [
    aToolCallLine({}, { ...call, metadata: { user_email: person } }),
  ]);
  const products = await hub.console('GET', '/products');
  return {
    entityId: entity.entity_id,
    productId: products.body.items[0].product_id,
    deviceId: device.device_id,
    groupId: group.group.group_id,
    routeId: route.route.route_id,
    appName: 'an-app',
    backendId: backend.backend.id,
    email: person,
  };
}

interface Walked {
  /** What had the focus without showing it. */
  unseen: string[];
  /** What could be pressed and never got the focus. */
  missed: string[];
  /** Tab did not come to the end of the page. */
  isStuck: boolean;
}

/** What is read once it comes into sight is on the page then. */
async function seeAll(page: Page): Promise<void> {
  const lazy = page.getByTestId('lazy-section');
  for (const section of await lazy.all()) await section.scrollIntoViewIfNeeded();
  const unseen = page.locator('[data-testid="lazy-section"]:not([data-seen])');
  await expect.poll(() => unseen.count()).toBe(0);
  await settled(page);
}

/** Tabs from the head of the content to the end of the page. The page itself writes down where the focus was. */
async function walk(page: Page): Promise<Walked> {
  await page.evaluate(`(() => {
    const seen = (globalThis.gwWalk = { unseen: [], reached: new Set() });
    const named = (at) =>
      at.tagName + ' ' + (at.ariaLabel || at.labels?.[0]?.textContent || at.textContent || '').slice(0, 80);
    globalThis.gwNamed = named;
    if (globalThis.gwListener) removeEventListener('focusin', globalThis.gwListener, true);
    globalThis.gwListener = ({ target: at }) => {
      seen.reached.add(at);
      const style = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const hasRing = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
      // A text field shows it by its border, a choice by the ring around its box.
      const isField = at.closest('.mantine-Input-wrapper, .mantine-Radio-body, .mantine-Checkbox-body, .mantine-Switch-body') !== null;
      if (box.width === 0 || !(hasRing || isField)) seen.unseen.push(named(at));
    };
    addEventListener('focusin', globalThis.gwListener, true);
    document.querySelector('#content').focus();
    seen.reached.clear();
    seen.unseen.length = 0;
  })()`);
  let isStuck = true;
  for (let i = 0; isStuck && i < STOPS_MAX; i++) {
    await page.keyboard.press('Tab');
    isStuck = await page.evaluate<boolean>(
      `document.activeElement?.closest('#content') !== null && document.activeElement?.id !== 'content'`,
    );
  }
  const found = await page.evaluate<Omit<Walked, 'isStuck'>>(`(() => {
    const { unseen, reached } = globalThis.gwWalk;
    const isWanted = (one) => {
      if (one.disabled || one.tabIndex < 0 || one.type === 'hidden') return false;
      // Of radio buttons one is reached by Tab, the others by the arrow keys.
      if (one.type === 'radio' && !one.checked) return false;
      return one.checkVisibility({ visibilityProperty: true });
    };
    const all = document.querySelectorAll('#content a[href], #content button, #content input, #content select, #content textarea, #content summary, #content [tabindex="0"]');
    return {
      unseen: [...new Set(unseen)],
      missed: [...all].filter((one) => isWanted(one) && !reached.has(one)).map(globalThis.gwNamed),
    };
  })()`);
  return { ...found, isStuck };
}
