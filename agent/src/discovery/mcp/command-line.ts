// Command lines as words: configurations contain them as a list, as a text, or pass them to a shell. Pure.

const MAX_TEXT = 8192;
export const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The words of a simple command; quotes as a shell takes them. */
export function splitWords(text: string): string[] {
  const words = text
    .slice(0, MAX_TEXT)
    .match(/[^\s"'=]+="[^"]*"|[^\s"'=]+='[^']*'|"[^"]*"|'[^']*'|[^\s"']+/g);
  return (words ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2').replace(/^([^\s"'=]+=)(["'])(.*)\2$/, '$1$3'),
  );
}

/**
 * Splits a complete command line in the place of a command; a program's path may contain spaces. Variables before it:
 * `env`.
 */
export function splitCommand(command: string): string[] {
  const text = command.trim();
  if (!/\s/.test(text)) return [text];
  const path =
    /^[A-Za-z]:[\\/].*?\.(?:exe|cmd|bat|ps1)(?=\s|$)/i.exec(text)?.[0] ??
    // A path with spaces ends with the last word that contains a slash and starts with neither dash nor slash.
    /^[~/][^\s"']*(?: [^\s"'/=-][^\s"'=]*\/[^\s"']*)+/.exec(text)?.[0];
  const words =
    path === undefined ? splitWords(text) : [path, ...splitWords(text.slice(path.length))];
  return ASSIGNMENT.test(words[0] ?? '') ? ['env', ...words] : words;
}

/**
 * Program and arguments to be shown. Of a whole line that was written as the command each word is an argument: the words
 * before its last slash would be left out, though they are launched.
 */
export function writtenWords(
  command: string,
  args: readonly string[],
): { program: string; args: string[] } {
  const [program = '', ...own] = splitCommand(command);
  return { program, args: [...own, ...args] };
}

/** A command that a shell is given, and the folder that it is started in. */
export interface ShellCommand {
  words: string[];
  directory: string | null;
}

/** Commands that only prepare the next command. */
const PREPARES = new Set([
  ...['cd', 'pushd', 'source', '.', 'export', 'set', 'nvm', 'unset', 'umask', 'ulimit'],
  ...['true', ':', 'sleep'],
]);
/** The parts of a script: quoted text, signs between commands, redirections, and everything else. */
const SHELL_TOKENS =
  /\s+|'[^']*'|"(?:[^"\\]|\\.)*"|&&|\|\||\d?>>?&?|<<?|&>|[;&|\n()]|(?:[^\s'"\\;&|<>()]|\\.)+|["'\\]/gs;

/**
 * Returns the last command of a shell's script, where all commands before it only prepare it. Null for a script with
 * more: pipes, alternatives, substitutions.
 */
export function readShellScript(text: string): ShellCommand | null {
  // Behind the part that is read there could be anything.
  const commands = text.length > MAX_TEXT ? null : readCommands(text);
  const last = commands?.pop();
  if (commands == null || last === undefined) return null;
  if (!commands.every(onlyPrepares)) return null;
  const folders = commands.filter(([program]) => program === 'cd' || program === 'pushd');
  return {
    words: last,
    directory: folders.at(-1)?.find((word, at) => at > 0 && !/^-./.test(word)) ?? null,
  };
}

/** Returns true for a command that starts no program, and for variables that are set. */
const onlyPrepares = (words: readonly string[]): boolean =>
  PREPARES.has(words[0] ?? '') || words.every((word) => ASSIGNMENT.test(word));

/** Returns the commands that run one after the other; null for a script with more. */
function readCommands(text: string): string[][] | null {
  // A substitution runs a command of its own.
  if (/`|\$\(|<\(/.test(text)) return null;
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  let isTarget = false;
  const endWord = () => {
    if (word !== null && !isTarget) words.push(word);
    if (word !== null) isTarget = false;
    word = null;
  };
  for (const [token] of text.matchAll(SHELL_TOKENS)) {
    if (/^(?:\|\|?|&|\(|\)|<<)$/.test(token) || /^["'\\]$/.test(token)) return null;
    if (/^(?:&&|;|\s*\n\s*)$/.test(token)) {
      endWord();
      if (words.length > 0) commands.push(words);
      words = [];
    } else if (/^\s/.test(token)) endWord();
    else if (/^(?:\d?>>?&?|<|&>)$/.test(token)) {
      endWord();
      isTarget = true;
    } else word = (word ?? '') + unquote(token);
  }
  endWord();
  if (words.length > 0) commands.push(words);
  return commands;
}

function unquote(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\(["\\$`])/g, '$1');
  // Paths of Windows are written with the sign that a shell escapes by.
  return token.replace(/\\([\s"'\\;&|<>()$])/g, '$1');
}
