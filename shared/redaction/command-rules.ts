// What the rules of command lines and of programs' outputs are made of.
import { VALUE } from './named.ts';
import { lookAtPairs, pairsIn } from './pairs.ts';
import { REDACTED } from './rules.ts';

export interface CommandRule {
  /** What a text must hold for the rule to be tried: of the end of what stands before the value. */
  holding: string;
  pairs: readonly number[];
  form: RegExp;
}

/** Up to the next blank or quote; no number alone, which is a port or a level. */
export const WORD = `${VALUE}(?![$-]|\\d{1,5}(?!\\S))[^\\s"'\\\\]`;
/** It has a digit, as hardly any word of prose. */
export const ODD_WORD = `(?=[^\\s0-9]{0,64}[0-9])(?=[^\\sa-zA-Z]{0,64}[a-zA-Z])${WORD}`;
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
    form: new RegExp(pattern.replaceAll('(?<![a-z])', BEGIN), `g${flags}`),
  }));

/** The text without what one of the rules takes as a credential. */
export function withoutRuled(text: string, rules: readonly CommandRule[]): string {
  let out = text;
  let mayHold = lookAtPairs(out);
  for (const { holding, pairs, form } of rules) {
    if (!mayHold(pairs) || !out.includes(holding)) continue;
    const after = out.replace(form, `$1${REDACTED}`);
    if (after !== out) mayHold = lookAtPairs(after);
    out = after;
  }
  return out;
}
