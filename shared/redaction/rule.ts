// The form of a redaction rule, and the patterns that all rules share. Rules are data: see the files `*-rules.ts`.
import { compilePattern } from './regular-expressions.ts';

/** The version of all rules. Every change of a rule raises it: rows of an older version are redacted again when read. */
export const REDACTION_VERSION = 19;

export const REDACTED = '[REDACTED]';

export interface Rule {
  id: string;
  /** Lower-case literals. A text skips the rule if it contains none of them. */
  keywords: readonly string[];
  /**
   * The source of a linear regular expression. A first group is context before the credential, which remains. A
   * repeated class is never followed by a character of its own, and no match begins inside text that another match has
   * read to its end.
   */
  pattern: string;
  ignoresCase?: true;
  /** The placeholder; `[REDACTED]` without. */
  replacement?: string;
  /** A further condition on the credential, which is checked once for each match. */
  accepts?: (value: string) => boolean;
}

/**
 * The start of a word: no letter or digit before it, except the end of an escape sequence (`\\n`, `\\u003d`, `%20`, a
 * terminal color), which is frequent in escaped and truncated texts.
 */
export const START =
  '(?<!(?<!\\\\|\\\\x[0-9A-Fa-f]|\\\\u[0-9A-Fa-f]{3}|%(?:25){0,3}[0-9A-Fa-f]|\\[[0-9;]{1,12})[A-Za-z0-9])';

/** The value contains a digit, which few words of prose do. */
export const DIGIT = '(?=[^\\s0-9<]{0,64}[0-9])';
export const LETTER = '(?=[^\\sa-zA-Z]{0,64}[a-zA-Z])';

/**
 * Texts at the position of a value that are no value: a literal, code that loads it, a variable, a template
 * placeholder.
 */
const NO_VALUES: readonly string[] = [
  '\\s|(?:Bearer |Basic )?\\[(?:REDACTED|[Rr]edacted)',
  '(?:[Nn]one|NONE|[Nn]ull|NULL|[Nn]il|NIL|[Tt]rue|TRUE|[Ff]alse|FALSE|[Uu]ndefined|UNDEFINED)(?![A-Za-z0-9_.-])',
  '(?:os\\.(?:environ|[Gg]etenv)|process\\.env|import\\.meta\\.env|System\\.getenv|getenv\\(|ENV\\[)',
  '(?:[Ss]elf|[Tt]his|[Cc]onfig|[Ss]ettings|[Aa]rgs|[Oo]pts|[Oo]ptions|[Rr]eq|[Rr]equest)\\.[A-Za-z_]',
  // A call: several words without a digit.
  '[A-Za-z_][A-Za-z]{0,40}(?:[._][A-Za-z]{1,40}){1,6}\\(|[a-z]{1,30}[A-Z][A-Za-z]{0,40}\\(',
  // A variable in infrastructure code or in call arguments.
  '(?:var|local|data|module|random_[a-z]{2,20}|(?:aws|azurerm|google)_[a-z_]{2,60})\\.[A-Za-z_]{2}',
  '[a-z]{1,20}_(?:password|passwd|pwd|secret|token|key)(?=[,)])',
  '\\$\\{\\{?\\s?[A-Za-z_]|\\$\\(|\\$[A-Z_][A-Z0-9_]{0,60}(?![A-Za-z0-9_])',
  '%[sdSD](?![A-Za-z0-9])|%\\(|\\{\\{|\\?(?![^\\s,;)&])',
  '\\{[A-Za-z_][A-Za-z0-9_.]{0,40}\\}|<[A-Za-z][A-Za-z0-9 _.-]{0,40}>',
  '(?:sk-)?(?:\\*{3}|[xX]{4,80}(?![A-Za-z0-9])|\\.{3})',
  // The label of a field or a button.
  '(?:(?:Your|New|Old|Current|Forgot|Confirm|Enter|Reset|Change|Repeat|Show|Hide) (?:your |new )?[Pp]assword|Password)\\??(?=["\'<\\r\\n]|$)',
  '(?:[Yy]our|YOUR)[_-][A-Za-z_-]{0,40}(?:[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assword|PASSWORD|[Hh]ere|HERE)(?![A-Za-z0-9_-])',
];
/** The start of a value: neither a placeholder nor a text that is no value. */
export const VALUE = `(?!(?-i:${NO_VALUES.join('|')}))`;

/** The start of a value that no rule has redacted. */
export const UNREDACTED = '(?!\\s|(?:Bearer |Basic )?\\[{0,2}REDACTED)';

/** Compiles the pattern of a rule. */
export function compileRule({ pattern, ignoresCase }: Rule): RegExp {
  return compilePattern(pattern, ignoresCase === true ? 'gi' : 'g');
}
