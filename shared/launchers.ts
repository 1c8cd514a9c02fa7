// Programs that run what their words say, or that only start another: what agents name a server by, and what the hub takes
// for code. Data.

/** Their script is a word. */
export const INTERPRETERS =
  /^(node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|py|pypy3?|ruby|php|java|uv|poetry|perl|dotnet|go)$/;
export const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh', 'ash'],
]);
export const POWERSHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh']);
/** They fetch a package and run it. */
export const NODE_RUNNERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx']);
export const PYTHON_RUNNERS: ReadonlySet<string> = new Set(['uvx']);
/** These do behind a word of their own. */
const RUNNERS_BY_WORD = new Set(['npm', 'pnpm', 'yarn', 'pipx', 'dnx', 'nix']);

const WRAPPER_NAMES = [
  ...(['sudo', 'doas', 'runuser', 'nohup', 'exec', 'command', 'nice', 'ionice'] as const),
  ...(['chrt', 'taskset', 'timeout', 'gtimeout', 'time', 'stdbuf', 'setsid', 'flock'] as const),
  ...(['chroot', 'wsl', 'xvfb-run', 'caffeinate', 'dotenv', 'env-cmd', 'cross-env'] as const),
  ...(['corepack', 'dotenvx', 'volta', 'op', 'doppler', 'infisical', 'conda', 'mamba'] as const),
  ...(['micromamba', 'mise', 'rtx', 'asdf', 'fnm', 'direnv'] as const),
];
/** A program that starts another one. */
export type WrapperName = (typeof WRAPPER_NAMES)[number];
const WRAPPERS = new Set<string>([...WRAPPER_NAMES, 'env', 'su', 'cmd']);

/** What a program is called: its file without folder and without Windows' endings. */
export function programName(command: string): string {
  return command
    .slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
    .replace(/\.(exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

/** True where what runs in the end is said by the words behind it. */
export function isLauncher(program: string): boolean {
  return (
    INTERPRETERS.test(program) ||
    [SHELLS, POWERSHELLS, NODE_RUNNERS, PYTHON_RUNNERS, RUNNERS_BY_WORD, WRAPPERS].some((names) =>
      names.has(program),
    )
  );
}
