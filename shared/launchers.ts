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
/** A program that starts another one. */
export type WrapperName = (typeof WRAPPER_NAMES)[number];
const WRAPPERS = new Set<string>([...WRAPPER_NAMES, 'env', 'su', 'cmd']);

/** How the words of an interpreter's command line are read. */
export interface InterpreterOptions {
  /** Options that take the next word. */
  valued: ReadonlySet<string>;
  /** Behind one of these there is code, or nothing, and no script. */
  code: ReadonlySet<string>;
  /** Behind one of these the name of a module follows. */
  module: ReadonlySet<string>;
}

const options = (valued: string, code: string, module = ''): InterpreterOptions => {
  const words = (text: string) => new Set(text.split(' ').filter((word) => word !== ''));
  return { valued: words(valued), code: words(code), module: words(module) };
};

const INTERPRETER_OPTIONS: readonly (readonly [RegExp, InterpreterOptions])[] = [
  // Python without its global lock is `python3.13t`; Fedora's real file of Node is `node-22`.
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

/** How an interpreter reads its words; null for a program that is none. */
export function interpreterOptions(program: string): InterpreterOptions | null {
  return INTERPRETER_OPTIONS.find(([pattern]) => pattern.test(program))?.[1] ?? null;
}

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
