// Words or a secret: a text is taken apart at its separators, and each group of letters and digits is classified. Pure, linear.
import { isVocabulary } from './vocabulary.ts';

/**
 * `word`: letters, a number, a version or vocabulary. `numbered`: a word and a number (`tool2026`). `joined`: words
 * that a number joins (`html2text`, `what3words`). `mixed`: anything else, as secrets are made of.
 */
type GroupClass = 'word' | 'numbered' | 'joined' | 'mixed';

/**
 * The position of a text decides how much it may mix letters and digits. `value`: an argument, a part of a URL, a
 * label: words only. `name`: a file, a folder, a module, a program: a single numbered word. `package`: a package or
 * an image: its registry allows any name, so only several mixed groups are a secret.
 */
export type NamePosition = 'value' | 'name' | 'package';

const MAX_WORD = 24;
const MAX_TEXT = 1024;

/** Returns true where a text at this position consists of words, and of no group that may be a part of a secret. */
export function consistsOfWords(text: string, position: NamePosition): boolean {
  if (text.length > MAX_TEXT) return false;
  const groups = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((group) => group !== '');
  const classes = groups.flatMap(classify);
  const numbered = classes.filter((classItem) => classItem === 'numbered').length;
  const joined = classes.filter((classItem) => classItem === 'joined').length;
  const mixed = classes.filter((classItem) => classItem === 'mixed').length;
  if (position === 'value') return numbered + joined + mixed === 0;
  if (position === 'name') return mixed + joined === 0 && numbered <= 1;
  if (mixed === 0) return numbered + joined <= 2;
  // A scope marks a package: `@l8js/l8`.
  const isScoped = /^@[^/]{1,32}\/./.test(text);
  if (isScoped && mixed <= 2 && groups.every((group) => group.length <= 5)) return true;
  const longest = Math.max(...groups.map((group) => group.length));
  const isSingleShortGroup = groups.length === 1 && longest <= 6;
  return (
    mixed === 1 &&
    numbered + joined === 0 &&
    longest <= 16 &&
    (isSingleShortGroup || classes.includes('word'))
  );
}

/** Classifies a group; a group in camel case is classified by its words, because `OAuth2Client` has three of them. */
function classify(group: string): GroupClass[] {
  if (!/\d/.test(group)) return [isWord(group) ? 'word' : 'mixed'];
  if (/^\d+$/.test(group)) return [isNumber(group) ? 'word' : 'mixed'];
  if (isVocabulary(group)) return ['word'];
  const words = group.split(/(?<=[a-z\d])(?=[A-Z][a-z])/);
  if (words.length > 1) {
    const classes = words.flatMap(classify);
    return classes.includes('mixed') ? ['mixed'] : classes;
  }
  const isNumbered =
    /^(?:[A-Z]?[a-z]{2,20}|[A-Z]{2,6})\d{1,4}$/.test(group) ||
    /^\d{1,4}[A-Z]?[a-z]{3,20}$/.test(group);
  if (isNumbered) return ['numbered'];
  return [/^[A-Z]?[a-z]{2,20}\d{1,2}[A-Z]?[a-z]{1,20}$/.test(group) ? 'joined' : 'mixed'];
}

/** Returns false for letters that no word has: too many, hexadecimal ones only, or capitals and small ones in turn. */
function isWord(letters: string): boolean {
  if (letters.length > MAX_WORD) return false;
  if (/^[a-f]{8,}$/.test(letters) || /^[A-Z]{17,}$/.test(letters)) return false;
  const turns = letters.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return turns < 3 || letters.length / (turns + 1) >= 3;
}

/** Returns true for a number of up to six digits and for a date. */
function isNumber(digits: string): boolean {
  return digits.length <= 6 || /^(?:19|20)\d{6}(?:\d{2}|\d{4}|\d{6})?$/.test(digits);
}
