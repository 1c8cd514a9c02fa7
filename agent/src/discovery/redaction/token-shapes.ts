// Texts that are secrets by their shape alone: the forms of vendors' tokens, and letters and digits as machines mix them.
// Pure, linear.
import { replaceTokens } from '@gatewarden/shared/redaction/find-tokens.ts';

/** Vendor tokens have at least 12 characters; shorter text skips the expensive patterns. */
const SHORTEST_TOKEN = /[\w.+/=~$|%-]{12}/;

/** The text with each vendor's token replaced: its prefix at the start of a word, and the rest in the form of that vendor. */
export function replaceVendorTokens(text: string, replacement: string): string {
  return SHORTEST_TOKEN.test(text) ? replaceTokens(text, replacement) : text;
}

/** Returns true for 16 and more hexadecimal digits, and for many changes between kinds of characters. */
export function looksRandom(text: string): boolean {
  const bare = text.replace(/[-_.=+~]/g, '');
  if (bare.length < 16) return false;
  const digits = bare.replace(/\D/g, '').length;
  const longest = text.split(/[-_.=+~]/).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (/^[0-9a-f]+$/i.test(bare)) return digits > 0;
  if (digits === 0) {
    // Words are lower case or begin with a capital; base64 changes back and forth.
    const turns = (bare.match(/[a-z][A-Z]/g) ?? []).length;
    return longest.length >= 20 && turns >= 4;
  }
  const changes = (longest.match(/[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]/g) ?? []).length;
  return longest.length >= 12 && changes >= 4;
}
