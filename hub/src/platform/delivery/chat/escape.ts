// Escapes plain text for the chat formats, and cuts it to their limits. Pure.
import { toSingleLine } from '../single-line.ts';

/** Replaces Slack's three control characters (Slack, "Formatting text for app surfaces"). */
export const escapeEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const escapeSlack = (text: string): string => escapeEntities(toSingleLine(text));

/** Text widgets of Google Chat cards read a subset of HTML. */
export const escapeHtml = (text: string): string =>
  escapeSlack(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Text of Adaptive Cards reads a subset of Markdown; a backslash makes its characters literal. */
export const escapeMarkdown = (text: string): string =>
  toSingleLine(text)
    .replace(/[\\`*_~[\]<>|]/g, (character) => `\\${character}`)
    // Headings, lists and numbered lists begin a line only.
    .replace(/^(?:[#+-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));

/** Slack, Teams and Mattermost notify groups by `@` words, and Google Chat links bare angle brackets. */
const LOOKALIKES: Record<string, string> = { '`': "'", '<': '‹', '>': '›', '@': '＠' };

/** Plain text for a field without any escape syntax: its markup characters become look-alikes. */
export const replaceMarkup = (text: string): string =>
  toSingleLine(text).replace(/[`<>@]/g, (character) => LOOKALIKES[character] ?? '');

/** Returns the text in a code span that it cannot leave. */
export function codeSpan(text: string): string {
  const plain = replaceMarkup(text);
  return plain === '' ? '`-`' : `\`${plain}\``;
}

/** Escapes as much of the text as fits into `longest` characters, so that no escape sequence is cut. */
export function escapeWithin(
  text: string,
  longest: number,
  escapeText: (text: string) => string,
): string {
  const escaped = escapeText(text);
  if (escaped.length <= longest) return escaped;
  const characters = [...text];
  for (;;) {
    characters.length = Math.floor(characters.length * 0.8);
    const shorter = escapeText(`${characters.join('')}…`);
    if (shorter.length <= longest || characters.length === 0) return shorter;
  }
}
