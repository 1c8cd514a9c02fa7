// The `Exec` line of a desktop entry: which program it starts, by the rules of the Desktop Entry Specification.

/**
 * Splits an Exec value into arguments: quotes and escapes undone, field codes dropped.
 * Null where a quote is never closed. Never throws.
 */
export function splitExec(exec: string): string[] | null {
  const words: string[] = [];
  /** The text of the current word; null between words. */
  let word: string | null = null;
  for (let at = 0; at < exec.length; ) {
    const unit = readUnit(exec, at);
    if (unit === null) return null;
    at = unit.end;
    if (unit.is === 'text') word = (word ?? '') + unit.text;
    else if (unit.is === 'blank' && word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}

type Unit = { end: number } & ({ is: 'text'; text: string } | { is: 'blank' | 'field code' });

/** Reads a character, an escape, a quoted text or a field code; null for a quote that is never closed. */
function readUnit(exec: string, at: number): Unit | null {
  const c = exec.charAt(at);
  const next = exec.charAt(at + 1);
  if (c === '"') return readQuoted(exec, at + 1);
  if (c === ' ' || c === '\t') return { is: 'blank', end: at + 1 };
  if (next !== '' && c === '\\') return { is: 'text', text: next, end: at + 2 };
  if (next !== '' && c === '%') {
    // `%%` is a percent sign; every other code represents files, addresses or names that are not the program's.
    return next === '%'
      ? { is: 'text', text: '%', end: at + 2 }
      : { is: 'field code', end: at + 2 };
  }
  return { is: 'text', text: c, end: at + 1 };
}

function readQuoted(exec: string, from: number): Unit | null {
  let text = '';
  for (let at = from; at < exec.length; at++) {
    const c = exec.charAt(at);
    if (c === '"') return { is: 'text', text, end: at + 1 };
    text += c === '\\' && at + 1 < exec.length ? exec.charAt(++at) : c;
  }
  return null;
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
