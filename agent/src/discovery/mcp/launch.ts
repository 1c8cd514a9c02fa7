// Reads a configured launch: wrappers are looked through, then the words name a runner and its target. Pure, and the raw
// text throughout: what may be shown of it is decided in `names.ts`.
import {
  interpreterOptions,
  isLauncher,
  programName,
  SHELLS,
} from '@gatewarden/shared/launchers.ts';
import { withoutHomes } from '../homes.ts';
import { behindPlaceholders, belowProjectRoot, withHomeAsTilde } from '../placeholders.ts';
import { splitCommand } from './command-line.ts';
import { CONTAINER_RUNTIMES, readContainerExec, readContainerRun } from './containers.ts';
import { GO_VALUE_FLAGS, PYTHON_VALUE_FLAGS } from './option-values.ts';
import {
  normalizeName,
  type PackageRun,
  type Registry,
  readPackageName,
  readPackageRun,
  readRepository,
} from './packages.ts';
import { readConsoleTask, readTask, type TaskRun } from './tasks.ts';
import { isWrapperPackage, joinFolders, unwrap } from './wrappers.ts';

export interface ServerDefinition {
  command: string | null;
  args: string[];
  url: string | null;
  /** The folder that the client starts it in; null: the client's own choice. */
  cwd?: string | null;
}

/** What runs in the end. All texts are raw. */
export type Target =
  | { kind: 'package'; registry: Registry | 'smithery'; name: string; version: string | null }
  | { kind: 'repository'; place: string }
  | { kind: 'image'; image: string }
  | { kind: 'address'; url: string }
  | { kind: 'script'; path: string }
  | { kind: 'module'; name: string }
  | { kind: 'task'; name: string }
  | { kind: 'code'; text: string }
  | { kind: 'program'; path: string; args: string[] };

export interface ParsedLaunch {
  /** The program that runs the target, as people call it: `npx`, `node`, `php artisan`. */
  runner: string;
  /** The program whose process it is. */
  command: string;
  target: Target;
  /** The word of the configuration that names the target. */
  word: string | null;
  /** The folder that a relative target lies in, as it is written; null: the folder of the configuration's project. */
  directory: string | null;
  /** The target comes from its project, though no path says so. */
  inProject: boolean;
  /** Words beside the target that decide which code runs. */
  context: string[];
  /** The container that the target runs in. */
  container: Container | null;
}

export type Container =
  | { kind: 'image'; word: string }
  | { kind: 'running'; runtime: string; word: string };

/** The definition without the account's name, as paths are hashed and shown everywhere: its person's home as `~`. */
export function plainDefinition(
  server: ServerDefinition,
  home: readonly string[],
): ServerDefinition {
  const tilde = (text: string) => withHomeAsTilde(withoutHomes(text, home, '~'));
  return {
    command: server.command === null ? null : tilde(server.command),
    args: server.args.map(tilde),
    url: server.url,
    cwd: server.cwd == null ? null : tilde(server.cwd),
  };
}

/** The command that is started in the end: the words behind `env`, shells and the like. */
export function launchedWords(command: string, args: readonly string[]): string[] {
  return unwrap([...splitCommand(command), ...args]).words;
}

/** Reads a definition; null where it names neither a command nor a URL. */
export function parseLaunch(server: ServerDefinition): ParsedLaunch | null {
  if (server.command === null || server.command.trim() === '') {
    return server.url === null ? null : parseAddress(server.url);
  }
  const words = [...splitCommand(server.command), ...server.args];
  return parseWords(words, server.cwd ?? null);
}

function parseWords(written: string[], cwd: string | null): ParsedLaunch {
  const unwrapped = unwrap(written);
  const base = joinFolders(cwd, unwrapped.directory);
  if (unwrapped.bridge !== null) return parseAddress(unwrapped.words[0] ?? '', unwrapped.bridge);
  const launch = parseUnwrapped(unwrapped.words);
  return {
    ...launch,
    directory: joinFolders(base, launch.directory),
    inProject: launch.inProject || unwrapped.inProject,
  };
}

const launchOf = (
  runner: string,
  target: Target,
  more: Partial<ParsedLaunch> = {},
): ParsedLaunch => ({
  runner,
  command: runner.split(' ', 1)[0] ?? runner,
  target,
  word: null,
  directory: null,
  inProject: false,
  context: [],
  container: null,
  ...more,
});

const parseAddress = (url: string, runner = ''): ParsedLaunch =>
  launchOf(runner, { kind: 'address', url }, { word: url });

/** The readers of a command line, one after the other: the first that knows its program decides. */
function parseUnwrapped(words: string[]): ParsedLaunch {
  return (
    parseContainer(words) ??
    parseUv(words) ??
    parsePackage(words) ??
    parseLauncher(words) ??
    parseTask(words) ??
    parseScriptRunner(words) ??
    parseInterpreter(words) ??
    parseProgram(words)
  );
}

function parseContainer(words: readonly string[]): ParsedLaunch | null {
  const program = programName(words[0] ?? '');
  if (!CONTAINER_RUNTIMES.has(program)) return null;
  const exec = readContainerExec(words.slice(1));
  if (exec !== null) {
    return inContainer({ kind: 'running', runtime: 'docker exec', word: exec.name }, exec.command);
  }
  const run = readContainerRun(words.slice(1));
  if (run === null) return null;
  const image = launchOf('docker', { kind: 'image', image: run.image }, { word: run.image });
  // Words that are no launch of their own are the image's arguments.
  return inContainer({ kind: 'image', word: run.image }, run.command) ?? image;
}

/** A launch inside of a container; null for words that are none. A package is the same in every container. */
function inContainer(container: Container, command: string[]): ParsedLaunch | null {
  if (command.length === 0) return null;
  const inner = parseWords(command, null);
  if (inner.target.kind === 'program' && inner.context.length === 0) return null;
  const isElsewhere = /^(package|repository|address)$/.test(inner.target.kind);
  return {
    ...inner,
    command: 'docker',
    directory: null,
    container: isElsewhere ? null : container,
  };
}

/** `uv run`: a script, a module, or a program of the project or of a package that is installed beside it. */
function parseUv(words: readonly string[]): ParsedLaunch | null {
  const at = words.indexOf('run');
  if (programName(words[0] ?? '') !== 'uv' || at < 0 || words.slice(1, at).includes('tool'))
    return null;
  let directory: string | null = null;
  let module: string | null = null;
  const packages: string[] = [];
  let index = 1;
  for (; index < words.length; index++) {
    const word = words[index] ?? '';
    const [, option = word, joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const takesNext = joined === undefined && PYTHON_VALUE_FLAGS.has(option);
    const value = joined ?? words[index + 1] ?? '';
    if (option === '--with') packages.push(...value.split(','));
    if (option === '--directory' || option === '--project')
      directory = joinFolders(directory, value);
    if (takesNext) index++;
    else if (/^(-m|--module)$/.test(word)) module = words[++index] ?? null;
    else if (index > at && (module !== null || !word.startsWith('-'))) break;
    if (module !== null) break;
  }
  const rest = words.slice(module === null ? index : index + 1);
  const inner = module === null ? rest : ['python', '-m', module, ...rest];
  return { ...parseUvCommand(inner, packages), command: 'uv', directory, inProject: true };
}

function parseUvCommand(words: string[], packages: readonly string[]): ParsedLaunch {
  const [script = ''] = words;
  if (/\.pyw?$/.test(script)) {
    return launchOf('python', { kind: 'script', path: script }, { word: script });
  }
  const inner = parseWords(words, null);
  const { target } = inner;
  const named =
    target.kind === 'module' ? target.name : target.kind === 'program' ? target.path : null;
  // A program with a folder before it is of no package.
  if (named === null || /[\\/]/.test(named)) return inner;
  const names = packages.map(
    (one) => [one, normalizeName('pypi', readPackageName(one).name)] as const,
  );
  const same = names.find(
    ([, name]) => name === normalizeName('pypi', named.split('.', 1)[0] ?? ''),
  );
  const [spec] = same ?? (target.kind === 'program' && names.length === 1 ? (names[0] ?? []) : []);
  return spec === undefined ? inner : packageLaunch('uv', 'pypi', spec);
}

function parsePackage(words: readonly string[]): ParsedLaunch | null {
  const run = readPackageRun(words);
  if (run === null || run.spec === '') return null;
  const launch = { ...packageLaunch(run.runner, run.registry, run.spec), word: run.word };
  const opaque = opaqueCommand(run);
  return opaque === null ? launch : { ...launch, context: opaque };
}

/** A package by its name; one from a repository by the repository; one from the disk by its path. */
function packageLaunch(runner: string, registry: Registry, spec: string): ParsedLaunch {
  const local = spec.replace(/^file:(\/\/)?/, '');
  if (local !== spec || /^(\.{0,2}[\\/]|~|\.{1,2}$|[A-Za-z]:[\\/])/.test(spec)) {
    return launchOf(runner, { kind: 'script', path: local }, { word: spec });
  }
  const place = registry === 'nix' ? null : readRepository(registry, spec);
  if (place !== null) return launchOf(runner, { kind: 'repository', place }, { word: spec });
  const { name, version } =
    registry === 'nix' ? { name: spec, version: null } : readPackageName(spec);
  return launchOf(
    runner,
    { kind: 'package', registry, name: normalizeName(registry, name), version },
    { word: spec },
  );
}

/** The words of an inner command that no rule could read; null where the package runs none. */
function opaqueCommand({ registry, spec, args }: PackageRun): string[] | null {
  if (isWrapperPackage(registry, spec)) return args;
  const at = args.findIndex(
    (arg, index) =>
      isCommandLine(arg) || (isLauncherWord(arg) && (index === 0 || args[index - 1] === '--')),
  );
  return at < 0 ? null : args.slice(at);
}

/** Launchers that fetch a server by its name from a registry of servers. */
const LAUNCHERS: ReadonlyMap<string, RegExp> = new Map([
  ['smithery', /^run$/],
  ['mcpm', /^run$/],
]);

function parseLauncher(words: readonly string[]): ParsedLaunch | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  const after = LAUNCHERS.get(program);
  const at = after === undefined ? -1 : args.findIndex((arg) => after.test(arg));
  // The value of an option may be a secret.
  const own = args.slice(at + 1);
  const spec =
    at < 0
      ? undefined
      : own.find((arg, index) => !arg.startsWith('-') && !/^--\w[^=]*$/.test(own[index - 1] ?? ''));
  if (spec === undefined) return null;
  const { name, version } = readPackageName(spec);
  return launchOf(
    program,
    { kind: 'package', registry: 'smithery', name: name.toLowerCase(), version },
    { word: spec, ...(program === 'smithery' ? {} : { context: [program] }) },
  );
}

function parseTask(words: readonly string[]): ParsedLaunch | null {
  const task = readTask(words);
  // `bun run index.ts` is a script.
  return task === null || (task.runner === 'bun' && /[./\\]/.test(task.task))
    ? null
    : taskLaunch(task);
}

function taskLaunch({ runner, task, directory, context, command }: TaskRun): ParsedLaunch {
  const service =
    runner === 'docker compose'
      ? inContainer({ kind: 'running', runtime: runner, word: task }, command)
      : null;
  if (service !== null) {
    return { ...service, directory, context: [...context, ...service.context], inProject: true };
  }
  return launchOf(
    runner,
    { kind: 'task', name: task },
    { word: task, directory, context: [...context, ...command], inProject: true },
  );
}

/** Programs that run a script or a module that one of their words names. */
const SCRIPT_RUNNERS: ReadonlyMap<string, 'script' | 'module'> = new Map([
  ['mcp', 'script'],
  ['fastmcp', 'script'],
  ['go', 'script'],
  ['streamlit', 'script'],
  ['chainlit', 'script'],
  ['uvicorn', 'module'],
  ['gunicorn', 'module'],
  ['hypercorn', 'module'],
]);

function parseScriptRunner(words: readonly string[]): ParsedLaunch | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  const kind = SCRIPT_RUNNERS.get(program);
  const word = args.find(
    (arg, at) =>
      !arg.startsWith('-') &&
      !/^(run|dev|install)$/.test(arg) &&
      !(program === 'go' && GO_VALUE_FLAGS.has(args[at - 1] ?? '')),
  );
  if (kind === undefined || word === undefined) return null;
  if (kind === 'module') return launchOf(program, { kind, name: word }, { word, inProject: true });
  if (!/[./\\]/.test(word)) return null;
  if (/^https?:/.test(word)) return parseAddress(word, program);
  // `server.py:mcp` names the object in it, too.
  const path = word.replace(/(\.py):\w+$/, '$1');
  const name = program === 'go' ? 'go' : 'python';
  const folder = program === 'go' ? args.indexOf('-C') : -1;
  const directory = folder < 0 ? null : (args[folder + 1] ?? null);
  return launchOf(name, { kind: 'script', path }, { word, directory, inProject: true });
}

/** One interpreter has many names: with a version, without, and Windows' own. */
function interpreterName(program: string): string {
  if (/^(python[\d.]*[td]?|py|pythonw)$/.test(program)) return 'python';
  return /^node(js)?(-\d+)?$/.test(program) ? 'node' : program;
}

function parseInterpreter(words: readonly string[]): ParsedLaunch | null {
  const [command = '', ...args] = words;
  const program = programName(command);
  if (/^(powershell|pwsh)$/.test(program)) return parsePowerShell(program, args);
  const options = interpreterOptions(program);
  if (options === null) return null;
  const name = interpreterName(program);
  const context: string[] = [];
  let directory: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (options.code.has(arg) || (SHELLS.has(program) && /^-[a-z]*c$/.test(arg))) {
      return launchOf(name, { kind: 'code', text: args.slice(at).join('\0') });
    }
    if (options.module.has(arg) && args[at + 1] !== undefined) {
      const word = args[at + 1] ?? '';
      return launchOf(name, { kind: 'module', name: word }, { word, context, inProject: true });
    }
    if (program === 'bun' && arg === '--cwd') directory = args[++at] ?? null;
    else if (options.valued.has(arg) || (SHELLS.has(program) && /^-[a-z]*o$/.test(arg))) {
      // Java finds its classes there.
      if (program === 'java') context.push(arg, args[at + 1] ?? '');
      at++;
    } else if (arg.startsWith('-') || arg === '') continue;
    else if (/^(run|exec)$/.test(arg) && /^(bun|deno|dotnet)$/.test(program)) continue;
    else if (/^(https?):\/\//.test(arg)) return parseAddress(arg, name);
    else {
      const task = readConsoleTask(name, arg, args.slice(at + 1));
      if (task !== null) return taskLaunch(task);
      return launchOf(name, { kind: 'script', path: arg }, { word: arg, context, directory });
    }
  }
  return args.length === 0 ? null : launchOf(name, { kind: 'code', text: args.join('\0') });
}

function parsePowerShell(program: string, args: readonly string[]): ParsedLaunch {
  const file = args.findIndex((arg) => /^-f(ile)?$/i.test(arg));
  const path = args[file + 1];
  if (file >= 0 && path !== undefined) {
    return launchOf(program, { kind: 'script', path }, { word: path });
  }
  return launchOf(program, { kind: 'code', text: args.join('\0') });
}

function parseProgram(words: readonly string[]): ParsedLaunch {
  const [path = '', ...args] = words;
  const program = programName(path);
  // The words of a command inside of this one say what runs, and no rule here reads them.
  const inner = args.findIndex((arg) => arg === '--' || isCommandLine(arg) || isLauncherWord(arg));
  // A runner whose package nobody could read is told apart by all of its words.
  const context = isLauncher(program) ? args : inner < 0 ? [] : args.slice(inner);
  const inProject = args.some((arg) => isCodeFile(arg) && projectPath(arg) !== null);
  return launchOf(program, { kind: 'program', path, args }, { context, inProject });
}

/** Returns true for a file that an interpreter would run, one that the table does not know among them. */
const isCodeFile = (word: string): boolean =>
  /^[^-\s][^\s:]*\.(?:[cm]?[jt]sx?|pyw?|rb|sh|bash|php|pl|lua|jl|r|exs?|erl|go|rs|jar|dll|ps1|bat|cmd|scm|rkt|clj|kts?|swift|dart|wasm)$/i.test(
    word,
  );

const LAUNCHER_WORDS = new Set([
  ...[
    'npx',
    'bunx',
    'pnpx',
    'uvx',
    'npm',
    'pnpm',
    'yarn',
    'uv',
    'pipx',
    'node',
    'python',
    'python3',
  ],
  ...[
    'bun',
    'deno',
    'docker',
    'podman',
    'php',
    'ruby',
    'java',
    'bash',
    'sh',
    'zsh',
    'cmd',
    'powershell',
  ],
]);

const isLauncherWord = (word: string): boolean => LAUNCHER_WORDS.has(programName(word));

/** Returns true for a text that is a command line of its own. */
const isCommandLine = (word: string): boolean =>
  /\s/.test(word) && isLauncherWord(/^\s*(\S+)/.exec(word)?.[1] ?? '');

/** A path below the project, in one form; null where it lies elsewhere. */
export function projectPath(path: string): string | null {
  const below = belowProjectRoot(path) ?? path;
  if (below === path && /^([\\/~$%{]|[A-Za-z]:[\\/])/.test(path)) return null;
  const parts: string[] = [];
  for (const part of below.split(/[\\/]+/)) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** How the path of a running process ends that this launch has started. */
export const pathToken = (path: string): string => projectPath(path) ?? behindPlaceholders(path);
