// `uv run`: a script, a module, or a program of the project or of a package that is installed beside it. Pure.
import { programName } from '@gatewarden/shared/launchers.ts';
import { PYTHON_VALUE_FLAGS } from './option-values.ts';
import { normalizeName, readPackageName } from './packages.ts';
import { launchOf, type ParsedLaunch } from './target.ts';
import { joinFolders } from './wrappers.ts';

/** The words of `uv run` without its options. */
interface UvRun {
  /** The command, with a module as Python takes it. */
  command: string[];
  directory: string | null;
  /** Packages that are installed for it. */
  packages: string[];
}

/** Reads the options of `uv run`; null for a command line that is none. */
export function readUvRun(words: readonly string[]): UvRun | null {
  const at = words.indexOf('run');
  if (programName(words[0] ?? '') !== 'uv' || at < 0 || words[at - 1] === 'tool') return null;
  const run: UvRun = { command: [], directory: null, packages: [] };
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    if (/^(-m|--module)$/.test(word)) {
      return { ...run, command: ['python', '-m', ...words.slice(index + 1)] };
    }
    if (index > at && !word.startsWith('-')) return { ...run, command: words.slice(index) };
    if (readOption(run, word, words[index + 1] ?? '')) index++;
  }
  return run;
}

/** Reads an option; true where it takes the next word. */
function readOption(run: UvRun, word: string, next: string): boolean {
  const [, option = word, joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  const value = joined ?? next;
  if (option === '--with') run.packages.push(...value.split(','));
  if (option === '--directory' || option === '--project') {
    run.directory = joinFolders(run.directory, value);
  }
  return joined === undefined && PYTHON_VALUE_FLAGS.has(option);
}

/** A script that is named alone. */
export function readUvScript({ command }: UvRun): ParsedLaunch | null {
  const [path = ''] = command;
  return /\.pyw?$/.test(path) ? launchOf('python', { kind: 'script', path }, { word: path }) : null;
}

/** The package that provides the program or the module of a launch; null where the project does. */
export function providingPackage({ packages }: UvRun, { target }: ParsedLaunch): string | null {
  const named =
    target.kind === 'module' ? target.name : target.kind === 'program' ? target.path : null;
  // A program with a folder before it is of no package.
  if (named === null || /[\\/]/.test(named)) return null;
  const nameOf = (spec: string) => normalizeName('pypi', readPackageName(spec).name);
  const wanted = normalizeName('pypi', named.split('.', 1)[0] ?? '');
  const same = packages.find((spec) => nameOf(spec) === wanted);
  const isOnly = target.kind === 'program' && packages.length === 1;
  return same ?? (isOnly ? (packages[0] ?? null) : null);
}
