// The two programs as a user runs them: child processes with folders of their own, ended by their own pid.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');
export const HUB_MAIN = join(ROOT, 'hub/src/main.ts');
export const AGENT_MAIN = join(ROOT, 'agent/src/main.ts');
/** Compiled code kept between starts of a release, which halves what a hub's start costs; the agent sees to it itself. */
const codeCacheOf = (main: string) =>
  join(dirname(main), '../../node_modules/.cache/gatewarden-tests');

/** A machine that runs tests is busy, and whoever waits for a device here does not want to wait for minutes. */
export const POLLED_SOON = { HUB_POLL_SECONDS_MAX: '1' };

export interface Program {
  child: ChildProcess;
  /** The lines of standard error so far. */
  lines: string[];
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string | null>;
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts a program and waits for its line with `ready`; a program that ends before is an error. */
export async function startProgram(
  main: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Program> {
  const program = spawnProgram(main, args, env);
  await new Promise<void>((resolve, reject) => {
    program.child.stderr?.on('data', () => {
      if (program.lines.some((line) => line.includes('"event":"ready"'))) resolve();
    });
    void program.ended.then((code) =>
      reject(new Error(`${main} ended with ${code}: ${program.lines.slice(-5).join('\n')}`)),
    );
  });
  return program;
}

/** Starts a program without waiting for anything. */
export function spawnProgram(main: string, args: string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: ROOT,
    env: environment(main, env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => lines.push(line));
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  return {
    child,
    lines,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

function environment(main: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const code = main === AGENT_MAIN ? {} : { NODE_COMPILE_CACHE: codeCacheOf(main) };
  return { ...process.env, ...code, ...(main === HUB_MAIN ? POLLED_SOON : {}), ...env };
}

export interface CommandResult {
  code: number | null;
  out: string;
  problem: string;
}

/** Runs a command to its end. */
export async function runCommand(
  main: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  stdin = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: ROOT,
    env: environment(main, env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(stdin);
  const [out, problem, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { code, out, problem };
}

/** Runs a command and returns its JSON output; a failure is an error with the command's message. */
export async function jsonCommand<T>(
  main: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  stdin = '',
): Promise<T> {
  const result = await runCommand(main, [...args, '--json'], env, stdin);
  if (result.code !== 0) throw new Error(`${args.join(' ')}: ${result.problem}`);
  return JSON.parse(result.out) as T;
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
