// The agent in little memory. Run from source, Node keeps the compiler that strips the types (20 MB) and compiles everything
// anew, and its heap is sized for servers. All of that is settled before a program starts, so this one replaces itself: by one
// with the right settings, and where the kept compiled code did not have the whole service yet, once more when it has.
import { flushCompileCache } from 'node:module';
import { defaultDataDir } from '../config/data-dir.ts';
import { codeCacheOf, useCodeCache } from './code-cache.ts';

/**
 * A small nursery, for what the agent makes it does not keep; and for what runs for months and mostly waits, optimising
 * compilers cost more than they save; the quick one pays at scans.
 */
const SERVICE_FLAGS = [
  '--max-semi-space-size=1',
  ...['--optimize-for-size', '--no-opt', '--no-maglev', '--expose-gc'],
];
/** One arena (each thread would else keep what it once needed), and large pieces given back at once. */
export const MALLOC_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const STAGE = 'GATEWARDEN_AGENT_STAGE';

/** Replaces this process (same pid, same standard streams) where that can be done; else it returns. */
export function relaunchWithMemorySettings(): void {
  const { env, argv } = process;
  const dataDir = dataDirOf(argv) ?? defaultDataDir(env);
  // A command is over before less memory would pay for a second start.
  if (!argv.includes('run')) {
    useCodeCache(dataDir);
    return;
  }
  if (env[STAGE] !== undefined || !canReplaceItself()) return;
  const cache = codeCacheOf(dataDir);
  if (cache === null) return;
  replace(SERVICE_FLAGS, 'first', {
    ...MALLOC_SETTINGS,
    NODE_COMPILE_CACHE: cache,
  });
}

/** Called when the whole service is loaded and nothing is opened yet. */
export function relaunchWithCompiledCode(): void {
  if (process.env[STAGE] === 'first' && hasLoadedCompiler()) {
    flushCompileCache();
    replace(SERVICE_FLAGS, 'second', {});
  }
  clearRelaunchStage();
}

/** Nothing that is started from here is to inherit how we were. */
export function clearRelaunchStage(): void {
  if (process.env[STAGE] === undefined) return;
  for (const name of [STAGE, 'NODE_COMPILE_CACHE', ...Object.keys(MALLOC_SETTINGS)]) {
    delete process.env[name];
  }
}

/** Gives memory back that a scan needed; nothing where the service was started without its settings. */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync' });
}

/** A channel to a parent would not outlive it; on Windows there is no such call. */
function canReplaceItself(): boolean {
  return process.execve !== undefined && process.platform !== 'win32' && !process.channel;
}

function replace(flags: readonly string[], stage: string, more: Record<string, string>): void {
  const { execPath, execArgv, argv, env } = process;
  const all = [...flags, ...execArgv.filter((flag) => !flags.includes(flag))];
  process.execve?.(execPath, [execPath, ...all, ...argv.slice(1)], {
    ...env,
    ...more,
    [STAGE]: stage,
  });
}

/** As the command line will read it; a guess is enough, for it only says where compiled code lies. */
function dataDirOf(argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === '--data-dir' || word.startsWith('--data-dir='));
  if (at < 0) return null;
  return argv[at]?.slice('--data-dir='.length) || (argv[at + 1] ?? null);
}

function hasLoadedCompiler(): boolean {
  const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList.some((name) => name.includes('deps/amaro'));
}
