// Fingerprints of launches and permissions: equal on devices that launch an app in the same way or permit it the same. An
// approval stores them as its baseline, and later reports are compared with it. Pure.
import { createHash } from 'node:crypto';
import { isLauncher, programName } from '@gatewarden/shared/launchers.ts';
import { asFields } from './facets.ts';

/** The parts of a reported entity that state how it is launched and what it may do. */
export interface LaunchFacts {
  launch_hash?: string | null | undefined;
  instances?:
    | readonly { launch_hash?: string | null; permissions?: readonly string[] | null }[]
    | null
    | undefined;
}

/** Returns true for an app that reports a launch or a permission. */
export const canDrift = (entity: LaunchFacts): boolean =>
  launchHashesOf(entity).size + permissionsOf(entity).size > 0;

/** Returns the permissions of all instances. */
const permissionsOf = (entity: LaunchFacts): Set<string> =>
  new Set((entity.instances ?? []).flatMap((instance) => instance.permissions ?? []));

/** Returns the launch hashes of the app and of all its instances. */
function launchHashesOf(entity: LaunchFacts): Set<string> {
  const hashes = [entity, ...(entity.instances ?? [])].map((launched) => launched.launch_hash);
  return new Set(hashes.filter((hash) => hash != null));
}

/** Returns true for an app that reports a launch or a permission that it did not report before. */
export const hasNewFacts = (before: LaunchFacts, after: LaunchFacts): boolean =>
  !launchHashesOf(after).isSubsetOf(launchHashesOf(before)) ||
  !permissionsOf(after).isSubsetOf(permissionsOf(before));

/** The parts of a reported app that its fingerprints cover; `details` is any JSON. */
export interface ReportedLaunch extends LaunchFacts {
  source: string;
  details?: unknown;
}

export interface LaunchFingerprints {
  launches: Set<string>;
  /** Fingerprint of the only launch hash, if the app has a single launch: agents of other releases may report other details. */
  exact: string | null;
  /** Permissions by fingerprint. */
  permissions: Map<string, string>;
}

/** Difference between an app on a device and the baseline of its approval. */
export interface Drift {
  launchChanged: boolean;
  /** Sorted; permissions that the baseline does not contain. */
  newPermissions: string[];
}

/** Sources in which users write launch commands themselves. Launches of packages and skills are the same on every device. */
const PERSONAL_SOURCES = new Set(['mcp_config']);

/** Marks text that the agent redacted or truncated. */
const CUT = '[cut]';
/** Number of arguments that an agent reports at most. */
const REPORTED_ARGUMENTS_MAX = 24;
/** Options whose value is code. After options of `CODE_FROM_HERE` (Windows shells) all arguments are code. */
const CODE_NEXT = /^(-[a-z]{0,3}[ce]|--(eval|call|command|exec|print)(=.*)?)$/i;
const CODE_FROM_HERE = /^(\/[ck]|-(encoded)?command|-enc?)$/i;
/** Programs that run other programs, besides the launchers that agents use for names of servers. */
const INTERPRETERS = /^(lua|osascript|nodemon|concurrently|pythonw)$/;
/** Subcommands and variables of launchers before the program that they run: `uv run`, `npm exec`, `A=1`. */
const LAUNCHER_SUBCOMMAND = /^(run|exec|x|dlx|tool|start|[A-Za-z_]\w*=.*)$/;
/** Options without a value in every launcher. */
const SWITCH = /^(-[yqsBSO]|--(yes|quiet|silent|isolated|no-[\w-]+))$/;
const CONTAINERS = /^(docker|podman|nerdctl)(\.exe)?$/i;

/**
 * Returns the fingerprints of an app on a device. `launch_hash` covers command, arguments and address. In configurations
 * that users write it differs between devices by home folders and ports. There the reported launch counts without these
 * parts, and the hash counts where the launch runs code that is not reported.
 */
export function fingerprintsOf(reported: ReportedLaunch): LaunchFingerprints {
  const hashes = [...launchHashesOf(reported)];
  const launches = new Set(launchShapesOf(reported, hashes));
  const [exact = null, ...more] = hashes;
  // An agent reports at most 32 hashes, so of several launches a hash cannot be assigned to its launch.
  const isOnly =
    more.length === 0 && launches.size === 1 && asFields(reported.details).cut !== true;
  return {
    launches: new Set([...launches].map(launchFingerprint)),
    exact: isOnly && exact !== null ? launchFingerprint(exact) : null,
    permissions: new Map(
      [...permissionsOf(reported)].map((permission) => [
        permissionFingerprint(permission),
        permission,
      ]),
    ),
  };
}

function launchShapesOf(reported: ReportedLaunch, hashes: readonly string[]): readonly string[] {
  if (hashes.length === 0 || !PERSONAL_SOURCES.has(reported.source)) return hashes;
  const { configured, cut } = asFields(reported.details);
  const launches = (Array.isArray(configured) ? configured : []).map(launchShapeOf);
  // An agent omits launches that do not fit. Hashes cover the omitted launches.
  const isComplete =
    cut !== true && launches.length > 0 && launches.every((launch) => launch.isComplete);
  return [...launches.map((launch) => launch.shape), ...(isComplete ? [] : hashes)];
}

function launchShapeOf(raw: unknown): { shape: string; isComplete: boolean } {
  const { transport, command, args, url } = asFields(raw);
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [];
  const code = codeArgumentsOf(typeof command === 'string' ? command : '', words);
  const plain = words.map((word, at) => stripPersonalParts(word, code.has(at)));
  const program = typeof command === 'string' ? stripVersion(command) : null;
  return {
    shape: JSON.stringify([transport ?? null, program, plain, url ?? null]),
    isComplete:
      words.length < REPORTED_ARGUMENTS_MAX && ![...code].some((at) => words[at]?.includes(CUT)),
  };
}

/** Returns indexes of the arguments that may be code or locate code. */
function codeArgumentsOf(program: string, words: readonly string[]): Set<number> {
  const from = words.findIndex((word) => CODE_FROM_HERE.test(word));
  const leading = isAnyLauncher(program) ? launchedProgramEnd(words) : 0;
  return new Set(
    words.flatMap((word, at) => {
      if (at < leading || (from >= 0 && at >= from)) return at;
      // In container runtimes `-e` sets a variable.
      const isCode = CODE_NEXT.test(word) && !(word === '-e' && CONTAINERS.test(program));
      return isCode ? [at, at + 1] : [];
    }),
  );
}

/**
 * Returns the index after the first argument that names the launched program: neither an option nor the value of an option.
 * A Python module does not count, because many modules run their arguments.
 */
function launchedProgramEnd(words: readonly string[]): number {
  const program = words.findIndex((word, at) => {
    const before = words[at - 1] ?? '';
    const mayBeValue = /^-[^=]*$/.test(before) && !SWITCH.test(before);
    return (
      !word.startsWith('-') &&
      !mayBeValue &&
      !LAUNCHER_SUBCOMMAND.test(word) &&
      !isAnyLauncher(word)
    );
  });
  return program < 0 ? words.length : program + 1;
}

function isAnyLauncher(word: string): boolean {
  const program = programName(word);
  return isLauncher(program) || INTERPRETERS.test(program);
}

/**
 * Folders of version managers and editors with a version in their name. Every repetition is bounded, because an argument is
 * any text.
 */
const VERSIONED = new RegExp(
  String.raw`((?:^|=)~[\\/]\.(?:${[
    String.raw`nvm[\\/]versions[\\/]node[\\/]`,
    String.raw`(?:pyenv|rbenv|nodenv)[\\/]versions[\\/]`,
    String.raw`(?:asdf|local[\\/]share[\\/]mise)[\\/]installs[\\/](?:node|nodejs|python|ruby|java|go|golang|bun|deno)[\\/]`,
    String.raw`volta[\\/]tools[\\/]image[\\/]node[\\/]`,
    String.raw`local[\\/]share[\\/]fnm[\\/]node-versions[\\/]`,
    String.raw`(?:vscode|cursor|windsurf)[\w-]{0,16}[\\/]extensions[\\/][\w-]{1,64}\.(?:[\w-]{0,64}-)?[a-z_]\w{0,64}-`,
  ].join(
    '|',
  )}))v?\d{1,8}(?:\.\d{1,8}){1,3}(?:-(?:linux|darwin|win32|alpine|web|universal)(?:-(?:x64|arm64|armhf|ia32))?)?(?=[\\/])`,
  'i',
);

/** Another version of an interpreter or extension counts as the same program. */
const stripVersion = (text: string) => text.replace(VERSIONED, '$1#');

/** Paths below the home folder, except in folders that begin with a dot. */
const IN_HOME = /~[\\/]+(?![.\\/])[^\s:=,;"'|]+/g;
/** Folders with settings and keys whose names do not begin with a dot. */
const SETTINGS = /^(library|appdata|application data)$/i;
const FILE = /\.[a-z]\w{0,4}$/i;
/** Numbers from 1000 to 999999. Smaller numbers are modes and user ids. */
const PORT = /^(--?[\w-]+=)?[1-9]\d{3,5}$/;

/**
 * Returns an argument without parts that belong to a user: folders below the home folder (except settings, keys and paths
 * that lead out again) and bare numbers that may be ports. The file name of a path to code stays.
 */
function stripPersonalParts(argument: string, isCode: boolean): string {
  return stripVersion(argument)
    .replace(IN_HOME, (path) => {
      const [folder = '', ...below] = path.split(/[\\/]+/).slice(1);
      const isKept =
        SETTINGS.test(folder) || [folder, ...below].some((text) => /\.\.|~/.test(text));
      if (isKept) return path;
      const last = below.at(-1) ?? folder;
      return isCode || FILE.test(last) ? `~/*/${last}` : '~/*';
    })
    .replace(PORT, '$1#');
}

const hashFingerprint = (kind: 'launch' | 'permission', text: string): string =>
  createHash('sha256')
    .update(`${kind}\0${text}`)
    .digest('hex')
    .slice(0, 2 * FINGERPRINT_BYTES);

const launchFingerprint = (text: string) => hashFingerprint('launch', text);
const permissionFingerprint = (text: string) => hashFingerprint('permission', text);

const FINGERPRINT_BYTES = 16;
