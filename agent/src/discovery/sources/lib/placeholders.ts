// Variables that a client or a shell replaces when it starts a server, in every client's syntax: `${workspaceFolder}`,
// `${env:NAME}`, `${NAME:-default}`, `$NAME`, `%NAME%`, `{env:NAME}`, `{{name}}`. A placeholder's name may be reported; a
// value, such as a default, never. Pure, linear.
import { consistsOfWords } from '../../redaction/word-groups.ts';

const PLACEHOLDER =
  /\$\{\{\s{0,4}[\w.-]{1,128}\s{0,4}\}\}|\$\{[^{}]{1,512}\}|\{\{\s{0,4}[\w.:-]{1,128}\s{0,4}\}\}|\{(?:env|file|input|secret|config):[^{}\s]{1,256}\}|\$env:[A-Za-z_]\w{0,127}|\$[A-Z_][A-Z0-9_]{0,127}|%[A-Za-z_]\w{2,63}%/g;
/** `${NAME:-default}` and its relatives of the shell. */
const WITH_DEFAULT = /^(?:(env):)?([A-Za-z_]\w{0,127}):?[-=?+]/;
const NAME = /^[A-Za-z_][\w.-]{0,127}(?::[A-Za-z_][\w. -]{0,127})?$/;
const MASK = 'placeholder';
const MAX_MASKED = 26;
/** The folder that a client has opened. */
const PROJECT_ROOT =
  /^\$\{(?:workspaceFolder|workspaceRoot|workspace|projectRoot|projectDir|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|extensionPath|__dirname|cwd|PWD|env:PWD|ProjectFileDir|PROJECT_ROOT|INIT_CWD)(?::[^{}]{0,128})?\}|^\$(?:PWD|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|PROJECT_ROOT|INIT_CWD)(?!\w)|^%CD%/;
const HOME =
  /^(?:\$\{(?:userHome|HOME|env:HOME|env:USERPROFILE|USERPROFILE)\}|\$HOME(?!\w)|\$env:USERPROFILE(?!\w)|%USERPROFILE%|%HOME%|\{env:HOME\})/;

/** Returns true for a text with a variable in it. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/** Returns true for a text that begins with a variable. */
export function startsWithPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) === 0;
}

/** The text with the client's variable for its person's home written as `~`. */
export function withHomeAsTilde(text: string): string {
  return text.replace(HOME, '~');
}

/** Returns a path below the project's root without the variable before it; null where no variable precedes it. */
export function belowProjectRoot(path: string): string | null {
  const root = PROJECT_ROOT.exec(path)?.[0];
  if (root === undefined) return null;
  const rest = path.slice(root.length);
  return rest === '' || /^[\\/]/.test(rest) ? rest.replace(/^[\\/]+/, '') : null;
}

/** The part of a path behind its last variable: how the path of a running process ends. */
export function behindPlaceholders(path: string): string {
  return (path.split(PLACEHOLDER).at(-1) ?? path).replace(/^[\\/]+/, '');
}

/**
 * Applies a rule to a text in which each variable is written as a plain word, and writes the variables' names back into what
 * is left. So a rule sees `${workspaceFolder}/a.js` as it sees `folder/a.js`.
 */
export function throughPlaceholders(
  text: string,
  rule: (masked: string) => string,
  show: (placeholder: string) => string = showPlaceholder,
): string {
  if (!/[$%{]/.test(text)) return rule(text);
  const names: string[] = [];
  const masked = text.replace(PLACEHOLDER, (placeholder) => {
    names.push(show(placeholder));
    return MASK + letterAt(names.length - 1);
  });
  if (names.length === 0 || names.length > MAX_MASKED) return rule(text);
  return rule(masked).replace(/placeholder([a-z])/gi, (mask, letter: string) => {
    return names[letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0)] ?? mask;
  });
}

const letterAt = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index);

/** A placeholder with its name and without a default value. */
function showPlaceholder(placeholder: string): string {
  const [, open = '', inner = '', close = ''] =
    /^(\$\{\{|\$\{|\{\{|\{|\$env:|\$|%)(.*?)(\}\}|\}|%|)$/.exec(placeholder) ?? [];
  const [, prefix, variable] = WITH_DEFAULT.exec(inner) ?? [];
  const plain = variable === undefined ? inner.trim() : (prefix ? 'env:' : '') + variable;
  const isName = NAME.test(plain) && consistsOfWords(plain, 'name');
  return `${open}${isName ? plain : '[cut]'}${close}`;
}
