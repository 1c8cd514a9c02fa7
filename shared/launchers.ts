// Interpreters, package runners and wrappers: programs that start another program or script from their arguments.
// Agents derive the name of an MCP server from them, and the hub recognizes code with them. Data.

/** Interpreters take their script as an argument. */
export const INTERPRETERS =
  /^(node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|py|pypy3?|ruby|php|java|uv|poetry|perl|dotnet|go)$/;
export const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh', 'ash'],
]);
export const POWERSHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh']);
/** Runners that fetch a package and execute it. */
export const NODE_RUNNERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx']);
export const PYTHON_RUNNERS: ReadonlySet<string> = new Set(['uvx']);
/** Runners that execute a package only with a subcommand. */
const RUNNERS_BY_WORD = new Set(['npm', 'pnpm', 'yarn', 'pipx', 'dnx', 'nix']);

const WRAPPER_NAMES = [
  ...(['sudo', 'doas', 'runuser', 'nohup', 'exec', 'command', 'nice', 'ionice'] as const),
  ...(['chrt', 'taskset', 'timeout', 'gtimeout', 'time', 'stdbuf', 'setsid', 'flock'] as const),
  ...(['chroot', 'wsl', 'xvfb-run', 'caffeinate', 'dotenv', 'env-cmd', 'cross-env'] as const),
  ...(['corepack', 'dotenvx', 'volta', 'op', 'doppler', 'infisical', 'conda', 'mamba'] as const),
  ...(['micromamba', 'mise', 'rtx', 'asdf', 'fnm', 'direnv', 'nix-shell', 'pixi'] as const),
  ...(['pipenv', 'inspector', 'sops', 'pkgx', 'mcp-stdio-to-http', 'gosu'] as const),
  ...([
    'pdm',
    'hatch',
    'rye',
    'bundle',
    'aws-vault',
    'chamber',
    'teller',
    'varlock',
    'tini',
  ] as const),
  ...([
    'dumb-init',
    'arch',
    'winpty',
    'firejail',
    'systemd-run',
    'devbox',
    'flox',
    'poetry',
  ] as const),
  ...(['supergateway', 'mcp-proxy', 'mcpo', 'mcp-remote', 'smithery', 'nodemon'] as const),
];
/** A program that starts another program. */
export type WrapperName = (typeof WRAPPER_NAMES)[number];
const WRAPPERS = new Set<string>([...WRAPPER_NAMES, 'env', 'su', 'cmd']);

/** The option syntax of an interpreter's command line. */
export interface InterpreterOptions {
  /** Options that take the next argument as their value. */
  valued: ReadonlySet<string>;
  /** Options after which code follows, or no script. */
  code: ReadonlySet<string>;
  /** Options after which a module name follows. */
  module: ReadonlySet<string>;
}

const options = (valued: string, code: string, module = ''): InterpreterOptions => {
  const words = (text: string) => new Set(text.split(' ').filter((word) => word !== ''));
  return { valued: words(valued), code: words(code), module: words(module) };
};

const INTERPRETER_OPTIONS: readonly (readonly [RegExp, InterpreterOptions])[] = [
  // Python without its global lock is `python3.13t`; Fedora installs Node as `node-22`.
  [
    /^((python|pypy)[\d.]*[td]?|py|pythonw)$/,
    options('-W -X --check-hash-based-pycs', '-c -', '-m'),
  ],
  [
    /^(node(js)?(-\d+)?|bun|deno|tsx|ts-node|nodemon)$/,
    options(
      '-r --require --import --loader --experimental-loader --env-file -C --conditions',
      '-e -p -pe --eval --print -',
    ),
  ],
  [/^ruby[\d.]*$/, options('-I -r -C -E', '-e -')],
  [/^perl[\d.]*$/, options('-I -M -m', '-e -E -')],
  [
    /^(java|php[\d.]*|lua[\d.]*|Rscript|wish|tclsh[\d.]*|dotnet|osascript)$/,
    options('-cp -classpath --class-path -p --module-path -d', '-e -r -', '-m --module'),
  ],
  [
    /^((ba|da|z|k|mk|fi|tc|c|a)?sh|busybox)$/,
    options('-o -O --rcfile --init-file', '-c -lc -ic -lic -'),
  ],
];

/** Returns the option syntax of an interpreter; null for any other program. */
export function interpreterOptions(program: string): InterpreterOptions | null {
  return INTERPRETER_OPTIONS.find(([pattern]) => pattern.test(program))?.[1] ?? null;
}

/**
 * Returns the name of a program: the file name without folder and without executable extensions of Windows, in lower
 * case.
 */
export function programName(command: string): string {
  return command
    .slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
    .replace(/\.(exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

/** Returns whether the arguments of the program determine the code that it runs. */
export function isLauncher(program: string): boolean {
  return (
    INTERPRETERS.test(program) ||
    [SHELLS, POWERSHELLS, NODE_RUNNERS, PYTHON_RUNNERS, RUNNERS_BY_WORD, WRAPPERS].some((names) =>
      names.has(program),
    )
  );
}
