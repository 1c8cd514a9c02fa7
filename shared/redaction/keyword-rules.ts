// Building blocks of keyword rules, which redact credentials in command lines and program output.

import { characterPairs, indexCharacterPairs } from './character-pairs.ts';
import { compilePattern } from './regular-expressions.ts';
import { REDACTED, VALUE } from './rules.ts';

export interface CommandRule {
  /** The keyword: a text without it skips the rule. It is the end of the text before the value. */
  keyword: string;
  pairs: readonly number[];
  form: RegExp;
}

/** A value up to the next blank or quote. A number alone is a port or a level and no value. */
export const WORD = `${VALUE}(?![$-]|\\d{1,5}(?!\\S))[^\\s"'\\\\]`;
/** The value contains a digit, which few words of prose do. */
const A_DIGIT = '(?=[^\\s0-9]{0,64}[0-9])';
const A_LETTER = '(?=[^\\sa-zA-Z]{0,64}[a-zA-Z])';
export const ODD_WORD = `${A_DIGIT}${A_LETTER}${WORD}`;
/**
 * Returns the pattern of a value: a word like `WORD`, or in quotes everything up to the closing quote. A quote before
 * `between` that closes nowhere on its line within reach opens no value. A quote before a closing bracket or a comma is
 * itself a closing quote.
 */
export function valuePattern(least = 1, { odd = false, between = '' } = {}): string {
  const inside = (quote: string) => {
    const plain = `[^${quote}\\\\\\r\\n]`;
    const closes = `(?=[^${quote}\\r\\n]{1,${QUOTED_MOST}}(?:${quote}|[\\r\\n]|$))`;
    return [
      `(?<=(?<!\\\\)${quote}${between})${closes}${plain}+(?:\\\\[^\\r\\n]${plain}*){0,100}`,
      `(?<=\\\\${quote}${between})${closes}${plain}+`,
    ].join('|');
  };
  const none = `(?![\\s)\\],;:}]|\\d{1,5}(?:["']|\\\\))`;
  const first = odd ? `${A_DIGIT}${A_LETTER}` : '';
  return `${first}${VALUE}(?![$-]|\\d{1,5}(?!\\S))(?:${none}(?:${inside('"')}|${inside("'")})|[^\\s"'\\\\]{${least},})`;
}
const QUOTED_MOST = 300;

/** Returns the pattern of up to `max` further words of the same command. */
export const words = (but: string, max: number) =>
  `(?:[ \\t]{1,4}(?!${but})[^\\s;|&]{1,100}){0,${max}}[ \\t]{1,4}`;

/** The last letter of an escape sequence is not part of a word. */
const BEGIN = '(?<!(?<!\\\\)[a-z])';

export const commandRules = (
  rules: readonly (readonly [keyword: string, pattern: string, flags?: string])[],
): readonly CommandRule[] =>
  rules.map(([keyword, pattern, flags = '']) => ({
    keyword,
    pairs: characterPairs(keyword),
    form: compilePattern(pattern.replaceAll('(?<![a-z])', BEGIN), `g${flags}`),
  }));

/** Applies keyword rules to a text. */
export function applyKeywordRules(text: string, rules: readonly CommandRule[]): string {
  let out = text;
  // A keyword that a placeholder introduces is examined in the next round.
  const mayContain = indexCharacterPairs(out);
  for (const { keyword, pairs, form } of rules) {
    if (!mayContain(pairs) || !out.includes(keyword)) continue;
    out = out.replace(form, `$1${REDACTED}`);
  }
  return out;
}
