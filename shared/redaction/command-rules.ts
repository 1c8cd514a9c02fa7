// What the rules of command lines and of programs' outputs are made of.

import { lookAtPairs, pairsIn } from './pairs.ts';
import { regExpOf } from './patterns.ts';
import { REDACTED, VALUE } from './rules.ts';

export interface CommandRule {
  /** What a text must hold for the rule to be tried: of the end of what stands before the value. */
  holding: string;
  pairs: readonly number[];
  form: RegExp;
}

/** Up to the next blank or quote; no number alone, which is a port or a level. */
export const WORD = `${VALUE}(?![$-]|\\d{1,5}(?!\\S))[^\\s"'\\\\]`;
/** It has a digit, as hardly any word of prose. */
const A_DIGIT = '(?=[^\\s0-9]{0,64}[0-9])';
const A_LETTER = '(?=[^\\sa-zA-Z]{0,64}[a-zA-Z])';
export const ODD_WORD = `${A_DIGIT}${A_LETTER}${WORD}`;
/**
 * The same, and in quotes up to where they close: several words are one value there. A quote that opens behind `between` and
 * closes nowhere on its line within reach opens none. Behind a closing bracket or a comma it was one that closed.
 */
export function said(least = 1, { odd = false, between = '' } = {}): string {
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

/** Other words of the same command, up to `MAX` of them. */
export const words = (but: string, max: number) =>
  `(?:[ \\t]{1,4}(?!${but})[^\\s;|&]{1,100}){0,${max}}[ \\t]{1,4}`;

/** What ends an escape is no letter of a word. */
const BEGIN = '(?<!(?<!\\\\)[a-z])';

export const commandRules = (
  rules: readonly (readonly [holding: string, pattern: string, flags?: string])[],
): readonly CommandRule[] =>
  rules.map(([holding, pattern, flags = '']) => ({
    holding,
    pairs: pairsIn(holding),
    form: regExpOf(pattern.replaceAll('(?<![a-z])', BEGIN), `g${flags}`),
  }));

/** The text without what one of the rules takes as a credential. */
export function withoutRuled(text: string, rules: readonly CommandRule[]): string {
  let out = text;
  // What a rule put there in between is looked at with the next round.
  const mayHold = lookAtPairs(out);
  for (const { holding, pairs, form } of rules) {
    if (!mayHold(pairs) || !out.includes(holding)) continue;
    out = out.replace(form, `$1${REDACTED}`);
  }
  return out;
}
