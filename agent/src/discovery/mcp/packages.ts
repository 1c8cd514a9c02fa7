// Package runners: `npx`, `uvx` and their relatives fetch a package and run a program of it. Pure.
import { NODE_RUNNERS, PYTHON_RUNNERS, programName } from '@gatewarden/shared/launchers.ts';
import { redactArguments } from '../redaction/argument-redaction.ts';
import { REDACTED, redactUrl } from '../redaction/url-redaction.ts';
import { consistsOfWords } from '../redaction/word-groups.ts';
import {
  GO_VALUE_FLAGS,
  NIX_VALUE_FLAGS,
  NODE_VALUE_FLAGS,
  NUGET_VALUE_FLAGS,
  PYTHON_VALUE_FLAGS,
} from './option-values.ts';

export type Registry = 'npm' | 'pypi' | 'jsr' | 'nuget' | 'go' | 'nix';

/** The package that a runner is asked to run. */
export interface PackageRun {
  runner: string;
  registry: Registry;
  /** The package with its version. */
  spec: string;
  /** The word that names the package, as it is written. */
  word: string;
  /** The program of the package; null: the package's own. */
  bin: string | null;
  /** The words behind the package or its program. */
  args: string[];
  /** Option with a command line that runs among the packages, as a text. */
  call: string | null;
  /** All packages that are fetched, where they are several. */
  packages: string[];
}

interface Runner {
  registry: Registry;
  /** Words before the package; none for a program that only runs packages. */
  words?: readonly (readonly string[])[];
  /** Options that name the package, where the first word names a program of it. */
  named?: RegExp;
  /** Options that take the next word. */
  valued: ReadonlySet<string>;
  /** Options that contain a command line. */
  call?: RegExp;
}

const NODE: Runner = {
  registry: 'npm',
  named: /^(-p|--package)$/,
  valued: NODE_VALUE_FLAGS,
  call: /^(-c|--call)$/,
};
const PYTHON: Runner = { registry: 'pypi', named: /^--(from|spec)$/, valued: PYTHON_VALUE_FLAGS };

/** Package runners by the name of their executable. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ...[...NODE_RUNNERS].map((name): [string, Runner] => [name, NODE]),
  ...[...PYTHON_RUNNERS].map((name): [string, Runner] => [name, PYTHON]),
  ['npm', { ...NODE, words: [['exec'], ['x']] }],
  ['pnpm', { ...NODE, words: [['dlx'], ['exec']] }],
  ['yarn', { ...NODE, words: [['dlx'], ['exec']] }],
  ['bun', { ...NODE, words: [['x']] }],
  ['uv', { ...PYTHON, words: [['tool', 'run']] }],
  ['pipx', { ...PYTHON, words: [['run']] }],
  ['dnx', { registry: 'nuget', valued: NUGET_VALUE_FLAGS }],
  ['go', { registry: 'go', words: [['run']], valued: GO_VALUE_FLAGS }],
  ['nix', { registry: 'nix', words: [['run']], valued: NIX_VALUE_FLAGS }],
]);

/** Reads the package that a command line runs; null where it runs none. */
export function readPackageRun(words: readonly string[]): PackageRun | null {
  const runner = programName(words[0] ?? '');
  if (runner === 'deno' || runner === 'bun') {
    const scheme = readScheme(runner, words.slice(1));
    if (scheme !== null) return scheme;
  }
  const rules = RUNNERS.get(runner);
  if (rules === undefined) return null;
  const args = behindOwnWords(words.slice(1), rules);
  if (args === null) return null;
  const run = readPackage(runner, rules, args);
  // Go runs folders, too.
  return run?.registry === 'go' && !/^[\w-]+(\.[\w-]+)+\//.test(run.spec) ? null : run;
}

/** `npm:…` and `jsr:…` as these programs take them in place of a script. */
function readScheme(runner: string, words: readonly string[]): PackageRun | null {
  const at = words.findIndex((word) => /^(npm|jsr):./.test(word));
  // A file of the package may follow.
  const [, registry, spec = ''] = /^(npm|jsr):\/?((?:@[^/]+\/)?[^/]+)/.exec(words[at] ?? '') ?? [];
  if (registry !== 'npm' && registry !== 'jsr') return null;
  const word = words[at] ?? '';
  const args = words.slice(at + 1);
  return { runner, registry, spec, word, bin: null, args, call: null, packages: [] };
}

/** The words behind `dlx`, `tool run` and the like; null where the program is asked for something else. */
function behindOwnWords(args: readonly string[], rules: Runner): readonly string[] | null {
  if (rules.words === undefined) return args;
  const at = args.findIndex(
    (arg, index) => !arg.startsWith('-') && !rules.valued.has(args[index - 1] ?? ''),
  );
  for (const own of rules.words) {
    if (at >= 0 && own.every((word, index) => args[at + index] === word)) {
      return [...args.slice(0, at), ...args.slice(at + own.length)];
    }
  }
  return null;
}

function readPackage(runner: string, rules: Runner, args: readonly string[]): PackageRun | null {
  const { named, call, at } = readOptions(rules, args);
  const first = args[at];
  const rest = args.slice(at + 1);
  const packages = named.length > 1 ? named : [];
  const common = { runner, registry: rules.registry, call, packages };
  // `-p a -p b b-tool`: the package that is called like the program provides it.
  const spec = named.find((option) => first !== undefined && option.includes(first)) ?? named[0];
  if (spec !== undefined && spec !== '') {
    return { ...common, spec, word: spec, bin: first ?? null, args: rest };
  }
  if (first !== undefined) return { ...common, spec: first, word: first, bin: null, args: rest };
  return call === null ? null : { ...common, spec: '', word: '', bin: null, args: [] };
}

interface RunnerOptions {
  named: string[];
  call: string | null;
  /** Returns the first word that is neither an option nor the value of an option. */
  at: number;
}

function readOptions(rules: Runner, args: readonly string[]): RunnerOptions {
  const read: RunnerOptions = { named: [], call: null, at: 0 };
  const isSecret = secretsAmong(args);
  for (; read.at < args.length; read.at++) {
    const arg = args[read.at] ?? '';
    const [, option = arg, joined] = /^(--?[\w-]+)=(.+)$/s.exec(arg) ?? [];
    const isNamed = rules.named?.test(option) === true;
    const isCall = rules.call?.test(option) === true;
    const value = joined ?? args[read.at + 1] ?? '';
    if (isNamed) read.named.push(value);
    if (isCall) read.call = value;
    const takesNext = joined === undefined && (isNamed || isCall || rules.valued.has(arg));
    if (takesNext) read.at++;
    else if (!arg.startsWith('-') && !isSecret(read.at)) break;
  }
  return read;
}

/** A secret behind an option that the table does not know is no package. */
function secretsAmong(args: readonly string[]): (at: number) => boolean {
  const cut = redactArguments(args, 'named');
  return (at) =>
    cut[at] === REDACTED ||
    (/^-/.test(args[at - 1] ?? '') && !consistsOfWords(args[at] ?? '', 'package'));
}

/** Words of a package: its name, and its version where that is fixed. */
export interface PackageName {
  name: string;
  version: string | null;
}

/** `name@1.2.3`, `name==1.2.3`, `name[extra]`, `alias@npm:name@1`: the name, and the version where it is fixed. */
export function readPackageName(spec: string): PackageName {
  const real = /^[^@/][^@]*@npm:(.+)$/.exec(spec)?.[1] ?? spec;
  const found = /^(@?[^@=<>~!^[\s;]+)(?:\[[^\]]*\])?\s*(?:(?:@|={2,3})\s*([^\s,;]*))?/.exec(real);
  const version = found?.[2] ?? null;
  const fixed = version !== null && /^v?\d+\.\d+[\w.+-]*$/.test(version);
  return { name: found?.[1] ?? real, version: fixed ? version : null };
}

/** Returns a package's name in the normal form of its registry. */
export function normalizeName(registry: Registry, name: string): string {
  if (registry === 'pypi') return normalisePython(name);
  return registry === 'go' || registry === 'nix' ? name : name.toLowerCase();
}

/** Returns the normal form of a Python package's name (PEP 503). */
export function normalisePython(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** A repository that a package is fetched from, as host and path; null for a package of a registry. */
export function readRepository(registry: Registry, spec: string): string | null {
  const source =
    /^[\w.-]+(?:\[[^\]]*\])?\s*@\s*((?:git\+)?[a-z+]+:\/\/.+)$/i.exec(spec)?.[1] ?? spec;
  if (registry === 'npm' && /^[\w-]+\/[\w.-]+(#.*)?$/.test(source)) {
    return `github.com/${source.replace(/#.*/, '')}`;
  }
  const short = /^(github|gitlab|bitbucket):([\w.-]+\/[\w.-]+)/.exec(source);
  if (short !== null) return `${short[1]}.${short[1] === 'bitbucket' ? 'org' : 'com'}/${short[2]}`;
  const host = /^[\w.-]+@([\w.-]+):([\w./-]+)$/.exec(source);
  if (host !== null) return `${host[1]}/${host[2]}`.replace(/\.git$/, '');
  if (!/^(?:git\+)?[a-z+]+:\/\//i.test(source) || /^(?:npm|jsr|file):/i.test(source)) return null;
  const [, place = ''] =
    /^[a-z+]+:\/\/([^?#]*)/i.exec(redactUrl(source.replace(/^git\+/, ''), 'named')) ?? [];
  const rest = source.slice(source.search(/[?#]/) >>> 0);
  const folder = /subdirectory=([^&]+)/.exec(rest)?.[1];
  const repository = place
    .replace(/\.git(@.*)?$/, '')
    .replace(/@[^/]*$/, '')
    .replace(/\/+$/, '');
  return folder === undefined ? repository : `${repository}/${folder}`;
}
