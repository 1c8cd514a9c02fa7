// A list that was loaded page by page while its rows change: nothing moves for a reader, and the
// hub is asked for a single page at most.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
const FIRST = 150;
const TALL = ` ${'with a long name '.repeat(8)}`.trimEnd();

const report = (names: readonly string[]) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(
      aDevice(),
      names.map((name) => anEntity(name, { kind: 'ai_tool' })),
    ),
  });

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  // Some rows are taller: what was not yet drawn is taken for lower than it is.
  const names = Array.from(
    { length: FIRST },
    (_, i) => `tool-${String(i).padStart(3, '0')}${i > 95 && i < 140 ? TALL : ''}`,
  );
  for (let i = 0; i < FIRST; i += 50) await report(names.slice(i, i + 50));
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** The pages of the list that the page asks for from now on. */
function listReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/discovered-apps')) reads.push(request.url());
  });
  return reads;
}

const loaded = (page: Page) => page.getByText(/^1–\d+/);
const updateNotice = (page: Page) => page.getByText('The list has been updated.');

async function openWhole(page: Page): Promise<void> {
  await goTo(page, hub, 'inventory/all');
  for (const rows of [100, 150]) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText(new RegExp(`^1–${rows}\\b`)).waitFor();
  }
  await page.getByText('Live', { exact: true }).waitFor();
}

it('notifies a reader further down of changes, keeps position and selection, and updates on request', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await openWhole(page);
  const row = page.getByTestId('application-row').filter({ hasText: 'tool-149' });
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await row.getByRole('checkbox').check();
  await page.getByText('1 app selected').waitFor();
  await settled(page);
  // Positions are rounded to whole pixels, because the browser lays out in fractions.
  const topOfRow = async () => Math.round((await row.boundingBox())?.y ?? 0);
  // Rows above may be laid out a moment after the page was loaded, so the position is read until it stays the same.
  let place = Number.NaN;
  const isInPlace = async () => {
    const before = place;
    place = await topOfRow();
    return place === before;
  };
  await expect.poll(isInPlace, { interval: 500 }).toBe(true);
  const reads = listReads(page);
  await report(['a-first']);
  await updateNotice(page).waitFor();
  expect(reads).toEqual([]);
  expect(place).toBeGreaterThan(0);
  expect(Math.abs((await topOfRow()) - place)).toBeLessThan(2);
  expect(await row.getByRole('checkbox').isChecked()).toBe(true);
  await expectSound({ page, troubles, context });

  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await updateNotice(page).waitFor({ state: 'detached' });
  await page.getByText('1 app selected').waitFor();
  await page.evaluate('window.scrollTo(0, 0)');
  await page.getByTestId('application-row').filter({ hasText: 'a-first' }).waitFor();
  await settled(page);
  expect(reads).toHaveLength(3);
  await context.close();
});

it('keeps the position of a user who jumps elsewhere while rows arrive', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await openWhole(page);
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await page.getByTestId('application-row').filter({ hasText: 'tool-147' }).waitFor();
  await settled(page);
  await report(['a-jump']);
  await updateNotice(page).waitFor();
  // A slow machine delivers the scroll event only after the rows of the last page have been drawn.
  await page.evaluate(`(() => {
    const { text } = Response.prototype;
    let pages = 0;
    Response.prototype.text = async function () {
      const body = await text.call(this);
      if (new URL(this.url).pathname.endsWith('/discovered-apps') && ++pages === 3) {
        const until = performance.now() + 300;
        const delayScroll = (event) => { if (performance.now() < until) event.stopImmediatePropagation(); };
        document.addEventListener('scroll', delayScroll, true);
        setTimeout(() => {
          document.removeEventListener('scroll', delayScroll, true);
          document.dispatchEvent(new Event('scroll', { bubbles: true }));
        }, 300);
        window.scrollTo(0, 0);
      }
      return body;
    };
  })()`);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByTestId('application-row').filter({ hasText: 'a-jump' }).waitFor();
  expect(await page.evaluate('window.scrollY')).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('reloads only the first page for a reader at the top', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
  await openWhole(page);
  await page.evaluate('window.scrollTo(0, 0)');
  await page.evaluate('document.activeElement.blur()');
  const reads = listReads(page);
  await report(['a-second']);
  await page.getByTestId('application-row').filter({ hasText: 'a-second' }).waitFor();
  await page.getByText(/^1–50 of \d+/).waitFor();
  expect(reads.filter((url) => url.includes('cursor'))).toEqual([]);
  expect(await updateNotice(page).count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it("shows the user's own change in place at every scroll position", async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
  await openWhole(page);
  const row = page.getByTestId('application-row').filter({ hasText: 'tool-120' });
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 600);
      return row.isVisible();
    })
    .toBe(true);
  await row.getByRole('link').first().focus();
  await page.keyboard.press('b');
  const submit = page.getByRole('dialog').getByTestId('decide-submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await row.getByText('Blocked').waitFor();
  expect(await loaded(page).textContent()).toContain('1–150');
  expect(await updateNotice(page).count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
});

it('restores the scroll position after a visit to a row', async () => {
  const { page, troubles, context } = await signedIn(browser, hub, 'Viewer');
  await openWhole(page);
  await page.evaluate('window.scrollTo(0, 5000)');
  const inSight = () =>
    page.getByTestId('application-row').evaluateAll((all) => {
      const sight = all[0]?.ownerDocument.documentElement.clientHeight ?? 0;
      const shown = all.find((item) => item.getBoundingClientRect().top > sight / 3);
      return shown?.querySelector('a')?.textContent ?? '';
    });
  await expect.poll(inSight).toMatch(/^tool-/);
  await settled(page);
  const name = await inSight();
  const row = page.getByTestId('application-row').filter({ hasText: name });
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goBack();
  await row.waitFor();
  await settled(page);
  const top = async () => (await row.boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThan(0);
  expect(await top()).toBeLessThan(800);
  expect(troubles).toEqual([]);
  await context.close();
});
