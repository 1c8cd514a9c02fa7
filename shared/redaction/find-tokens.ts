// Finds tokens by their format. The rules are data in `token-rules.ts`.
import { compilePattern } from './regular-expressions.ts';
import { START } from './rules.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** Rules that share a single expression, whose groups identify the matching rule. */
const COMBINED_RULES = TOKEN_RULES.filter(({ keyword }) => keyword === undefined);
export const TOKENS = compilePattern(
  `${START}(?:${COMBINED_RULES.map(({ pattern }) => `(${pattern})`).join('|')})`,
  'g',
);
/** Rules that run only on texts with their keyword, because their tokens could begin anywhere. */
const KEYWORD_RULES = TOKEN_RULES.flatMap(({ keyword, pattern, placeholder, inside }) =>
  keyword === undefined
    ? []
    : [{ keyword, placeholder, form: compilePattern(inside ? pattern : START + pattern, 'g') }],
);

/** Replaces tokens with a prefix of their own. */
export function replaceTokens(
  text: string,
  replacementOf: (placeholder: string) => string = (placeholder) => placeholder,
): string {
  return text.replace(TOKENS, (whole: string, ...groups: unknown[]) => {
    const rule = COMBINED_RULES[groups.findIndex((group) => group !== undefined)];
    return rule === undefined || rule.accepts?.test(whole) === false
      ? whole
      : replacementOf(rule.placeholder);
  });
}

/** Replaces tokens whose format could begin anywhere. */
export function replaceTokensInside(
  text: string,
  replacementOf: (placeholder: string) => string = (placeholder) => placeholder,
): string {
  let out = text;
  for (const { keyword, form, placeholder } of KEYWORD_RULES) {
    if (out.includes(keyword)) out = out.replace(form, replacementOf(placeholder));
  }
  return out;
}
