// The target of a launch and its place: the result of reading a command line. Pure.
import { programName } from '@gatewarden/shared/launchers.ts';
import { behindPlaceholders, belowProjectRoot } from '../sources/lib/placeholders.ts';
import type { Registry } from './packages.ts';

/** The thing that runs in the end. All texts are raw. */
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
  /** The executable of the process that runs the target. */
  command: string;
  target: Target;
  /** The word of the configuration that names the target. */
  word: string | null;
  /** The folder that a relative target lies in, as it is written; null: the folder of the configuration's project. */
  directory: string | null;
  /** The project decides which code runs although no path names it, as for `npm start`. */
  inProject: boolean;
  /** Words beside the target that decide which code runs. */
  context: string[];
  /** The container that the target runs in. */
  container: Container | null;
}

export type Container =
  | { kind: 'image'; word: string }
  | { kind: 'running'; runtime: string; word: string };

/** A launch with nothing but its runner and its target. */
export const launchOf = (
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

/** A server elsewhere, and the program that connects to it. */
export const addressLaunch = (url: string, runner = ''): ParsedLaunch =>
  launchOf(runner, { kind: 'address', url }, { word: url });

/** Returns true for a file that an interpreter would run, including interpreters that the table does not contain. */
export const isCodeFile = (word: string): boolean =>
  /^[^-\s][^\s:]*\.(?:[cm]?[jt]sx?|pyw?|rb|sh|bash|php|pl|lua|jl|r|exs?|erl|go|rs|jar|dll|ps1|bat|cmd|scm|rkt|clj|kts?|swift|dart|wasm|scala|sc|groovy|fsx|csx|nim|cr|zig|hs|ml)$/i.test(
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

/** Returns true for a program that takes another command as its arguments. */
export const isLauncherWord = (word: string): boolean => LAUNCHER_WORDS.has(programName(word));

/** Returns true for a text that is a command line of its own. */
export const isCommandLine = (word: string): boolean =>
  /\s/.test(word) && isLauncherWord(/^\s*(\S+)/.exec(word)?.[1] ?? '');

/** Returns a path below the project in a normal form; null where it lies elsewhere. */
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
