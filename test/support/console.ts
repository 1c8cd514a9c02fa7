// The console in Chromium: people who sign in through the real form, and pages that report what must never happen.
import { AxeBuilder } from '@axe-core/playwright';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { aPerson, type Person, signInAs } from './cookie-browser.ts';
import type { TestHub } from './hub.ts';

export type Scheme = 'light' | 'dark';

/** Troubles are console errors (a violated security policy is such an error), thrown errors, and dialogs of a page. */
export interface Opened {
  context: BrowserContext;
  page: Page;
  troubles: string[];
}

/** The same limit as for other waits of tests: a loaded machine may be slow. */
const PATIENCE_MS = 60_000;

interface View {
  scheme?: Scheme;
  width?: number;
  height?: number;
}

/** A page in a browser profile of its own, signed out. */
export async function openPage(browser: Browser, view: View = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
    colorScheme: view.scheme ?? 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    // Before anybody has signed in, asking who is signed in is refused, and Chromium writes that down.
    const asked = message.location().url.endsWith('/console/api/v1/session');
    if (message.type() === 'error' && !(asked && message.text().includes('401'))) {
      troubles.push(`${message.text()} ${message.location().url}`);
    }
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, troubles };
}

/** Signs in as people do: the page's link, the provider's form, and back to where they wanted to go. */
export async function signIn(page: Page, hub: TestHub, person: Person, path = ''): Promise<void> {
  await page.goto(`${hub.url}/console${path}`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/console\/t\//);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Returns a page of a new user with this role, signed in and on the start page. */
export async function signedIn(
  browser: Browser,
  hub: TestHub,
  role: Role = 'Admin',
  view: View = {},
): Promise<Opened> {
  const opened = await openPage(browser, view);
  const { browser: cookies, at } = await signInAs(hub, await aPerson(hub, role));
  expect(at).toBe(`${hub.url}/console/`);
  await opened.context.addCookies(
    [...cookies.jar].map(([name, value]) => ({ name, value, url: hub.url })),
  );
  await opened.page.goto(at);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return opened;
}

/** Opens a tab by the navigation, as people do: its area in the sidebar, then the tab. */
export async function openTab(page: Page, area: string, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: area }).click();
  await page
    .getByRole('navigation', { name: `${area} pages` })
    .getByRole('link', { name: tab })
    .click();
}

/** Opens a page of the tenant and waits until nothing on it is being loaded. */
export async function goTo(page: Page, hub: TestHub, path: string): Promise<void> {
  await page.goto(`${hub.url}/console/t/${hub.tenantId}/${path}`);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const busy = page.locator('[aria-busy="true"], .gw-skeletons, .mantine-Loader-root');
  await busy.first().waitFor({ state: 'detached' });
}

/** Elements that only a name could have brought in. */
export function markupOf(page: Page): Promise<string[]> {
  const suspects = page.locator('img, main script, [onerror], a[href^="javascript:"]');
  return suspects.evaluateAll((all) => all.map((item) => item.outerHTML));
}

/**
 * Returns names with invisible characters in texts, in labels for screen readers and in tooltips. Fields are left out,
 * because people edit their content. The console itself puts isolates around names.
 */
export function unseenOf(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const unseen = /[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]/u;
    const kept = /[\\n\\t\\u2068\\u2069]|(?<=[\\p{L}\\p{M}\\p{Extended_Pictographic}])[\\u200c\\u200d](?=[\\p{L}\\p{Extended_Pictographic}])|(?<=\\p{Emoji})[\\ufe0e\\ufe0f]/gu;
    const found = [];
    const look = (at, what, text) => {
      if (unseen.test(text.replace(kept, ''))) found.push(at.tagName + ' ' + what + ': ' + JSON.stringify(text.slice(0, 80)));
    };
    look(document.body, 'title', document.title);
    for (const at of document.body.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder']) look(at, name, at.getAttribute(name) ?? '');
      if (['TEXTAREA', 'SCRIPT', 'STYLE'].includes(at.tagName)) continue;
      for (const child of at.childNodes) if (child.nodeType === 3) look(at, 'text', child.data);
    }
    return found;
  })()`);
}

/** Expects no serious finding of axe, no horizontal overflow and no error of the page. Fading elements are awaited first. */
export async function expectSound({ page, troubles }: Opened): Promise<void> {
  // Axe measures the contrast of a half-transparent element as too low.
  // The page's security policy forbids the repeated evaluation by which Playwright waits for an expression. A transition
  // starts a few frames after its element appeared.
  const isStill = `(async () => {
    for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
    const isOver = ({ playState, effect }) =>
      playState !== 'running' || effect.getComputedTiming().endTime === Infinity;
    return document.getAnimations().every(isOver);
  })()`;
  await expect.poll(() => page.evaluate(isStill)).toBe(true);
  // The list of passed elements takes longer to build than the analysis itself.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
  expect(troubles).toEqual([]);
}

/** The hub does what it was asked to, once, and its answer never arrives. */
export async function loseAnswer(page: Page, path: RegExp, method: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== method) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

/** Starts to count the mouse presses in a page, also over its client-side navigations. Returns a function that reads the count. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.mousePresses = 0;
    addEventListener('pointerdown', () => { globalThis.mousePresses += 1; }, true);`);
  return async () => Number(await page.evaluate('globalThis.mousePresses'));
}
