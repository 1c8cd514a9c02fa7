// Builds detectors from regular expressions. Each expression is linear: repetitions are bounded, or are followed by a
// character that they cannot match, and a look-behind keeps a match from starting inside a run that failed.

import type { ScannedText } from '../scanned-text.ts';
import type { Sensitivity } from '../settings.ts';
import type { Detector, Range } from '../types.ts';

interface PatternOptions {
  level?: Sensitivity;
  /** The name in rows, if it differs from the subcategory. */
  name?: string;
  /** A validation of the value, such as a checksum. */
  accepts?: (value: string) => boolean;
  words?: readonly string[];
  contains?: string;
  /** The pattern runs on the text in lower case. */
  isFolded?: boolean;
  /** The pattern is the end of a word; the range begins with the word. */
  isSuffix?: boolean;
}

/**
 * Returns a detector of a pattern. A first group is the value, which ends where the match ends; without a group, the
 * match is the value.
 */
export function detectPattern(
  id: `${string}/${string}`,
  pattern: RegExp,
  options: PatternOptions = {},
): Detector {
  const [category = '', subcategory = ''] = id.split('/');
  const global = new RegExp(pattern.source, `${pattern.flags}g`);
  const { level = 'low', name = subcategory, words, contains } = options;
  const requires = {
    digits: pattern.source.includes('\\d'),
    ...(words === undefined ? {} : { words }),
    ...(contains === undefined ? {} : { contains }),
  };
  const find = (scanned: ScannedText) => findMatches(scanned, global, options);
  return { name, category, subcategory, level, requires, find };
}

/**
 * Returns a detector of a value behind a label, such as `passport no. C01X00T47`. Labels are expressions in lower case
 * that begin with a complete word.
 */
export function detectLabeled(
  id: `${string}/${string}`,
  labels: readonly string[],
  value: string,
  options: PatternOptions = {},
): Detector {
  const source = `(?<![a-z0-9])(?:${labels.join('|')})(?![a-z])[^a-z0-9\\n]{0,6}(?:(?:is|no|nr|num|number|code|id)(?![a-z0-9])[^a-z0-9\\n]{0,4}){0,2}(${value})(?![a-z0-9])`;
  return detectPattern(id, new RegExp(source), {
    name: `${id.split('/')[1]}_label`,
    isFolded: true,
    words: labels.map((label) => /^[a-zäöüßéèñç]+/.exec(label)?.[0] ?? label),
    ...options,
  });
}

function findMatches(
  scanned: ScannedText,
  pattern: RegExp,
  { isFolded, isSuffix, accepts }: PatternOptions,
): Range[] {
  const text = isFolded === true ? scanned.lower : scanned.text;
  const ranges: Range[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0];
    const end = match.index + match[0].length;
    if (accepts !== undefined && !accepts(value)) continue;
    const start = end - value.length;
    ranges.push({ start: isSuffix === true ? wordStart(text, start) : start, end });
  }
  return ranges;
}

const WORD_MAX = 30;

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < WORD_MAX && /\p{L}/u.test(text[start - 1] ?? '')) start--;
  return start;
}
