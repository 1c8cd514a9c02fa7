// Checks of a whole console page at a given width: words, labels, navigation, and e-mail addresses split by a line break.
import type { Page } from 'playwright-core';
import { BANNED } from './banned-words.ts';

export const WIDTHS = [1280, 1440, 1920] as const;

/** Returns a line for each fault of the page as it is now; `linksMax` bounds the links of the main navigation. */
export async function pageFaults(page: Page, linksMax: number): Promise<string[]> {
  const { texts, ...layout } = await page.evaluate<Layout & { texts: string[] }>(READ_PAGE);
  const words = texts.flatMap((text) =>
    BANNED.filter(([word]) => word.test(text)).map(
      ([, instead]) => `"${text.slice(0, 100)}" (use: ${instead})`,
    ),
  );
  const tooMany = layout.links > linksMax ? [`${layout.links} links in the main navigation`] : [];
  return [
    ...new Set(words),
    ...tooMany,
    ...layout.brokenEmails.map((email) => `a line break splits ${email}`),
    ...layout.hiddenEntries.map((entry) => `the active entry ${entry} is out of view`),
  ];
}

interface Layout {
  links: number;
  brokenEmails: string[];
  hiddenEntries: string[];
}

/**
 * Runs in the page. Texts are the visible texts of the content and of labels; code, monospaced values and secondary texts
 * show wire values on purpose, and isolated texts (`bdi`) are names from devices and users.
 */
const READ_PAGE = `(() => {
  const EMAIL = /[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+/g;
  const texts = [];
  const brokenEmails = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || !parent.checkVisibility({ visibilityProperty: true })) continue;
    for (const match of node.data.matchAll(EMAIL)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) brokenEmails.push(match[0]);
    }
    if (parent.closest('code, pre, bdi, script, style, textarea, .gw-mono, .gw-dimmed') !== null) continue;
    if (node.data.trim() !== '') texts.push(node.data.trim());
  }
  for (const field of document.querySelectorAll('[aria-label]')) texts.push(field.ariaLabel);
  const links = document.querySelectorAll('nav[aria-label="Main"] a[href]');
  const hiddenEntries = [...document.querySelectorAll('nav[aria-label="Main"] [aria-current="page"]')].filter((entry) => {
    if (!entry.checkVisibility({ visibilityProperty: true })) return false;
    const { top, bottom, left, right } = entry.getBoundingClientRect();
    return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
  });
  return {
    texts,
    brokenEmails,
    links: links.length,
    hiddenEntries: hiddenEntries.map((entry) => entry.textContent),
  };
})()`;
