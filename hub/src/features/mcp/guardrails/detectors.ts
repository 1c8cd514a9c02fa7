// Detectors for content: formats with check digits, and patterns and words of a tenant. Each takes linear time, also for hostile
// text. Pure.
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { Detector } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { RE2JS } from 're2js';

/** Replaces and counts the matches. */
export type Finder = (text: string) => { text: string; count: number };

function patternDetector(
  pattern: RegExp,
  placeholder: string,
  isReal: (match: string) => boolean,
): Finder {
  return (text) => {
    let count = 0;
    const replaced = text.replace(pattern, (match) => {
      if (!isReal(match)) return match;
      count++;
      return placeholder;
    });
    return { text: replaced, count };
  };
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 13616: four characters moved to the end, letters as numbers, remainder 1 by 97. */
export function isIban(compact: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  let rest = 0;
  for (const letter of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Digits that are all the same are examples; an account's number begins with 2 to 6. */
const isCard = (match: string) => {
  const digits = digitsOf(match);
  return /^[2-6]/.test(digits) && !/^(\d)\1+$/.test(digits) && passesLuhn(digits);
};

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g;

const DETECTOR: Record<Detector, Finder> = {
  secrets(text) {
    const replaced = redactText(text);
    return { text: replaced, count: replaced === text ? 0 : 1 };
  },
  email: patternDetector(
    /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
    '[REDACTED_EMAIL]',
    () => true,
  ),
  iban: patternDetector(IBAN, '[REDACTED_IBAN]', (match) => isIban(match.replaceAll(' ', ''))),
  card: patternDetector(/(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g, '[REDACTED_CARD]', isCard),
  phone: patternDetector(
    /(?<![\w+])\+[1-9](?:[ ().-]{0,2}\d){7,14}(?!\d)/g,
    '[REDACTED_PHONE]',
    () => true,
  ),
  ssn: patternDetector(
    /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g,
    '[REDACTED_SSN]',
    (match) => !/^(?:000|666|9)|-00-|-0000$/.test(match),
  ),
  ip: patternDetector(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g, '[REDACTED_IP]', (match) =>
    match.split('.').every((part) => Number(part) <= 255),
  ),
};

export const findDetector = (name: Detector): Finder => withUnicodeFolding(DETECTOR[name]);

/** Invisible characters. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Characters whose compatibility form is a word or longer are not folded, because the text could grow without bound. */
const OTHERS =
  /[^\u2057\u2152\u2167\u2177\u247d-\u2487\u2a0c\u321d\u321e\u3300-\u3357\u337f\u3389\u33a8\u33ae-\u33af\u33c2\u33c6\u33d8\ufdf2-\ufdfc]+/g;

const foldUnicode = (text: string) =>
  text.replaceAll(UNSEEN, '').replaceAll(OTHERS, (others) => others.normalize('NFKC'));

/** Also matches text with full-width characters, unusual spaces or invisible characters. */
function withUnicodeFolding(find: Finder): Finder {
  return (text) => {
    const found = find(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything of ASCII is as it looks
    if (!/[^\x00-\x7f]/.test(found.text)) return found;
    const plain = foldUnicode(found.text);
    if (plain === found.text) return found;
    const more = find(plain);
    return more.count === 0 ? found : { text: more.text, count: found.count + more.count };
  };
}

/** Throws where it is no pattern of RE2. */
export function patternFinder(name: string, pattern: string): Finder {
  const compiled = RE2JS.compile(pattern);
  return withUnicodeFolding((text) =>
    replaceMatches(compiled, text, `[REDACTED_${name.toUpperCase()}]`, () => true),
  );
}

const LETTER = /[\p{L}\p{N}_]/u;

/** Matches complete words, case-insensitively. */
export function wordsFinder(words: readonly string[]): Finder {
  const compiled = RE2JS.compile(`(?i)(?:${words.map((word) => RE2JS.quote(word)).join('|')})`);
  return withUnicodeFolding((text) =>
    replaceMatches(compiled, text, '[REDACTED_WORD]', (start, end) => {
      const isInside = (at: number) => LETTER.test(text[at] ?? ' ');
      return !(isInside(start - 1) || isInside(end));
    }),
  );
}

function replaceMatches(
  compiled: RE2JS,
  text: string,
  placeholder: string,
  isReal: (start: number, end: number) => boolean,
): { text: string; count: number } {
  // Most texts have no match, and a test is cheaper than a search.
  if (!compiled.test(text)) return { text, count: 0 };
  const matcher = compiled.matcher(text);
  const parts: string[] = [];
  let count = 0;
  let from = 0;
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end === start || !isReal(start, end)) continue;
    parts.push(text.slice(from, start), placeholder);
    from = end;
    count++;
  }
  return count === 0 ? { text, count } : { text: parts.join('') + text.slice(from), count };
}
