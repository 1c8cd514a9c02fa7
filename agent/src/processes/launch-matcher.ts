// Matches configured launches to running processes: the command's name and a distinctive argument must both occur.
import type { Owned } from '../discovery/scan/entity-assembler.ts';
import type { Launch } from '../discovery/source-contract.ts';
import { comparablePath, isWithin } from '../runtime/path-comparison.ts';
import { commandName } from './process-arguments.ts';

/** Runners give their process another name than the command that a configuration names. */
const ALSO_KNOWN_AS: Record<string, readonly string[]> = {
  npx: ['npm', 'node'],
  npm: ['node'],
  pnpx: ['pnpm', 'node'],
  pnpm: ['node'],
  yarn: ['node'],
  bunx: ['bun'],
  uvx: ['uv', 'python'],
  uv: ['python'],
  pipx: ['python'],
  poetry: ['python'],
  tsx: ['node'],
  'ts-node': ['node'],
  nodemon: ['node'],
  rails: ['ruby'],
  rake: ['ruby'],
  smithery: ['npx', 'npm', 'node', 'bunx', 'bun'],
  'mcp-remote': ['npx', 'npm', 'node', 'bunx', 'bun'],
  supergateway: ['npx', 'npm', 'node', 'bunx', 'bun'],
  'mcp-proxy': ['npx', 'npm', 'node', 'uvx', 'uv', 'python'],
  mcpo: ['uvx', 'uv', 'python'],
  podman: ['docker'],
  nerdctl: ['docker'],
};
/** The command may follow other commands that start it. */
const FIRST_WORDS = 4;

export interface RunningCommand {
  /** Base names of the executable. */
  name: string;
  words: readonly string[];
  /** The script's real path: packages are found by where they really lie. */
  script: string | null;
  /** The folder that it works in; null where it cannot be seen. */
  directory: string | null;
  /** The user as homes name their owners; null where unknown. */
  owner: string | null;
}

/**
 * True where this process is that launch. A home speaks for its own person's processes only. On Windows the words are
 * compared without their case, because another case of a path starts the same program.
 */
export function isLaunchedAs(
  launch: Owned<Launch>,
  running: RunningCommand,
  shorten: (path: string) => string,
  platform: string = process.platform,
): boolean {
  const { command, token, directory, owner } = launch;
  // Without a distinctive argument it is known by its executable or not at all.
  if (token === null || token === '') return false;
  if (owner !== null && owner !== running.owner) return false;
  if (directory != null && !isIn(directory, running, platform)) return false;
  const names = [running.name, ...running.words.slice(0, FIRST_WORDS).map(commandName)].map(
    withoutVersion,
  );
  const commands = [command, ...(ALSO_KNOWN_AS[command] ?? [])].map(withoutVersion);
  if (!commands.some((command) => names.includes(command))) return false;
  const words = [...running.words.slice(1), ...(running.script === null ? [] : [running.script])];
  const expected = comparablePath(token, platform);
  return words
    .flatMap((word) => [word, shorten(word)])
    .some((word) => includesToken(comparablePath(word, platform), expected));
}

/** A relative launch is the same words in every project: its process works in the project, or its script lies there. */
function isIn(folder: string, { directory, script }: RunningCommand, platform: string): boolean {
  const isFolder =
    directory !== null && comparablePath(directory, platform) === comparablePath(folder, platform);
  return isFolder || (script !== null && isWithin(folder, script, platform));
}

function withoutVersion(name: string): string {
  return name.replace(/^(python|pypy)[\d.]+[td]?$/, '$1').replace(/^node-\d+$/, 'node');
}

/** The token itself, as a fixed version of it, or as whole segments of a path. */
function includesToken(word: string, token: string): boolean {
  if (word === token) return true;
  if (word.startsWith(token) && /^(@|==|\[|:)/.test(word.slice(token.length))) return true;
  return `/${word.replaceAll('\\', '/')}/`.includes(`/${token.replaceAll('\\', '/')}/`);
}
