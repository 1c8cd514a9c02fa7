// Finds texts that are credentials by their form. The rules are data, in `tokens.ts`.
import { regExpOf } from './patterns.ts';
import { START } from './rules.ts';
import { TOKEN_RULES } from './tokens.ts';

/** Rules that are tried together: one expression finds which of them matches. */
const TOGETHER = TOKEN_RULES.filter(({ holding }) => holding === undefined);
export const TOKENS = regExpOf(
  `${START}(?:${TOGETHER.map(({ pattern }) => `(${pattern})`).join('|')})`,
  'g',
);
/** Rules that are tried only where a text holds a certain word, for they could begin anywhere. */
const ALONE = TOKEN_RULES.flatMap(({ holding, pattern, placeholder, inside }) =>
  holding === undefined
    ? []
    : [{ holding, placeholder, form: regExpOf(inside ? pattern : START + pattern, 'g') }],
);

/** Replaces tokens that begin with a sign of their own. */
export function replaceTokens(
  text: string,
  replacementOf: (placeholder: string) => string = (placeholder) => placeholder,
): string {
  return text.replace(TOKENS, (whole: string, ...groups: unknown[]) => {
    const rule = TOGETHER[groups.findIndex((group) => group !== undefined)];
    return rule === undefined || rule.only?.test(whole) === false
      ? whole
      : replacementOf(rule.placeholder);
  });
}

/** Replaces tokens whose form could begin anywhere. */
export function replaceTokensInside(
  text: string,
  replacementOf: (placeholder: string) => string = (placeholder) => placeholder,
): string {
  let out = text;
  for (const { holding, form, placeholder } of ALONE) {
    if (out.includes(holding)) out = out.replace(form, replacementOf(placeholder));
  }
  return out;
}
