// Product identity of a launch: the key from the raw arguments, the name from the redacted ones, and the launch hash. Keys
// stay on the device; only their SHA-256 is sent. Pure.
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { programName } from '@gatewarden/shared/launchers.ts';
import { showArguments } from '../redaction/argument-allowlist.ts';
import { redactArguments, redactText } from '../redaction/argument-redaction.ts';
import { REDACTED, redactUrl } from '../redaction/url-redaction.ts';
import { consistsOfWords } from '../redaction/word-groups.ts';
import type { Launch } from '../source-contract.ts';
import { hasPlaceholder } from '../sources/lib/placeholders.ts';
import { readImage } from './containers.ts';
import { parseLaunch, type ServerDefinition } from './launch.ts';
import {
  distinctPart,
  placeOf,
  showAddress,
  showImage,
  showModule,
  showPackage,
  showScript,
  showTask,
} from './names.ts';
import { type Container, type ParsedLaunch, pathToken, projectPath } from './target.ts';

/** The project that a relative launch belongs to. */
export interface Project {
  /** The same on every device: the manifest's name, else the repository's URL, else the folder's name. */
  key: string;
  name: string;
  /** The project's folder on this machine; null if it is unknown. */
  folder: string | null;
}

export interface Product {
  /**
   * The protocol's key: `npm:…`, `pypi:…`, an image, a URL's host and path, or a program and its distinctive argument; of a
   * relative launch the project's key before it.
   */
  key: string;
  /** The key as the configuration alone gives it, by which an entry is found in its file. */
  entryKey: string;
  name: string;
  version: string | null;
  /** A runner fetches the package and no version is fixed: another version may run tomorrow. */
  unpinned: boolean;
  /** For recognizing its process; null for a server that runs elsewhere. */
  launch: Launch | null;
  /** True if the executable belongs to a runner or an interpreter and not to the server. */
  isRunner: boolean;
}

/** Words that any server may be started with. */
const COMMON_WORDS = new Set([
  ...['stdio', 'run', 'start', 'serve', 'server', 'mcp', 'fastmcp', 'exec', 'http', 'compose'],
]);
const MAX_WORD = 128;
const MAX_KEY = 1024;
const MAX_NAME = 512;

/** Identifies the product of a definition; null where it names neither a command nor a URL. */
export function identifyProduct(
  server: ServerDefinition,
  project: Project | null = null,
): Product | null {
  const launch = parseLaunch(server);
  return launch === null ? null : identifyLaunch(launch, project);
}

/** Identifies the product of a launch in the project that its relative words belong to. */
export function identifyLaunch(launch: ParsedLaunch, project: Project | null): Product {
  const { target, container, context } = launch;
  const described = describeTarget(launch, project);
  const around = container === null ? null : describeContainer(container);
  // The words of an inner command may be long, and contain a secret in a position that no rule knows.
  const inner = context.length === 0 ? '' : ` ${hashOfCode(context)}`;
  const key = `${around === null ? '' : `${around.key} `}${described.key}${inner}`;
  const isOfProject = project !== null && isRelative(launch);
  return {
    key: bounded(isOfProject ? `project:${project.key}\n${key}` : key),
    entryKey: bounded(launch.directory === null ? key : `${key}\n${launch.directory}`),
    name: (around === null ? described.name : `${around.name} ${described.name}`).slice(
      0,
      MAX_NAME,
    ),
    version: described.version ?? null,
    unpinned: /^(package|repository|image)$/.test(target.kind) && described.version == null,
    launch:
      target.kind === 'address' && launch.runner === ''
        ? null
        : {
            command: launch.command.slice(0, MAX_WORD),
            token: (described.token?.length ?? 0) > MAX_KEY ? null : described.token,
            directory: isOfProject && container === null ? project.folder : null,
          },
    isRunner: !isOwnProgram(launch),
  };
}

/** A key of any length in a length that may be stored: a server with a long path must not be left out. */
const bounded = (key: string): string =>
  key.length <= MAX_KEY ? key : `${key.slice(0, MAX_WORD)} ${sha256Hex(key)}`;

/** Returns true where the command itself is the server, and not what a project's environment calls so. */
const isOwnProgram = ({ target, command, inProject }: ParsedLaunch): boolean =>
  target.kind === 'program' &&
  command === programName(target.path) &&
  !(inProject && !/[\\/]/.test(target.path));

function describeContainer(container: Container): { key: string; name: string } {
  const { word } = container;
  if (container.kind === 'image') return { key: imageKey(word), name: showImage(word).name };
  const { runtime } = container;
  return { key: `${runtime}:${word}`, name: `${runtime} ${showTask(word)}` };
}

interface Described {
  key: string;
  name: string;
  version?: string | null;
  /** The word by which its process is recognized; null: by its executable, or not at all. */
  token: string | null;
}

function describeTarget(launch: ParsedLaunch, project: Project | null): Described {
  const { runner, target } = launch;
  switch (target.kind) {
    case 'package': {
      const { registry, name, version } = target;
      return {
        key: `${registry}:${name}`,
        name: showPackage(name),
        version,
        token: rawName(launch),
      };
    }
    case 'repository':
      return {
        key: `git:${target.place}`,
        name: showAddress(`https://${target.place}`),
        token: target.place.split('/').at(-1) ?? null,
      };
    case 'image': {
      const { name, version } = showImage(target.image);
      return {
        key: imageKey(target.image),
        name,
        version,
        token: readImage(target.image)?.name ?? target.image,
      };
    }
    case 'address': {
      const place = placeOf(redactUrl(target.url, 'named'));
      return {
        key: place,
        name: showAddress(target.url),
        token: target.url,
      };
    }
    case 'script':
      return describeScript(launch, target.path, project);
    case 'module':
      return {
        key: `${runner}:${target.name}`,
        name: `${runner} ${showModule(target.name)}`,
        token: target.name,
      };
    case 'task':
      return {
        key: `${runner}:${target.name}`,
        name: `${runner} ${showTask(target.name)}`,
        token: target.name,
      };
    case 'code':
      return {
        key: `${runner} ${hashOfCode(target.text.split('\0'))}`,
        name: runner,
        token: null,
      };
    case 'program':
      return describeProgram(launch, target.path, target.args, project);
  }
}

/** A package's name as the configuration has it: so its process has it, too. */
function rawName({ target, word }: ParsedLaunch): string | null {
  if (target.kind !== 'package') return null;
  const at = (word ?? '').toLowerCase().indexOf(target.name);
  return at < 0
    ? (/^[^@=<>~!^[\s;]+/.exec(word ?? '')?.[0] ?? target.name)
    : (word ?? '').slice(at, at + target.name.length);
}

/** An image without a namespace is the library's: a program may have the same name. */
function imageKey(image: string): string {
  const name = readImage(image)?.name ?? image;
  return name.includes('/') ? name : `library/${name}`;
}

function describeScript(
  { runner, container }: ParsedLaunch,
  path: string,
  project: Project | null,
): Described {
  const installed = installedPackage(path);
  if (installed !== null) {
    return { key: `npm:${installed}`, name: showPackage(installed), token: pathToken(path) };
  }
  const below = projectPath(path);
  const part = distinctPart(path);
  const key = below ?? (hasPlaceholder(path) || container !== null ? path : part);
  return {
    key: `${runner}:${key}`,
    name: `${runner} ${showScript(below ?? path, below === null ? null : (project?.name ?? null))}`,
    token: pathToken(path),
  };
}

/** The package that a script lies in, where it was installed and is started by its path. */
function installedPackage(script: string): string | null {
  const inside = /^.*[\\/]node_modules[\\/]((?:@[\w.-]+[\\/])?\w[\w.-]*)[\\/]/.exec(
    `/${script}`,
  )?.[1];
  return inside === undefined ? null : inside.replace('\\', '/').toLowerCase();
}

/** Describes a program by its base name and the first argument that distinguishes this launch. */
function describeProgram(
  { inProject }: ParsedLaunch,
  path: string,
  args: readonly string[],
  project: Project | null,
): Described {
  const below = /[\\/]/.test(path) ? projectPath(path) : null;
  const base = programName(path) || '?';
  const word = distinctiveArgument(args);
  const called = below ?? (hasPlaceholder(path) ? path : base);
  const shown =
    below === null
      ? showScript(hasPlaceholder(path) ? path : base, null)
      : showScript(below, project?.name ?? null);
  return {
    key: word === null ? called : `${called}:${word.raw}`,
    name: word === null ? shown : `${shown} ${word.shown}`,
    token: below ?? word?.word ?? (inProject ? base : null),
  };
}

/**
 * Returns the first distinctive word: not of an option or a secret, nor a word that any server may be started with.
 */
function distinctiveArgument(
  args: readonly string[],
): { shown: string; raw: string; word: string } | null {
  const shownArguments = showArguments(args);
  for (const [at, word] of args.entries()) {
    if (word.startsWith('-') || word === '' || /\s/.test(word) || /^\w+=/.test(word)) continue;
    const shown = shownArguments[at] ?? REDACTED;
    // A word that may not be sent as an argument is no part of the name either.
    if (shown.includes(REDACTED) || COMMON_WORDS.has(word) || /^\/[ck]$/i.test(word)) continue;
    const part = /^[a-z]+:\/\//i.test(shown) ? placeOf(shown) : shown;
    const distinct = /[\\/]/.test(part) ? distinctPart(part) : part;
    if (distinct.length > MAX_WORD || !consistsOfWords(distinct, 'name')) continue;
    return { shown: distinct, raw: distinct, word };
  }
  return null;
}

/** Returns true if the code of a launch lies in the project, by a relative path or in the environment of the project. */
export function isRelative({ target, inProject, container }: ParsedLaunch): boolean {
  // A container sees the folders that its project mounts; a running container may belong to anybody.
  if (container !== null)
    return !(container.kind === 'running' && container.runtime === 'docker exec');
  switch (target.kind) {
    case 'script':
      return installedPackage(target.path) === null && projectPath(target.path) !== null;
    case 'program':
      return inProject || (/[\\/]/.test(target.path) && projectPath(target.path) !== null);
    case 'module':
    case 'task':
    case 'code':
      return true;
    default:
      return false;
  }
}

/**
 * Returns the SHA-256 of the product's key, command, arguments and URL. Credentials are left out, so that a new token
 * is no drift; nothing else is, so that two launches of different code never have the same hash. The home is `~`
 * already.
 */
export function launchHash(server: ServerDefinition, product: Pick<Product, 'key'> | null): string {
  const url = server.url === null ? null : redactUrl(server.url, 'named');
  return sha256Hex(
    JSON.stringify([
      product?.key ?? null,
      server.command === null ? null : redactText(server.command, 'named'),
      redactArguments(server.args, 'named'),
      url,
      server.cwd ?? null,
    ]),
  );
}

/**
 * A hash of words that decide which code runs, without credentials. The word behind a short option such as `-p` or `-w` may
 * be a secret elsewhere; here it may be a part of the project, or code, so it counts. `-e NAME=value` sets a variable.
 */
function hashOfCode(words: readonly string[]): string {
  const spelled = words.map((word, at) => {
    const isVariable = word === '-e' && at > 0 && /^[A-Za-z_]\w*(=|$)/.test(words[at + 1] ?? '');
    return /^-[A-Za-z]/.test(word) && word !== '-H' && !isVariable ? `-${word}` : word;
  });
  return sha256Hex(redactArguments(spelled, 'named').join('\0')).slice(0, 32);
}
