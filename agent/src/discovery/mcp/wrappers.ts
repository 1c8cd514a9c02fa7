// Wrappers: programs and packages that only start another program. A new wrapper is a new row. Pure.
import {
  POWERSHELLS,
  programName,
  SHELLS,
  type WrapperName,
} from '@gatewarden/shared/launchers.ts';
import { startsWithPlaceholder } from '../sources/lib/placeholders.ts';
import { ASSIGNMENT, readShellScript, splitWords } from './command-line.ts';
import { type PackageRun, readPackageName, readPackageRun } from './packages.ts';

interface Wrapper {
  /** The word behind which the inner command begins; none: at once. */
  after?: RegExp;
  /** Options that take the next word. */
  valued?: RegExp;
  /** So many words of the wrapper's own come before the inner command. */
  words?: number;
  /** Options that contain the inner command as a text. */
  line?: RegExp;
  /** Its words are a command only where an option contains it. */
  onlyLine?: true;
  /** Options that contain a server's address. */
  address?: RegExp;
  /** The first word may be a server's address in place of a command. `only`: it always is. */
  takesAddress?: true | 'only';
  /** Options that contain the working folder of the inner command. */
  directory?: RegExp;
  /** The inner command comes from the environment of the project that the wrapper is started in. */
  inProject?: true;
}

const AS_SOMEBODY: Wrapper = {
  valued:
    // A short flag with its value in the same word (`-uroot`) does not take the next argument.
    /^(-(?:(?![ugpCDRTrthU])[a-zA-Z])*[ugpCDRTrthU]|--(user|group|prompt|close-from|chdir|chroot|role|type|host|other-user|command-timeout))$/,
};
const IN_AN_ENVIRONMENT: Wrapper = {
  after: /^run$/,
  valued: /^(-n|--name|-p|--prefix|--cwd)$/,
  directory: /^--cwd$/,
};
const BRIDGE_OPTIONS =
  /^(-H|-e|--(headers?|transport|host|port|auth-timeout|resource|env|sse-host|sse-port|endpoint|server|type|api-key|oauth2Bearer|baseUrl|ssePath|messagePath|healthEndpoint|logLevel|outputTransport|static-oauth-[\w-]+|ignore-tool))$/;

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<WrapperName, Wrapper>([
  ['sudo', AS_SOMEBODY],
  ['doas', AS_SOMEBODY],
  [
    'runuser',
    {
      valued: /^(-[ugGsw]|--(user|group|supp-group|shell|whitelist-environment))$/,
      line: /^(-c|--command)$/,
    },
  ],
  ['gosu', { words: 1 }],
  ['nohup', {}],
  ['exec', { valued: /^-[cl]*a$/ }],
  ['command', {}],
  ['nice', { valued: /^(-n|--adjustment)$/ }],
  ['ionice', { valued: /^(-[cn]|--class|--classdata)$/ }],
  ['chrt', { words: 1 }],
  ['taskset', { words: 1 }],
  ['timeout', { valued: /^(-[ks]|--kill-after|--signal)$/, words: 1 }],
  ['gtimeout', { valued: /^(-[ks]|--kill-after|--signal)$/, words: 1 }],
  ['time', { valued: /^(-[fo]|--format|--output)$/ }],
  ['stdbuf', { valued: /^(-[ioe]|--input|--output|--error)$/ }],
  ['setsid', {}],
  [
    'flock',
    {
      valued: /^(-[wE]|--timeout|--wait|--conflict-exit-code)$/,
      words: 1,
      line: /^(-c|--command)$/,
    },
  ],
  ['chroot', { words: 1 }],
  ['arch', {}],
  ['winpty', {}],
  ['tini', { valued: /^-[pe]$/ }],
  ['dumb-init', { valued: /^(-r|--rewrite)$/ }],
  ['firejail', {}],
  ['systemd-run', { valued: /^(-[pEu]|--(unit|property|setenv|uid|gid|slice))$/ }],
  ['wsl', { valued: /^(-[du]|--distribution|--user|--cd|--shell-type)$/, directory: /^--cd$/ }],
  ['xvfb-run', { valued: /^(-[nsefpw]|--server-num|--server-args|--auth-file|--error-file)$/ }],
  ['caffeinate', { valued: /^-[tw]$/ }],
  ['dotenv', { valued: /^-[evpf]$/ }],
  ['env-cmd', { valued: /^(-[frex]|--file|--environments|--rc-file)$/ }],
  ['cross-env', {}],
  ['corepack', {}],
  ['pkgx', {}],
  ['inspector', { valued: /^(-e|--(config|server|transport))$/, takesAddress: true }],
  ['dotenvx', { after: /^run$/, valued: /^(-[fe]|--env-file|--env)$/ }],
  ['volta', { after: /^run$/, valued: /^--(node|npm|yarn|pnpm)$/ }],
  ['op', { after: /^run$/, valued: /^--(env-file|account)$/ }],
  [
    'doppler',
    { after: /^run$/, valued: /^(-[pct]|--project|--config|--token)$/, line: /^--command$/ },
  ],
  ['infisical', { after: /^run$/, valued: /^--(env|path|token|projectId)$/, line: /^--command$/ }],
  ['varlock', { after: /^run$/ }],
  ['teller', { after: /^run$/ }],
  ['aws-vault', { after: /^exec$/, words: 1 }],
  ['chamber', { after: /^exec$/, words: 1 }],
  ['sops', { after: /^exec-env$/, words: 1 }],
  ['conda', IN_AN_ENVIRONMENT],
  ['mamba', IN_AN_ENVIRONMENT],
  ['micromamba', IN_AN_ENVIRONMENT],
  ['mise', { after: /^(exec|x)$/, line: /^(-c|--command)$/, directory: /^(-C|--cd)$/ }],
  ['rtx', { after: /^(exec|x)$/ }],
  ['asdf', { after: /^exec$/ }],
  ['fnm', { after: /^exec$/, valued: /^--using$/ }],
  ['direnv', { after: /^exec$/, words: 1 }],
  ['devbox', { after: /^run$/ }],
  ['flox', { after: /^activate$/, line: /^-c$/ }],
  ['nix-shell', { line: /^--(run|command)$/, valued: /^(-I|-A|--arg|--argstr)$/ }],
  ['poetry', { after: /^run$/, directory: /^(-C|--directory|-P|--project)$/, inProject: true }],
  ['pdm', { after: /^run$/, directory: /^(-p|--project)$/, inProject: true }],
  ['pipenv', { after: /^run$/, inProject: true }],
  ['hatch', { after: /^run$/, inProject: true }],
  ['rye', { after: /^run$/, inProject: true }],
  ['pixi', { after: /^run$/, valued: /^(-e|--environment|--manifest-path)$/, inProject: true }],
  ['bundle', { after: /^exec$/, inProject: true }],
  [
    'supergateway',
    {
      line: /^--stdio$/,
      onlyLine: true,
      address: /^--(sse|streamableHttp|streamable-http)$/,
      valued: BRIDGE_OPTIONS,
    },
  ],
  ['nodemon', { line: /^(-x|--exec)$/, onlyLine: true }],
  ['mcp-proxy', { takesAddress: true, valued: BRIDGE_OPTIONS }],
  ['mcpo', { takesAddress: true, valued: BRIDGE_OPTIONS }],
  ['mcp-remote', { takesAddress: 'only', valued: BRIDGE_OPTIONS }],
  ['mcp-stdio-to-http', { takesAddress: 'only', valued: BRIDGE_OPTIONS }],
]);

/** Packages that provide a wrapper, an interpreter or a task runner: the program's name by the package's. */
const PACKAGED: ReadonlyMap<string, string> = new Map([
  ['npm:dotenv-cli', 'dotenv'],
  ['npm:@dotenvx/dotenvx', 'dotenvx'],
  ['npm:cross-env', 'cross-env'],
  ['npm:cross-env-shell', 'cross-env'],
  ['npm:env-cmd', 'env-cmd'],
  ['npm:@infisical/cli', 'infisical'],
  ['npm:varlock', 'varlock'],
  ['npm:supergateway', 'supergateway'],
  ['npm:mcp-proxy', 'mcp-proxy'],
  ['npm:mcp-remote', 'mcp-remote'],
  ['npm:@pyroprompts/mcp-stdio-to-streamable-http-adapter', 'mcp-stdio-to-http'],
  ['npm:@modelcontextprotocol/inspector', 'inspector'],
  ['pypi:mcp-proxy', 'mcp-proxy'],
  ['pypi:mcpo', 'mcpo'],
  ['pypi:python-dotenv', 'dotenvx'],
]);
/** Packages with a runner as their executable, and the program that defines their arguments. */
const PACKAGED_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ...['tsx', 'ts-node', 'node', 'nodemon', 'bun', 'deno', 'npm', 'pnpm', 'yarn', 'nx', 'turbo'].map(
    (name): [string, string] => [`npm:${name}`, name],
  ),
  ['npm:@smithery/cli', 'smithery'],
  ['pypi:mcp', 'mcp'],
  ['pypi:fastmcp', 'fastmcp'],
  ['pypi:uv', 'uv'],
]);

/** Returns true for a package that only starts another program. */
export function isWrapperPackage(registry: string, spec: string): boolean {
  return PACKAGED.has(`${registry}:${readPackageName(spec).name.toLowerCase()}`);
}

/** Modules of Python that are programs: `python -m pipx run acme`. */
const MODULES: ReadonlyMap<string, string> = new Map([
  ...[
    'uv',
    'pipx',
    'poetry',
    'pdm',
    'hatch',
    'pipenv',
    'mcp',
    'fastmcp',
    'uvicorn',
    'gunicorn',
  ].map((name): [string, string] => [name, name]),
  ...['hypercorn', 'streamlit', 'flask', 'invoke', 'nox', 'tox', 'doit', 'mcpo'].map(
    (name): [string, string] => [name, name],
  ),
  ['mcp_proxy', 'mcp-proxy'],
  ['dotenv', 'dotenvx'],
  ['django', 'django-admin'],
]);

/** A command line without the wrappers before it. */
export interface Unwrapped {
  words: string[];
  /** The folder that the wrappers change to, as it is written. */
  directory: string | null;
  inProject: boolean;
  /** The wrapper that connects to a server's address, which is then the only word; null for a command. */
  bridge: string | null;
}

const MAX_WRAPPERS = 8;

/** Removes the wrappers before a command: `env A=b`, `cmd /c`, `sh -c "command"`, `npx dotenv-cli -- …`. */
export function unwrap(words: string[]): Unwrapped {
  let current: Unwrapped = { words, directory: null, inProject: false, bridge: null };
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const inner = unwrapOnce(current.words);
    if (inner === null || inner.words.length === 0) break;
    current = {
      words: inner.words,
      directory: joinFolders(current.directory, inner.directory ?? null),
      inProject: current.inProject || inner.inProject === true,
      bridge: inner.bridge ?? null,
    };
    if (current.bridge !== null) break;
  }
  return current;
}

/** Joins a directory to its base; an absolute directory replaces the base. The file system is not asked. */
export function joinFolders(base: string | null, folder: string | null): string | null {
  if (folder === null) return base;
  const isAbsolute = /^([\\/~]|[A-Za-z]:[\\/])/.test(folder) || startsWithPlaceholder(folder);
  return base === null || isAbsolute ? folder : `${base}/${folder}`;
}

type Inner = Pick<Unwrapped, 'words'> & Partial<Unwrapped>;

function unwrapOnce(words: readonly string[]): Inner | null {
  const [first = '', ...rest] = words;
  const program = programName(first);
  if (ASSIGNMENT.test(first)) return { words: rest };
  if (program === 'env') return behindVariables(rest);
  if (program === 'cmd') return behindCmd(rest);
  if (SHELLS.has(program)) return behindShell(rest);
  if (POWERSHELLS.has(program)) {
    const inner = wordsBehind(/^-c(ommand)?$/i, rest);
    return inner && readCommandWords(inner);
  }
  if (program === 'su') {
    const inner = wordsBehind(COMMAND_OPTION, rest);
    return inner && readShellScript(inner[0] ?? '');
  }
  if (program === 'nix' && /^(shell|develop)$/.test(rest[0] ?? '')) {
    const inner = wordsBehind(COMMAND_OPTION, rest);
    return inner && { words: inner };
  }
  return unwrapModule(program, rest) ?? unwrapProgram(program, rest) ?? unwrapPackage(words);
}

const COMMAND_OPTION = /^(-c|--command)$/;

/** Returns the words behind the first that matches; null where none does. */
function wordsBehind(option: RegExp, words: readonly string[]): string[] | null {
  const at = words.findIndex((word) => option.test(word));
  return at < 0 ? null : words.slice(at + 1);
}

function unwrapModule(program: string, rest: readonly string[]): Inner | null {
  if (rest[0] !== '-m' || !/^(python[\d.]*|py)$/.test(program)) return null;
  const module = MODULES.get(rest[1] ?? '');
  return module === undefined ? null : { words: [module, ...rest.slice(2)] };
}

function unwrapPackage(words: readonly string[]): Inner | null {
  const run = readPackageRun(words);
  if (run === null) return null;
  if (run.spec === '') return run.call === null ? null : readShellScript(run.call);
  const id = `${run.registry}:${readPackageName(run.spec).name.toLowerCase()}`;
  const direct = programIn(run, PACKAGED_PROGRAMS.get(id));
  if (direct !== undefined) return { words: [direct, ...run.args] };
  const wrapper = programIn(run, PACKAGED.get(id));
  return wrapper === undefined ? null : unwrapProgram(wrapper, run.args);
}

/** A package may contain several programs: `--package typescript --package ts-node ts-node`. */
const programIn = (run: PackageRun, program: string | undefined): string | undefined =>
  program ??
  (run.bin !== null && [...PACKAGED_PROGRAMS.values()].includes(run.bin) ? run.bin : undefined);

function behindVariables(rest: readonly string[]): Inner | null {
  let directory: string | null = null;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (/^(-C|--chdir)$/.test(word)) directory = rest[++at] ?? null;
    else if (/^--chdir=/.test(word)) directory = word.slice('--chdir='.length);
    else if (/^(-u|--unset)$/.test(word)) at++;
    else if (/^(-S|--split-string)$/.test(word)) {
      return { words: [...splitWords(rest[at + 1] ?? ''), ...rest.slice(at + 2)], directory };
    } else if (!word.startsWith('-') && !ASSIGNMENT.test(word)) {
      return { words: rest.slice(at), directory };
    }
  }
  return null;
}

function behindCmd(rest: readonly string[]): Inner | null {
  const at = rest.findIndex((word) => !/^\/[a-bd-jl-z](:\w+)?$/i.test(word));
  return /^\/[ck]$/i.test(rest[at] ?? '') ? readCommandWords(rest.slice(at + 1)) : null;
}

function behindShell(rest: readonly string[]): Inner | null {
  const at = rest.findIndex(
    (word, index) => !/^-/.test(word) && !/^-[a-z]*o$/.test(rest[index - 1] ?? ''),
  );
  const flag = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  // Behind a script's name an option is the script's.
  return flag < 0 || (at >= 0 && at < flag) ? null : readShellScript(rest[flag + 1] ?? '');
}

/** Words that a shell of Windows joins and runs. */
function readCommandWords(words: readonly string[]): Inner | null {
  if (words.length === 1) return readShellScript(words[0] ?? '');
  return words.some((word) => /[;&|<>`\n(]/.test(word)) ? null : { words: [...words] };
}

function unwrapProgram(program: string, rest: readonly string[]): Inner | null {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return null;
  const { after } = wrapper;
  const from = after === undefined ? 0 : rest.findIndex((word) => after.test(word)) + 1;
  if (after !== undefined && from === 0) return null;
  const dashes = rest.indexOf('--', from);
  const own = rest.slice(from, dashes < 0 ? undefined : dashes);
  // `mise exec node@22 -- npx …`: the words before are versions.
  const isBehindDashes = dashes >= 0 && after !== undefined;
  const inner =
    readNamed(program, wrapper, own) ??
    readInner(
      program,
      wrapper,
      isBehindDashes ? rest.slice(dashes + 1) : behindOptions(wrapper, rest.slice(from)),
    );
  if (inner === null) return null;
  const directory = joinFolders(readDirectory(wrapper, rest), inner.directory ?? null);
  return { ...inner, directory, inProject: wrapper.inProject === true };
}

/** Reads the words behind a wrapper's options: an address, a text, or the command itself. */
function readInner(program: string, wrapper: Wrapper, words: string[] | null): Inner | null {
  const [first = ''] = words ?? [];
  if (words === null) return null;
  if (wrapper.takesAddress !== undefined) {
    const isAddress = /^(https?|wss?):\/\//i.test(first);
    const isVariable = words.length === 1 && startsWithPlaceholder(first);
    if (wrapper.takesAddress === 'only' || isAddress || isVariable) {
      return readAddress(program, words);
    }
  }
  if (wrapper.onlyLine === true) return null;
  return words.length === 1 && /\s/.test(first) ? readShellScript(first) : { words };
}

/** The folder that an option before the inner command names. */
function readDirectory(wrapper: Wrapper, rest: readonly string[]): string | null {
  if (wrapper.directory === undefined) return null;
  for (const [at, word] of rest.entries()) {
    if (word === '--') break;
    const [, option = word, joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (wrapper.directory.test(option)) return joined ?? rest[at + 1] ?? null;
  }
  return null;
}

/** Returns the inner command or address in an option. */
function readNamed(program: string, wrapper: Wrapper, own: readonly string[]): Inner | null {
  for (const [at, word] of own.entries()) {
    const [, option = word, joined] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const value = joined ?? own[at + 1] ?? '';
    if (wrapper.address?.test(option)) return { words: [value], bridge: program };
    // Behind an option that names a user, the words are a program's and no line of a shell.
    const isPlain = program === 'runuser' && own.some((argument) => /^(-u|--user)/.test(argument));
    if (wrapper.line?.test(option) && !isPlain) return readShellScript(value);
  }
  return null;
}

function behindOptions(wrapper: Wrapper, rest: readonly string[]): string[] | null {
  let left = wrapper.words ?? 0;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (wrapper.valued?.test(word)) at++;
    else if (word.startsWith('-') || ASSIGNMENT.test(word)) continue;
    else if (left-- === 0) return rest.slice(at);
  }
  return null;
}

function readAddress(bridge: string, words: readonly string[]): Inner | null {
  const address =
    words.find((word) => /^(https?|wss?):\/\//i.test(word)) ?? words.find(startsWithPlaceholder);
  return address === undefined ? null : { words: [address], bridge };
}
