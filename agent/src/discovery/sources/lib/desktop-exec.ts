// The `Exec` line of a desktop entry: which program it starts, by the rules of the Desktop Entry Specification.

/**
 * Splits an Exec value into arguments: quotes and escapes undone, field codes dropped.
 * Null where a quote is never closed. Never throws.
 */
export function splitExec(exec: string): string[] | null {
  const words: string[] = [];
  let word = '';
  let open = false;
  let quoted = false;
  for (let i = 0; i < exec.length; i++) {
    const c = exec.charAt(i);
    if (quoted) {
      if (c === '"') quoted = false;
      else if (c === '\\' && i + 1 < exec.length) word += exec.charAt(++i);
      else word += c;
    } else if (c === '"') {
      quoted = true;
      open = true;
    } else if (c === '\\' && i + 1 < exec.length) {
      word += exec.charAt(++i);
      open = true;
    } else if (c === ' ' || c === '\t') {
      if (open) words.push(word);
      word = '';
      open = false;
    } else if (c === '%' && i + 1 < exec.length) {
      // `%%` is a percent sign; every other code represents files, addresses or names that are not the program's.
      if (exec.charAt(++i) === '%') {
        word += '%';
        open = true;
      }
    } else {
      word += c;
      open = true;
    }
  }
  if (quoted) return null;
  if (open) words.push(word);
  return words;
}

export interface LaunchedProgram {
  /** A path or a name to look up in PATH. */
  program: string;
  /** The application's id where a runner starts it; then the program is the runner's and not the application's. */
  flatpakId: string | null;
}

/** The program an Exec value starts, with `env` and its assignments taken off; null where there is none. */
export function findProgram(exec: string): LaunchedProgram | null {
  const words = splitExec(exec);
  if (words === null) return null;
  let at = 0;
  if (baseName(words[at] ?? '') === 'env') at = skipEnv(words, at + 1);
  const program = words[at];
  if (program === undefined || program === '' || program.includes('\0')) return null;
  if (baseName(program) !== 'flatpak') return { program, flatpakId: null };
  const run = words.indexOf('run', at + 1);
  const id = run < 0 ? undefined : words.slice(run + 1).find((word) => !word.startsWith('-'));
  return { program, flatpakId: id ?? null };
}

/** Past the options and assignments of `env`: their values never leave this function. */
function skipEnv(words: readonly string[], from: number): number {
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return at + 1;
    if (['-u', '--unset', '-C', '--chdir'].includes(word)) at++;
    else if (!word.startsWith('-') && !/^[^=/]+=/.test(word)) break;
  }
  return at;
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
