// A command line as words: configurations write it as a list, as one text, or behind what only starts something else. Pure.

const MAX_TEXT = 8192;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh', 'ash']);
const POWERSHELLS = new Set(['powershell', 'pwsh']);
/** Programs that start another one, with the word after which it stands. */
const WRAPPERS = new Map<string, RegExp | null>([
  ['sudo', null],
  ['nohup', null],
  ['exec', null],
  ['nice', null],
  ['time', null],
  ['stdbuf', null],
  ['setsid', null],
  ['wsl', null],
  ['xvfb-run', null],
  ['caffeinate', null],
  ['dotenv', null],
  ['cross-env', null],
  ['dotenvx', /^run$/],
  ['volta', /^run$/],
  ['op', /^run$/],
  ['doppler', /^run$/],
  ['infisical', /^run$/],
  ['mise', /^(exec|x)$/],
  ['rtx', /^(exec|x)$/],
  ['asdf', /^exec$/],
  ['fnm', /^exec$/],
  ['direnv', /^exec$/],
]);

/** What a program is called: its file without folder and without Windows' endings. */
export function programName(command: string): string {
  return command
    .slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
    .replace(/\.(exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

export function isShell(program: string): boolean {
  return SHELLS.has(program) || POWERSHELLS.has(program) || program === 'cmd';
}

/** The words of a simple command; quotes as a shell takes them. */
export function splitWords(text: string): string[] {
  const words = text
    .slice(0, MAX_TEXT)
    .match(/[^\s"'=]+="[^"]*"|[^\s"'=]+='[^']*'|"[^"]*"|'[^']*'|[^\s"']+/g);
  return (words ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2').replace(/^([^\s"'=]+=)(["'])(.*)\2$/, '$1$3'),
  );
}

/** A whole command line that was written as the command; a program's path may hold spaces. Variables before it: `env`. */
export function splitCommand(command: string): string[] {
  const text = command.trim();
  if (!/\s/.test(text)) return [text];
  const path =
    /^[A-Za-z]:[\\/].*?\.(?:exe|cmd|bat|ps1)(?=\s|$)/i.exec(text)?.[0] ??
    // Of words without a leading dash or slash, those up to the last slash belong to the path.
    /^[~/][^\s"']*(?: [^\s"'/=-][^\s"'=]*\/[^\s"']*)+/.exec(text)?.[0];
  const words =
    path === undefined ? splitWords(text) : [path, ...splitWords(text.slice(path.length))];
  return ASSIGNMENT.test(words[0] ?? '') ? ['env', ...words] : words;
}

/** Takes off what only starts something else: `env A=b`, `cmd /c`, `sh -c "one command"`, `volta run`. */
export function unwrap(words: string[]): string[] {
  for (let again = 0; again < 6; again++) {
    const inner = unwrapOnce(words);
    if (inner === null || inner.length === 0) return words;
    words = inner;
  }
  return words;
}

function unwrapOnce(words: readonly string[]): string[] | null {
  const program = programName(words[0] ?? '');
  const rest = words.slice(1);
  if (ASSIGNMENT.test(words[0] ?? '')) return rest;
  if (program === 'env') return afterVariables(rest);
  if (program === 'cmd') {
    return /^\/[ck]$/i.test(rest[0] ?? '') ? simpleCommand(rest.slice(1)) : null;
  }
  if (SHELLS.has(program)) {
    return /^-l?i?c$/.test(rest[0] ?? '') ? simpleCommand(rest.slice(1, 2)) : null;
  }
  if (POWERSHELLS.has(program)) {
    const at = rest.findIndex((word) => /^-c(ommand)?$/i.test(word));
    return at < 0 ? null : simpleCommand(rest.slice(at + 1));
  }
  return afterWrapper(program, rest);
}

function afterVariables(rest: string[]): string[] | null {
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (/^(-u|--unset|-C|--chdir)$/.test(word)) at++;
    else if (/^(-S|--split-string)$/.test(word)) return splitWords(rest[at + 1] ?? '');
    else if (!word.startsWith('-') && !ASSIGNMENT.test(word)) return rest.slice(at);
  }
  return null;
}

/** A script of several commands stays the shell's. */
function simpleCommand(words: string[]): string[] | null {
  if (words.length === 0 || words.some((word) => /[;&|<>$`\n(]/.test(word))) return null;
  return words.length === 1 ? splitWords(words[0] ?? '') : words;
}

function afterWrapper(program: string, rest: string[]): string[] | null {
  const word = WRAPPERS.get(program);
  if (word === undefined) return null;
  const from = word === null ? 0 : rest.findIndex((one) => word.test(one)) + 1;
  if (word !== null && from === 0) return null;
  const dashes = rest.indexOf('--', from);
  if (dashes >= 0) return rest.slice(dashes + 1);
  const at = rest.findIndex(
    (one, index) => index >= from && !one.startsWith('-') && !ASSIGNMENT.test(one),
  );
  return at < 0 ? null : rest.slice(at);
}
