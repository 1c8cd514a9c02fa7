// Reads a configured launch: wrappers are looked through, then the words name a runner and its target. Pure, and the raw
// text throughout: what may be shown of it is decided in `names.ts`.
import { isLauncher, programName } from '@gatewarden/shared/launchers.ts';
import { withoutHomes } from '../homes/home-list.ts';
import { withHomeAsTilde } from '../sources/lib/placeholders.ts';
import { splitCommand } from './command-line.ts';
import { CONTAINER_RUNTIMES, readContainerExec, readContainerRun } from './containers.ts';
import { readInterpreter, readScriptRunner } from './interpreters.ts';
import {
  normalizeName,
  type PackageRun,
  type Registry,
  readPackageName,
  readPackageRun,
  readRepository,
} from './packages.ts';
import {
  addressLaunch,
  type Container,
  isCodeFile,
  isCommandLine,
  isLauncherWord,
  launchOf,
  type ParsedLaunch,
  projectPath,
} from './target.ts';
import { readTask, type TaskRun } from './tasks.ts';
import { providingPackage, readUvRun, readUvScript } from './uv.ts';
import { isWrapperPackage, joinFolders, unwrap } from './wrappers.ts';

export interface ServerDefinition {
  command: string | null;
  args: string[];
  url: string | null;
  /** The folder that the client starts it in; null: the client's own choice. */
  cwd?: string | null;
}

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
    return server.url === null ? null : addressLaunch(server.url);
  }
  const words = [...splitCommand(server.command), ...server.args];
  return parseWords(words, server.cwd ?? null);
}

function parseWords(written: string[], cwd: string | null): ParsedLaunch {
  const unwrapped = unwrap(written);
  const base = joinFolders(cwd, unwrapped.directory);
  if (unwrapped.bridge !== null) return addressLaunch(unwrapped.words[0] ?? '', unwrapped.bridge);
  const launch = parseUnwrapped(unwrapped.words);
  return {
    ...launch,
    directory: joinFolders(base, launch.directory),
    inProject: launch.inProject || unwrapped.inProject,
  };
}

/** Readers of a command line in order: the first that knows the program decides. */
function parseUnwrapped(words: string[]): ParsedLaunch {
  return (
    parseContainer(words) ??
    parseUv(words) ??
    parsePackage(words) ??
    parseLauncher(words) ??
    parseTask(words) ??
    readScriptRunner(words) ??
    readInterpreter(words, taskLaunch) ??
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

function parseUv(words: readonly string[]): ParsedLaunch | null {
  const run = readUvRun(words);
  if (run === null || run.command.length === 0) return null;
  const inner = readUvScript(run) ?? parseWords(run.command, null);
  const spec = providingPackage(run, inner);
  const launch = spec === null ? inner : packageLaunch('uv', 'pypi', spec);
  return { ...launch, command: 'uv', directory: run.directory, inProject: true };
}

function parsePackage(words: readonly string[]): ParsedLaunch | null {
  const run = readPackageRun(words);
  if (run === null || run.spec === '') return null;
  const launch = { ...packageLaunch(run.runner, run.registry, run.spec), word: run.word };
  const opaque = opaqueCommand(run);
  return { ...launch, context: [...run.packages, ...(opaque ?? [])] };
}

/** Identifies a package by its name, by its repository, or by its path on the disk. */
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

function parseProgram(words: readonly string[]): ParsedLaunch {
  const [path = '', ...args] = words;
  const program = programName(path);
  // The words of an inner command identify the program, and no rule here reads them.
  const inner = args.findIndex((arg) => arg === '--' || isCommandLine(arg) || isLauncherWord(arg));
  // Without a known package, all arguments of a runner decide which code runs.
  const context = isLauncher(program) ? args : inner < 0 ? [] : args.slice(inner);
  const inProject = args.some((arg) => isCodeFile(arg) && projectPath(arg) !== null);
  return launchOf(program, { kind: 'program', path, args }, { context, inProject });
}
