// What a configured MCP server launches: which product that is, on every device the same, and the hash of how. Pure.
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import {
  INTERPRETERS,
  NODE_RUNNERS,
  PYTHON_RUNNERS,
  programName,
} from '@gatewarden/shared/launchers.ts';
import { isShowable, showArguments } from '../harmless.ts';
import { withoutHomes } from '../homes.ts';
import { CUT, cutArguments, cutText, cutUrl, looksRandom } from '../redact.ts';
import type { Launch } from '../source.ts';
import {
  CONTAINER_SWITCHES,
  GO_VALUE_FLAGS,
  NIX_VALUE_FLAGS,
  NODE_VALUE_FLAGS,
  NUGET_VALUE_FLAGS,
  PYTHON_VALUE_FLAGS,
} from './option-values.ts';
import { isShell, splitCommand, unwrap } from './words.ts';

export interface ServerDefinition {
  command: string | null;
  args: string[];
  url: string | null;
}

export interface Product {
  /** The protocol's key: `npm:…`, `pypi:…`, an image, a URL's host and path, or a program and what tells it apart. */
  key: string;
  name: string;
  version: string | null;
  /** A runner fetches it and no version is fixed: what runs tomorrow may be another. */
  unpinned: boolean;
  /** For telling its process; null for what runs elsewhere. */
  launch: Launch | null;
  /** True where the command is only a runner or an interpreter, whose executable is not the server's. */
  isRunner: boolean;
}

/** Words that every server may be started with: they tell none from another. */
const COMMON_WORDS = new Set([
  ...['stdio', 'run', 'start', 'serve', 'server', 'mcp', 'fastmcp', 'exec', 'http', 'compose'],
]);
const COMMON_FILES =
  /^(index|main|server|app|cli|start|run|__main__|dist|build|src|lib|bin|out|node_modules|scripts?|(docker-)?compose)(\.[a-z]{1,4})?$/i;
/** `<program> <word>` that is a runner, too. */
const NODE_RUNNER_WORDS = new Map([
  ['npm', ['exec', 'x']],
  ['pnpm', ['dlx', 'exec']],
  ['yarn', ['dlx', 'exec']],
  ['bun', ['x']],
]);
/** Packages that only run what stands after them. */
const PACKAGED_INTERPRETERS = /^(tsx|ts-node|node|nodemon)$/;
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl']);
/** An image whose name ends like `context7`: as a word alone that could be a password, behind a maker's name it is none. */
const NUMBERED_IMAGE =
  /^(?:[a-z]{1,24}(?:[.-][a-z]{1,24}){0,6}(?::\d{1,5})?\/)*[a-z]{1,24}(?:[_.-][a-z]{1,24}){0,6}\/[a-z]{1,24}(?:[_.-][a-z]{1,24}){0,6}\d{1,2}(?:-[a-z]{1,24}){0,6}(?::(?:latest|v?\d[\d.]{0,20}))?$/;
/** Bridges to a server elsewhere: what counts is where they lead. */
const BRIDGES = new Set([
  'mcp-remote',
  'supergateway',
  'mcp-proxy',
  '@pyroprompts/mcp-stdio-to-streamable-http-adapter',
]);

/** The definition without the account's name, as paths are hashed and shown everywhere: its person's home as `~`. */
export function plainDefinition(
  server: ServerDefinition,
  home: readonly string[],
): ServerDefinition {
  const tilde = (text: string) => withoutHomes(text, home, '~');
  return {
    command: server.command === null ? null : tilde(server.command),
    args: server.args.map(tilde),
    url: server.url,
  };
}

/** What is started in the end: the words behind `env`, shells and the like. */
export function launchedWords(command: string, args: readonly string[]): string[] {
  return unwrap([...splitCommand(command), ...args]);
}

/** Which product a definition stands for; null where it names neither a command nor a URL. */
export function identifyProduct(server: ServerDefinition): Product | null {
  if (server.command === null || server.command.trim() === '') {
    return server.url === null ? null : remoteProduct(server.url);
  }
  const [command = '', ...args] = launchedWords(server.command, server.args);
  const program = baseName(command);
  const runner = findRunner(program, args);
  if (runner !== null) return runner;
  if (CONTAINERS.has(program) && args.includes('run') && !/^(mcp|compose)$/.test(args[0] ?? '')) {
    // Without an image that may be told nothing else of it tells what it is.
    return imageOf(args.slice(args.indexOf('run') + 1)) ?? programProduct(program, []);
  }
  return programProduct(program, args);
}

/** A program, and what tells this launch of it from another. */
function programProduct(program: string, args: readonly string[]): Product {
  const word = distinctiveArgument(program, telling(program, args));
  const isRunner = INTERPRETERS.test(program) || isShell(program) || CONTAINERS.has(program);
  const installed = isRunner ? installedPackage(word?.raw ?? '') : null;
  const called = interpreterName(program);
  if (installed !== null) {
    return {
      ...{ key: `npm:${installed}`, name: installed, version: null, unpinned: false, isRunner },
      launch: { command: program, token: word?.raw ?? null },
    };
  }
  return {
    key: word === null ? called : `${called}:${word.shown}`,
    name: word === null ? called : `${called} ${word.shown}`,
    version: null,
    unpinned: false,
    launch: { command: program, token: word?.raw ?? null },
    isRunner,
  };
}

/** One interpreter has many names: with a version, without, and Windows' own. */
function interpreterName(program: string): string {
  if (/^(python[\d.]*|py)$/.test(program)) return 'python';
  return program === 'nodejs' ? 'node' : program;
}

/** The words that can tell one server from another: not what `uv` installs beside it, nor how PowerShell is to behave. */
function telling(program: string, args: readonly string[]): readonly string[] {
  if (isShell(program)) {
    const file = args.findIndex((arg) => /^-f(ile)?$/i.test(arg));
    return file < 0 ? args : args.slice(file + 1);
  }
  if (program !== 'uv') return args;
  const isPlace = (flag: string) => flag === '--directory' || flag === '--project';
  return args.filter((_, at) => {
    const flag = args[at - 1] ?? '';
    return !PYTHON_VALUE_FLAGS.has(flag) || isPlace(flag);
  });
}

/** The package that a script lies in, where it was installed and is started by its path. */
function installedPackage(script: string): string | null {
  const inside = /^.*[\\/]node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)[\\/]/.exec(script)?.[1];
  return inside === undefined ? null : cutText(inside.replace('\\', '/').toLowerCase());
}

/**
 * SHA-256 of command, arguments and URL with secrets cut out: a new token is no drift, another argument is. The home is
 * `~` before it comes here.
 */
export function launchHash(server: ServerDefinition): string {
  const url = server.url === null ? '' : cutUrl(server.url);
  return sha256Hex(
    [cutText(server.command ?? ''), cutArguments(server.args).join('\0'), url].join('\0'),
  );
}

function remoteProduct(url: string): Product {
  const place = cutUrl(url)
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/\?.*$/, '')
    .replace(/\/+$/, '');
  const slash = place.indexOf('/');
  const host = (slash < 0 ? place : place.slice(0, slash))
    .toLowerCase()
    .replace(/:(443|80)$/, '')
    .replace(/(?<=\w)\.(?=$|:)/, '');
  const key = host + (slash < 0 ? '' : place.slice(slash));
  return { key, name: key, version: null, unpinned: false, launch: null, isRunner: true };
}

function findRunner(program: string, args: readonly string[]): Product | null {
  if (NODE_RUNNERS.has(program)) return nodePackage(program, args);
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const first = args[at] ?? '';
  if (NODE_RUNNER_WORDS.get(program)?.includes(first)) {
    return nodePackage(program, args.slice(at + 1));
  }
  if (PYTHON_RUNNERS.has(program)) return pythonPackage(program, args);
  if (program === 'uv' && first === 'tool' && args[at + 1] === 'run')
    return pythonPackage(program, args.slice(at + 2));
  if (program === 'pipx' && first === 'run') return pythonPackage(program, args.slice(at + 1));
  if (program === 'dnx') {
    const spec = args[namedAt(args, NUGET_VALUE_FLAGS)];
    return spec === undefined ? null : packaged('nuget', spec, program);
  }
  if (program === 'go' && first === 'run') {
    const rest = args.slice(at + 1);
    const spec = rest[namedAt(rest, GO_VALUE_FLAGS)];
    if (/^[\w-]+(\.[\w-]+)+\//.test(spec ?? '')) return packaged('go', spec ?? '', program);
  }
  if (program === 'nix' && first === 'run') return flakeProduct(args.slice(at + 1));
  if (program === 'deno' || program === 'bun') {
    const spec = args.find((arg) => /^(npm|jsr):/.test(arg));
    if (spec?.startsWith('npm:')) return nodePackage(program, [spec.slice(4)]);
    if (spec !== undefined) return packaged('jsr', spec.slice(4), program);
  }
  return null;
}

/** Where the first word stands that is no option, nor the value of one, nor a secret behind one that we do not know. */
function namedAt(args: readonly string[], valued: ReadonlySet<string>): number {
  const cut = cutArguments(args);
  return args.findIndex(
    (arg, at) => !arg.startsWith('-') && cut[at] !== CUT && !valued.has(args[at - 1] ?? ''),
  );
}

/** `nix run nixpkgs#tool`: a flake, and what of it. */
function flakeProduct(args: readonly string[]): Product | null {
  const flake = args[namedAt(args, NIX_VALUE_FLAGS)]?.split('#');
  if (flake === undefined || !flake.every((part) => isShowable(cutText(part)))) return null;
  const name = cutText(flake.join('#'));
  return {
    ...{ key: `nix:${name}`, name, version: null, unpinned: true, isRunner: true },
    launch: { command: 'nix', token: flake.join('#') },
  };
}

function nodePackage(program: string, args: readonly string[]): Product | null {
  // A secret behind an option that we do not know is no package.
  const cut = cutArguments(args);
  let named: string | null = null;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    const inline = /^--package=(.+)$/.exec(arg)?.[1];
    if (inline !== undefined) named ??= inline;
    else if (arg === '-p' || arg === '--package') named ??= args[++at] ?? null;
    else if (NODE_VALUE_FLAGS.has(arg)) at++;
    else if (!arg.startsWith('-') && cut[at] !== CUT) break;
  }
  const spec = named ?? args[at];
  if (spec === undefined) return null;
  const { name } = splitVersion(spec);
  if (BRIDGES.has(name)) {
    const url = args.slice(at).find((arg) => /^https?:\/\//i.test(arg));
    if (url !== undefined)
      return { ...remoteProduct(url), launch: { command: program, token: name } };
  }
  if (named === null && PACKAGED_INTERPRETERS.test(name)) {
    return programProduct(name, args.slice(at + 1));
  }
  return packaged('npm', spec, program);
}

function pythonPackage(program: string, args: readonly string[]): Product | null {
  // A secret behind an option that we do not know is no package.
  const cut = cutArguments(args);
  let named: string | null = null;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    const inline = /^--(?:from|spec)=(.+)$/.exec(arg)?.[1];
    if (inline !== undefined) named ??= inline;
    else if (arg === '--from' || arg === '--spec') named ??= args[++at] ?? null;
    else if (PYTHON_VALUE_FLAGS.has(arg)) at++;
    else if (!arg.startsWith('-') && cut[at] !== CUT) break;
  }
  const spec = named ?? args[at];
  if (spec === undefined) return null;
  const { name } = splitVersion(spec);
  const url = BRIDGES.has(name)
    ? args.slice(at).find((arg) => /^https?:\/\//i.test(arg))
    : undefined;
  if (url !== undefined)
    return { ...remoteProduct(url), launch: { command: program, token: name } };
  return packaged('pypi', spec, program);
}

/** A package by its name; one from a repository by the repository; one from the disk by its folder's name. */
function packaged(
  registry: 'npm' | 'pypi' | 'jsr' | 'nuget' | 'go',
  given: string,
  program: string,
): Product {
  // npm takes a repository of GitHub by its two names, and a folder of the disk as an address.
  const spec =
    /^[\w-]+\/[\w.-]+(#.*)?$/.test(given) && registry === 'npm'
      ? `github:${given.replace(/#.*/, '')}`
      : given.replace(/^file:(\/\/)?/, '');
  const made = (key: string, name: string, version: string | null): Product => ({
    key,
    name,
    version,
    unpinned: version === null,
    launch: { command: program, token: name },
    isRunner: true,
  });
  const repository = /^(?:git\+|github:|gitlab:|git:)|^[a-z+]+:\/\//i.test(spec);
  if (repository) {
    const place = cutUrl(spec.replace(/^git\+/, '').replace(/^github:/, 'https://github.com/'))
      .replace(/^[a-z+]+:\/\//i, '')
      .replace(/\?.*$/, '')
      .replace(/\.git(@.*)?$/, '')
      .replace(/@[^/]*$/, '');
    return made(`git:${place}`, place, null);
  }
  if (/^(\.{0,2}\/|~|[A-Za-z]:[\\/])/.test(spec)) {
    const folder = cutText(lastWord(spec) ?? 'here');
    return made(`${program}:${folder}`, `${program} ${folder}`, null);
  }
  const { name, version } = splitVersion(spec);
  const plain =
    registry === 'pypi' ? normalisePython(name) : registry === 'go' ? name : name.toLowerCase();
  return made(`${registry}:${cutText(plain)}`, cutText(plain), version);
}

/** `name@1.2.3`, `name==1.2.3`, `name[extra]`: name, and the version where it is fixed. */
function splitVersion(spec: string): { name: string; version: string | null } {
  const found = /^(@?[^@=<>~!^[\s]+)(?:\[[^\]]*\])?(?:(?:@|={2,3})([^\s,;]*))?/.exec(spec);
  const version = found?.[2] ?? null;
  const fixed = version !== null && /^v?\d+\.\d+[\w.+-]*$/.test(version);
  return { name: found?.[1] ?? spec, version: fixed ? version : null };
}

/** The one form of a Python package's name (PEP 503). */
export function normalisePython(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function imageOf(args: readonly string[]): Product | null {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') continue;
    if (!arg.startsWith('-')) {
      // `name:word` could be a person with a password: then its name alone is told.
      const bare = arg.replace(/:[\w.-]{1,128}$/, '');
      const isWhole = isShowable(cutText(arg)) || NUMBERED_IMAGE.test(arg);
      if (!isWhole && !(isShowable(bare) && /^[a-z\d._/-]+$/.test(bare))) return null;
      if (!isWhole && bare === arg) return null;
      if (!isWhole) return imageOf([bare]);
      const digest = /^(.*)@(sha256:[0-9a-f]{64})$/.exec(arg);
      const plain = digest?.[1] ?? arg;
      const tag = /^(.+):([\w][\w.-]{0,127})$/.exec(plain);
      const name = cutText(tag !== null && !tag[2]?.includes('/') ? (tag[1] ?? plain) : plain);
      const version = digest?.[2] ?? (tag?.[2] === 'latest' ? null : (tag?.[2] ?? null));
      return {
        key: name,
        name,
        version,
        unpinned: version === null,
        launch: { command: 'docker', token: name },
        isRunner: true,
      };
    }
    if (takesNextWord(arg)) at++;
  }
  return null;
}

/** Of a container's options: `-itp 80:80` takes the next word, `-itp80:80` holds its own. */
function takesNextWord(option: string): boolean {
  if (CONTAINER_SWITCHES.has(option) || option.includes('=')) return false;
  return option.startsWith('--') || /^-[itdPq]*[A-Za-z]?$/.test(option);
}

/** What tells this launch from another of the same program: a module, a script by its nearest telling name, a word. */
function distinctiveArgument(
  program: string,
  args: readonly string[],
): { shown: string; raw: string } | null {
  const module = args.indexOf('-m');
  if (module >= 0 && INTERPRETERS.test(program)) {
    const name = args[module + 1];
    if (name !== undefined) return { shown: cutText(name), raw: name };
  }
  const shownArguments = showArguments(args);
  for (const [at, arg] of args.entries()) {
    if (arg.startsWith('-') || arg === '' || /\s/.test(arg) || /^\w+=/.test(arg)) continue;
    // What may not be sent as an argument may not be sent as a part of the name either.
    const safe = shownArguments[at] ?? CUT;
    if (safe.includes(CUT)) continue;
    if (COMMON_WORDS.has(arg) || /^\/[ck]$/i.test(arg)) continue;
    const shown = /[\\/]/.test(safe) ? lastWord(safe) : safe;
    if (shown === null || looksRandom(shown) || shown.length > 128) continue;
    return { shown: cutText(shown), raw: arg };
  }
  return null;
}

/** The last part of a path that is no common name, with the file's own name where that is one. */
function lastWord(path: string): string | null {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const file = parts.at(-1);
  if (file === undefined) return null;
  if (!COMMON_FILES.test(file)) return file;
  const telling = parts.slice(0, -1).findLast((part) => !COMMON_FILES.test(part) && part !== '~');
  return telling === undefined ? file : `${telling}/${file}`;
}

function baseName(command: string): string {
  return cutText(programName(command)) || '?';
}
