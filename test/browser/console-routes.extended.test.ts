// Every page with the keyboard alone, and with hostile names in it: every control is reached, the focus is visible
// everywhere and never trapped, and names of devices and users are text. React logs no warning. Accessibility
// is checked in console-accessibility.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import {
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
import { fillHostile } from '../support/hostile-tenant.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { pageFaults, WIDTHS } from '../support/page-checks.ts';
import { declaredPages, PAGES, type PageIds } from '../support/pages.ts';

/** Links of the main navigation: seven areas and the logo. */
const LINKS_MAX = 8;
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
  ids = await fillHostile(hub, person.email);
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
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 720 });
    expect([width, await pageFaults(page, LINKS_MAX)]).toEqual([width, []]);
  }
  const walked = await walk(page);
  expect(walked).toEqual({ unseen: [], missed: [], isStuck: false });
  expect(troubles).toEqual([]);
});

it('shows an employee four tabs, in the words of the console', async () => {
  const member = await signedIn(browser, hub, 'Member');
  for (const path of ['my/devices', 'my/connect', 'my/requests', 'my/activity']) {
    await goTo(member.page, hub, path);
    for (const width of WIDTHS) {
      await member.page.setViewportSize({ width, height: 720 });
      expect([path, width, await pageFaults(member.page, 4)]).toEqual([path, width, []]);
    }
  }
  await member.context.close();
});

interface Walked {
  /** Elements that had the focus without showing it. */
  unseen: string[];
  /** Elements that could be pressed and never got the focus. */
  missed: string[];
  /** Tab did not come to the end of the page. */
  isStuck: boolean;
}

/** Scrolls through the sections that load when they come into sight, so that all content is on the page. */
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
      // A segment shows the focus by its label; its input has no size.
      const shown = at.closest('.mantine-SegmentedControl-control')?.querySelector('label') ?? at;
      const style = getComputedStyle(shown);
      const box = shown.getBoundingClientRect();
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
    const isWanted = (element) => {
      if (element.disabled || element.tabIndex < 0 || element.type === 'hidden') return false;
      // Tab reaches the checked radio button of a group, the arrow keys the others.
      if (element.type === 'radio' && !element.checked) return false;
      return element.checkVisibility({ visibilityProperty: true });
    };
    const all = document.querySelectorAll('#content a[href], #content button, #content input, #content select, #content textarea, #content summary, #content [tabindex="0"]');
    return {
      unseen: [...new Set(unseen)],
      missed: [...all].filter((element) => isWanted(element) && !reached.has(element)).map(globalThis.gwNamed),
    };
  })()`);
  return { ...found, isStuck };
}
