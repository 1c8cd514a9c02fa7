// What devices tell alike where they launch a product alike, or let it do the same: what an approval was given for is kept
// in this form, and a device that comes later is held against it. Pure.
import { createHash } from 'node:crypto';
import { isLauncher, programName } from '@gatewarden/shared/launchers.ts';
import { type Drift, permissionsOf, type Told } from './detect.ts';

/** What a device told of a product, as far as its forms go; `details` is any JSON. */
export interface ToldLaunch extends Told {
  source: string;
  details?: unknown;
}

export interface Forms {
  launches: Set<string>;
  /** Of its only hash, where it is launched in one way: where that was seen it is launched as seen, however it is told. */
  exact: string | null;
  /** Which permission each stands for. */
  permissions: Map<string, string>;
  /**
   * Where that is more than anybody looks at: of all of it, as these are the first of them only. They are not as seen
   * whatever was, but where somebody looked at just that.
   */
  whole: string | null;
}

/** Of a configuration that people write for themselves; what a package or a skill launches is the same everywhere. */
const PERSONAL_SOURCES = new Set(['mcp_config']);

/** What the device cut out. */
const CUT = '[cut]';
/** So many arguments a device tells. */
const ARGUMENTS_TOLD = 24;
/** What stands behind it, or in it, is code; behind these of Windows all that comes is. */
const CODE_NEXT = /^(-[a-z]{0,3}[ce]|--(eval|call|command|exec|print)(=.*)?)$/i;
const CODE_FROM_HERE = /^(\/[ck]|-(encoded)?command|-enc?)$/i;
/** Launchers by which agents name no server. */
const MORE_LAUNCHERS = /^(lua|osascript|nodemon|concurrently|pythonw)$/;
/** Words of launchers' own that stand before what they run: `uv run`, `npm exec`, variables. */
const OWN_WORD = /^(run|exec|x|dlx|tool|start|[A-Za-z_]\w*=.*)$/;
/** Options that take no value whatever the launcher. */
const SWITCH = /^(-[yqsBSO]|--(yes|quiet|silent|isolated|no-[\w-]+))$/;
const CONTAINERS = /^(docker|podman|nerdctl)(\.exe)?$/i;

/** What a device has of a product. */
interface Texts {
  launches: Set<string>;
  /** Of several nobody knows which is told: a device tells no more than 32, and more launches beside them. */
  exact: string | null;
  permissions: Set<string>;
}

/**
 * The forms in which a device has a product. `launch_hash` is over command, arguments and address; in configurations that
 * people write it differs from one to the next by their own folders and ports, which say nothing about the product. There
 * what is told of the launch counts, without these, and the hash where code is handed over that is not told. Where
 * there is one launch its hash is kept beside it: an agent of another release may tell the same otherwise.
 */
export function formsOf(told: ToldLaunch): Forms {
  const texts = textsOf(told);
  const permissions = [...texts.permissions].sort().slice(0, PERMISSIONS_LOOKED_AT);
  return {
    launches: new Set([...texts.launches].slice(0, LAUNCHES_LOOKED_AT).map(launchForm)),
    exact: texts.exact === null ? null : launchForm(texts.exact),
    permissions: new Map(permissions.map((permission) => [permissionForm(permission), permission])),
    whole: isTooMuch(texts) ? wholeForm(texts) : null,
  };
}

function textsOf(told: ToldLaunch): Texts {
  const hashes = [told.launch_hash, ...(told.instances ?? []).map((instance) => instance.launch_hash)].filter(
    (item) => item != null,
  );
  const launches = new Set(launchesOf(told, hashes));
  const [exact = null, ...more] = new Set(hashes);
  const isOnly = more.length === 0 && launches.size === 1 && asFields(told.details).cut !== true;
  return { launches, exact: isOnly ? exact : null, permissions: permissionsOf(told) };
}

const isTooMuch = ({ launches, permissions }: Texts) =>
  launches.size > LAUNCHES_LOOKED_AT || permissions.size > PERMISSIONS_LOOKED_AT;

function launchesOf(told: ToldLaunch, hashes: readonly string[]): readonly string[] {
  if (hashes.length === 0 || !PERSONAL_SOURCES.has(told.source)) return hashes;
  const { configured, cut } = asFields(told.details);
  const launches = (Array.isArray(configured) ? configured : []).map(launchOf);
  // What does not fit the device leaves out: what it left out goes by its hash.
  const isTold = cut !== true && launches.length > 0 && launches.every((launch) => launch.isTold);
  return [...launches.map((launch) => launch.shape), ...(isTold ? [] : hashes)];
}

function launchOf(raw: unknown): { shape: string; isTold: boolean } {
  const { transport, command, args, url } = asFields(raw);
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [];
  const code = codeIn(typeof command === 'string' ? command : '', words);
  const plain = words.map((word, at) => impersonal(word, code.has(at)));
  const program = typeof command === 'string' ? versionless(command) : null;
  return {
    shape: JSON.stringify([transport ?? null, program, plain, url ?? null]),
    isTold: words.length < ARGUMENTS_TOLD && ![...code].some((at) => words[at]?.includes(CUT)),
  };
}

/** Which words may be code, or say where it is. */
function codeIn(program: string, words: readonly string[]): Set<number> {
  const from = words.findIndex((word) => CODE_FROM_HERE.test(word));
  const leading = isAnyLauncher(program) ? endOfLaunched(words) : 0;
  return new Set(
    words.flatMap((word, at) => {
      if (at < leading || (from >= 0 && at >= from)) return at;
      // Containers take variables by `-e`.
      const isCode = CODE_NEXT.test(word) && !(word === '-e' && CONTAINERS.test(program));
      return isCode ? [at, at + 1] : [];
    }),
  );
}

/**
 * Behind the first word that is surely what is run: neither an option, nor what may be the value of one. A module of Python
 * is none: many of them run what comes behind them.
 */
function endOfLaunched(words: readonly string[]): number {
  const found = words.findIndex((word, at) => {
    const before = words[at - 1] ?? '';
    const mayBeValue = /^-[^=]*$/.test(before) && !SWITCH.test(before);
    return !word.startsWith('-') && !mayBeValue && !OWN_WORD.test(word) && !isAnyLauncher(word);
  });
  return found < 0 ? words.length : found + 1;
}

function isAnyLauncher(word: string): boolean {
  const program = programName(word);
  return isLauncher(program) || MORE_LAUNCHERS.test(program);
}

/**
 * Where version managers keep interpreters, and editors extensions, each version in a folder of its own. An argument is any
 * text: all that repeats is bounded.
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

/** The next version of an interpreter or of an extension is no other program. */
const versionless = (text: string) => text.replace(VERSIONED, '$1#');

/** Below the home: no folder that begins with a dot. */
const IN_HOME = /~[\\/]+(?![.\\/])[^\s:=,;"'|]+/g;
/** Where settings and keys lie though no dot says so. */
const SETTINGS = /^(library|appdata|application data)$/i;
const FILE = /\.[a-z]\w{0,4}$/i;
/** Small numbers say what may be done, and as whom. */
const PORT = /^(--?[\w-]+=)?[1-9]\d{3,5}$/;

/**
 * An argument without what is a person's own: the folders below the home in which a file lies, or one that is handed over
 * (but where settings and keys lie, and none that leads out again), and a bare number that may be a port. What a path to
 * code ends in stays.
 */
function impersonal(argument: string, isCode: boolean): string {
  return versionless(argument)
    .replace(IN_HOME, (path) => {
      const [folder = '', ...below] = path.split(/[\\/]+/).slice(1);
      const isKept = SETTINGS.test(folder) || [folder, ...below].some((text) => /\.\.|~/.test(text));
      if (isKept) return path;
      const last = below.at(-1) ?? folder;
      return isCode || FILE.test(last) ? `~/*/${last}` : '~/*';
    })
    .replace(PORT, '$1#');
}

const asFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const formOf = (kind: 'launch' | 'permission' | 'whole', text: string): string =>
  createHash('sha256')
    .update(`${kind}\0${text}`)
    .digest('hex')
    .slice(0, 2 * FORM_BYTES);

const launchForm = (text: string) => formOf('launch', text);
const permissionForm = (text: string) => formOf('permission', text);
const wholeForm = ({ launches, permissions }: Texts) =>
  formOf('whole', JSON.stringify([[...launches].sort(), [...permissions].sort()]));

const FORM_BYTES = 16;
/** Of a product that was looked at, whether or not it had a form. */
export const LOOKED_AT = '00'.repeat(FORM_BYTES);
/** Of one that was approved when nobody had it for whom: the first that comes under the approval says what was meant. */
export const NOBODY_YET = '11'.repeat(FORM_BYTES);
/** Of one that is launched in so many ways that nobody can have looked at each: none is held against them. */
export const TOO_MANY = 'ff'.repeat(FORM_BYTES);
/** On all devices. */
const LAUNCHES_MAX = 1_000;
const PERMISSIONS_MAX = 2_000;
/** On one device: else one could say so much that nothing of the product is held against any. */
const LAUNCHES_LOOKED_AT = 100;
/** An extension may have 256, and in another profile those of another version. */
const PERMISSIONS_LOOKED_AT = 500;

/** Ways of having a product that are told apart while it is looked at. */
const WAYS_MAX = 5_000;

/** What devices have of a product, gathered one by one, however many they are. */
export interface Gathered {
  add(told: ToldLaunch): void;
  /** What is to be kept; those that say most last, as far as there is room. */
  forms(): string[];
}

export function gatherSeen(): Gathered {
  const launches = new Set<string>();
  const exact = new Set<string>();
  const permissions = new Map<string, Set<string>>();
  const wholes = new Set<string>();
  return {
    add(told) {
      const texts = textsOf(told);
      if (isTooMuch(texts)) {
        addUpTo(wholes, [wholeForm(texts)], WAYS_MAX);
        return;
      }
      addUpTo(launches, texts.launches, LAUNCHES_MAX + LAUNCHES_LOOKED_AT);
      addUpTo(exact, texts.exact === null ? [] : [texts.exact], LAUNCHES_MAX);
      if (permissions.size >= WAYS_MAX || texts.permissions.size === 0) return;
      permissions.set(JSON.stringify([...texts.permissions].sort()), texts.permissions);
    },
    forms() {
      if (launches.size > LAUNCHES_MAX) return [LOOKED_AT, TOO_MANY];
      const may = withRoom([...permissions.values()]);
      const forms = [...launches, ...exact].map(launchForm);
      return [...new Set([LOOKED_AT, ...forms, ...wholes, ...may.map(permissionForm)])];
    },
  };
}

function addUpTo(into: Set<string>, texts: Iterable<string>, limit: number): void {
  for (const text of texts) if (into.size < limit) into.add(text);
}

function withRoom(all: readonly ReadonlySet<string>[]): string[] {
  const result = new Set<string>();
  for (const row of all.toSorted((a, b) => a.size - b.size)) {
    const added = [...row].filter((permission) => !result.has(permission));
    if (result.size + added.length > PERMISSIONS_MAX) continue;
    for (const permission of added) result.add(permission);
  }
  return [...result];
}

/** What is to be kept of a product that stands like this on devices, and that somebody has looked at. */
export function seenOf(all: readonly ToldLaunch[]): string[] {
  const gathered = gatherSeen();
  for (const launch of all) gathered.add(launch);
  return gathered.forms();
}

/** What is to be kept where nobody has looked: the first devices say what was meant, but none that says too much. */
export function meantBy(first: readonly ToldLaunch[]): string[] {
  return seenOf(first.filter((launch) => !isTooMuch(textsOf(launch))));
}

/** How a device has a product otherwise than it was seen; null where it has it so. */
export function unseenOf(forms: Forms, seen: ReadonlySet<string>): Drift | null {
  if (seen.has(TOO_MANY) || (forms.whole !== null && seen.has(forms.whole))) return null;
  const isExact = forms.exact !== null && seen.has(forms.exact);
  const launchChanged = !isExact && [...forms.launches].some((launch) => !seen.has(launch));
  const newPermissions = [...forms.permissions]
    .flatMap(([form, text]) => (seen.has(form) ? [] : text))
    .sort();
  if (launchChanged || newPermissions.length > 0) return { launchChanged, newPermissions };
  return forms.whole !== null ? { launchChanged: true, newPermissions } : null;
}
