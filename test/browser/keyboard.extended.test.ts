// The console with the keyboard alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity, anUnknownProcess } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, type Opened, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
let opened: Opened;
let page: Page;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const device = aDevice();
  const entities = ['alpha', 'beta', 'gamma'].map((name) => anEntity(name));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, entities) });
  await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: { batch_id: crypto.randomUUID(), device, processes: [anUnknownProcess('mystery')] },
  });
  opened = await signedIn(browser, hub);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

describe('the keyboard alone', () => {
  it('skips the navigation with the first key', async () => {
    await goTo(page, hub, 'inventory/all');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatchObject({ text: 'Skip to content', visible: true });
    await page.keyboard.press('Enter');
    await expect.poll(focusedId).toBe('content');
    await page.keyboard.press('Tab');
    expect((await focused()).text).toBe('Save view');
  });

  it('searches with /, opens the result and sets its policy', async () => {
    await goTo(page, hub, 'inventory/all');
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search the console' }).waitFor();
    await expect.poll(async () => (await focused()).tag).toBe('INPUT');
    await page.keyboard.type('beta');
    const results = page.getByTestId('search-result');
    const named = Array.from({ length: 2 }, () => expect.stringMatching(/^beta/));
    await expect.poll(() => results.allTextContents()).toEqual(named);
    // The product is first and selected, the app second.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'beta' }).waitFor();
    await expect.poll(async () => (await focused()).tag).toBe('H1');
    await settled(page);
    expect((await focused()).text).toBe('beta');

    await tabTo((at) => at.label === 'Unreviewed');
    for (const status of ['Approved', 'Restricted', 'Blocked']) {
      await page.keyboard.press('ArrowDown');
      expect((await focused()).label).toBe(status);
    }
    await tabTo((at) => at.label === 'Reason');
    await page.keyboard.type('typed without a mouse');
    await expect.poll(() => page.getByTestId('preview').getAttribute('data-state')).toBe('shown');
    await tabTo((at) => at.text === 'Apply policy');
    await page.keyboard.press('Enter');
    await page.getByTestId('decision-row').filter({ hasText: 'typed without a mouse' }).waitFor();
    const stored = await hub.console('GET', '/overrides');
    expect(stored.body.items).toEqual([
      expect.objectContaining({ approval_status: 'blocked', execution_policy: 'block' }),
    ]);
  });

  it('moves to the heading of each page that is opened', async () => {
    await goTo(page, hub, 'inventory/all');
    for (const [navigation, name, title] of [
      ['Main', 'Devices', 'Devices'],
      ['Devices pages', 'Groups', 'Device groups'],
      ['Main', 'Policies', 'App policies'],
      ['Policies pages', 'Defaults', 'Default policies'],
      ['Main', 'Activity', 'Alerts'],
      ['Activity pages', 'Enforcement', 'Enforcement'],
      ['Main', 'Settings', 'Users'],
      ['Settings pages', 'Notifications', 'Notifications'],
    ] as const) {
      await page.getByRole('navigation', { name: navigation }).getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(focused).toMatchObject({ tag: 'H1', text: title });
    }
  });

  it.each([
    ['policies', /^Edit policy/],
    ['policies', /^Remove policy/],
    ['policies', /^Rollout of the policy/],
    ['devices/groups', /^New group/],
    ['inventory/unidentified-processes', /^Identify/],
    ['inventory/unidentified-processes', /^Set policy for/],
  ])(
    'stays inside a dialog of %s that %s opened, and comes back when it closes',
    async (path, name) => {
      await goTo(page, hub, path);
      const opener = page.getByRole('button', { name });
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await expect.poll(inDialog).toBe(true);
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press(i < 20 ? 'Tab' : 'Shift+Tab');
        expect(await inDialog()).toBe(true);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const named = async () => (await focused()).label || (await focused()).text;
      await expect.poll(named).toMatch(name);
    },
  );

  it('moves the focus to the next row when a row leaves its list, and back when a button leaves', async () => {
    await goTo(page, hub, 'inventory/all?approval_status=pending');
    await page.getByTestId('application-row').first().waitFor();
    await page.keyboard.press('j');
    expect((await focused()).text).toBe('alpha');
    await page.keyboard.press('b');
    const submit = page.getByTestId('decide-submit');
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await submit.press('Enter');
    await expect.poll(() => page.getByTestId('application-row').count()).toBe(1);
    await expect.poll(async () => (await focused()).text).toBe('gamma');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => page.getByTestId('application-row').count()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await focused()).text).toBe('gamma');
  });

  it('keeps the focused element clear of the header and of the bar for unsaved changes', async () => {
    const created = await hub.console('POST', '/gateway/providers', {
      body: { label: 'p', provider_name: 'vendorA', provider_settings: { api_key: 'not-a-key' } },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    expect(created.status).toBe(201);
    await hub.console('POST', '/gateway/apps', {
      body: { name: 'long', provider_labels: ['p'] },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    await page.setViewportSize({ width: 1280, height: 420 });
    await goTo(page, hub, 'gateway/apps/long');
    await page
      .locator('summary')
      .filter({ hasText: /^Limits/ })
      .press('Enter');
    await page.getByLabel('Timeout').fill('21');
    await page.locator('.gw-store-bar').waitFor();
    const behind: string[] = [];
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let i = 0; i < 25; i++) {
        await page.keyboard.press(key);
        const what = await hidden();
        if (what !== null) behind.push(`${key} ${what}`);
      }
    }
    expect(behind).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('focuses the first invalid field when a form is not sent', async () => {
    await goTo(page, hub, 'devices/groups');
    await page.getByRole('button', { name: 'New group' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'New group' }).press('Enter');
    await expect.poll(async () => (await focused()).label).toMatch(/^Name/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('returns the focus to the button of a menu, however far it moved there', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await goTo(page, hub, 'inventory/all');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let i = 0; i < 20; i++) await page.keyboard.press('Tab');
    expect(await inDialog()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await focused()).label).toBe('Menu');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('returns the focus to its button after a refusal, and keeps it in the dialog during the request', async () => {
    const refused = 'console/api/v1/tenants/*/alert-routes';
    const underWay: (() => void)[] = [];
    await page.route(`**/${refused}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await new Promise<void>((go) => underWay.push(go));
      const error = { code: 'invalid_request', message: '/url is not reached' };
      await route.fulfill({ status: 400, json: { error, request_id: crypto.randomUUID() } });
    });
    const asked = (times: number) => expect.poll(() => underWay.length).toBe(times);
    await goTo(page, hub, 'settings/notifications');
    await page.getByRole('button', { name: 'Add channel' }).first().press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Name').fill('on call');
    await page.getByLabel('URL').fill('https://example.com/hook');
    const submit = page.getByRole('button', { name: 'Create channel' });
    await submit.press('Enter');
    await asked(1);
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Tab');
      expect(await inDialog()).toBe(true);
    }
    await submit.evaluate((item) => item.scrollIntoView());
    underWay[0]?.();
    await page.getByRole('alert').filter({ hasText: 'not reached' }).waitFor();
    await submit.press('Enter');
    await expect.poll(async () => (await focused()).tag).toBe('BODY');
    await asked(2);
    underWay[1]?.();
    await expect.poll(async () => (await focused()).text).toBe('Create channel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unroute(`**/${refused}`);
    opened.troubles.splice(
      0,
      opened.troubles.length,
      ...opened.troubles.filter((trouble) => !trouble.includes('400')),
    );
  });

  it('reports no page errors', () => {
    expect(opened.troubles).toEqual([]);
  });
});

interface Focused {
  tag: string;
  text: string;
  label: string;
  visible: boolean;
}

/** Returns the text of the focused element, and whether its focus is visible. */
function focused(): Promise<Focused> {
  return page.evaluate<Focused>(`(() => {
    const at = document.activeElement;
    const style = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    const ring = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
    // A text field shows it by its border.
    const isField = at.closest('.mantine-Input-wrapper') !== null;
    return {
      tag: at.tagName,
      text: at.textContent ?? '',
      label: at.labels?.[0]?.textContent ?? at.ariaLabel ?? '',
      visible: box.width > 0 && box.bottom > 0 && box.top < innerHeight && (ring || isField),
    };
  })()`);
}

/** Returns the focused element if an element with a fixed position covers it; null if none does. */
const hidden = () =>
  page.evaluate<string | null>(`(() => {
    const at = document.activeElement;
    const box = at.getBoundingClientRect();
    const stays = [...document.querySelectorAll('.gw-header, .gw-store-bar')];
    const isBehind = (item) => {
      const over = item.getBoundingClientRect();
      return !item.contains(at) && box.bottom > over.top + 1 && box.top < over.bottom - 1;
    };
    return !at.matches('body, .gw-skip') && box.height < 100 && stays.some(isBehind) ? at.tagName + ' ' + (at.labels?.[0] ?? at).textContent : null;
  })()`);

const focusedId = () => page.evaluate<string>('document.activeElement.id');
const inDialog = () =>
  page.evaluate<boolean>(`document.activeElement.closest('[role="dialog"]') !== null`);

/** Presses Tab until `found` accepts the focused element; each focused element on the way must be visible. */
async function tabTo(found: (at: Awaited<ReturnType<typeof focused>>) => boolean): Promise<void> {
  const way: string[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await focused();
    way.push(`${at.tag} ${at.label || at.text}`);
    expect([at, at.visible]).toEqual([at, true]);
    if (found(at)) return;
  }
  throw new Error(`not reached: ${way.join(', ')}`);
}
