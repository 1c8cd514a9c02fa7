// A command line as words: configurations write it as a list, as one text, or behind what only starts something else. Pure.
import {
  POWERSHELLS,
  programName,
  SHELLS,
  type WrapperName,
} from '@gatewarden/shared/launchers.ts';

const MAX_TEXT = 8192;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** Programs that hand a whole line to a shell, behind `-c`. */
const TAKE_A_LINE = new Set(['su', 'runuser', 'flock']);
interface Wrapper {
  /** The word behind which it stands; none: at once. */
  after?: RegExp;
  /** Its options that take the next word. */
  valued?: RegExp;
  /** So many words of its own come before the other program. */
  words?: number;
}

/** What runs as somebody else names whom: that is nobody's program, and a person's account. */
const AS_SOMEBODY: Wrapper = {
  valued:
    // A letter that takes a value takes what is joined to it, too: then the next word is no part of it.
    /^(-(?:(?![ugpCDRTrthU])[a-zA-Z])*[ugpCDRTrthU]|--(user|group|prompt|close-from|chdir|chroot|role|type|host|other-user|command-timeout))$/,
};
const IN_AN_ENVIRONMENT: Wrapper = {
  after: /^run$/,
  valued: /^(-n|--name|-p|--prefix|--cwd)$/,
};

/** Programs that start another one. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<WrapperName, Wrapper>([
  ['sudo', AS_SOMEBODY],
  ['doas', AS_SOMEBODY],
  ['runuser', { valued: /^(-[ugGsw]|--(user|group|supp-group|shell|whitelist-environment))$/ }],
  ['nohup', {}],
  ['exec', { valued: /^-[cl]*a$/ }],
  ['command', {}],
  ['nice', { valued: /^(-n|--adjustment)$/ }],
  ['ionice', { valued: /^(-[cn]|--class|--classdata)$/ }],
  ['chrt', { words: 1 }],
  ['taskset', { words: 1 }],
  ['timeout', { valued: /^(-[ks]|--kill-after|--signal)$/, words: 1 }],
  ['gtimeout', { valued: /^(-[ks]|--kill-after|--signal)$/, words: 1 }],
  ['time', { valued: /^(-[fo]|--format|--output)$/ }],
  ['stdbuf', { valued: /^(-[ioe]|--input|--output|--error)$/ }],
  ['setsid', {}],
  ['flock', { valued: /^(-[wE]|--timeout|--wait|--conflict-exit-code)$/, words: 1 }],
  ['chroot', { words: 1 }],
  ['wsl', { valued: /^(-[du]|--distribution|--user|--cd|--shell-type)$/ }],
  ['xvfb-run', { valued: /^(-[nsefpw]|--server-num|--server-args|--auth-file|--error-file)$/ }],
  ['caffeinate', { valued: /^-[tw]$/ }],
  ['dotenv', { valued: /^-[evp]$/ }],
  ['env-cmd', { valued: /^(-[fe]|--file|--environments)$/ }],
  ['cross-env', {}],
  ['corepack', {}],
  ['dotenvx', { after: /^run$/, valued: /^(-[fe]|--env-file|--env)$/ }],
  ['volta', { after: /^run$/, valued: /^--(node|npm|yarn|pnpm)$/ }],
  ['op', { after: /^run$/, valued: /^--(env-file|account)$/ }],
  ['doppler', { after: /^run$/, valued: /^(-[pct]|--project|--config|--token)$/ }],
  ['infisical', { after: /^run$/, valued: /^--(env|path|token|projectId)$/ }],
  ['conda', IN_AN_ENVIRONMENT],
  ['mamba', IN_AN_ENVIRONMENT],
  ['micromamba', IN_AN_ENVIRONMENT],
  ['mise', { after: /^(exec|x)$/ }],
  ['rtx', { after: /^(exec|x)$/ }],
  ['asdf', { after: /^exec$/ }],
  ['fnm', { after: /^exec$/, valued: /^--using$/ }],
  ['direnv', { after: /^exec$/, words: 1 }],
]);

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

/**
 * Program and arguments to be shown. Of a whole line that was written as the command each word is an argument: what stands
 * before its last slash would be no part of what is told, though it is launched.
 */
export function writtenWords(
  command: string,
  args: readonly string[],
): { program: string; args: string[] } {
  const [program = '', ...own] = splitCommand(command);
  return { program, args: [...own, ...args] };
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
    const at = rest.findIndex((word) => !/^\/[a-bd-jl-z](:\w+)?$/i.test(word));
    return /^\/[ck]$/i.test(rest[at] ?? '') ? simpleCommand(rest.slice(at + 1)) : null;
  }
  if (SHELLS.has(program)) {
    return /^-l?i?c$/.test(rest[0] ?? '') ? simpleCommand(rest.slice(1, 2)) : null;
  }
  if (POWERSHELLS.has(program)) {
    const at = rest.findIndex((word) => /^-c(ommand)?$/i.test(word));
    return at < 0 ? null : simpleCommand(rest.slice(at + 1));
  }
  // Behind `--`, and where a user is named by an option, it is the other program's.
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const isPlain = program === 'runuser' && own.some((word) => /^(-u|--user)/.test(word));
  if (TAKE_A_LINE.has(program) && !isPlain) {
    const at = own.findIndex((word) => /^(-c|--command)$/.test(word));
    if (at >= 0) return simpleCommand(own.slice(at + 1, at + 2));
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

/** Commands that only make ready for the next one. */
const MAKES_READY = /^\s*(cd|source|\.|export|set|nvm|unset|umask|ulimit)(\s[^;&|<>$`\n("']*)?$/;

/** A script of several commands stays the shell's, but where all before the last only make ready. */
function simpleCommand(given: string[]): string[] | null {
  const parts = given.length === 1 ? (given[0] ?? '').split(/&&|;/) : [];
  const isPrepared = parts.length > 1 && parts.slice(0, -1).every((part) => MAKES_READY.test(part));
  const words = isPrepared ? [(parts.at(-1) ?? '').trim()] : given;
  if (words.length === 0 || words.some((word) => /[;&|<>$`\n(]/.test(word))) return null;
  return words.length === 1 ? splitWords(words[0] ?? '') : words;
}

function afterWrapper(program: string, rest: string[]): string[] | null {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return null;
  const { after, valued } = wrapper;
  let left = wrapper.words ?? 0;
  const from = after === undefined ? 0 : rest.findIndex((one) => after.test(one)) + 1;
  if (after !== undefined) {
    if (from === 0) return null;
    // `mise exec node@22 -- npx …`: what stands before is which versions.
    const dashes = rest.indexOf('--', from);
    if (dashes >= 0) return rest.slice(dashes + 1);
  }
  for (let at = from; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (valued?.test(word)) at++;
    else if (word.startsWith('-') || ASSIGNMENT.test(word)) continue;
    else if (left-- === 0) return rest.slice(at);
  }
  return null;
}
