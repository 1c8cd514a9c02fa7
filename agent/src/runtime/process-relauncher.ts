// Relaunches the agent for less memory. Run from source, Node keeps the compiler that strips the types (20 MB) and
// compiles everything anew, and its heap is sized for servers. These settings apply at start only, so the process
// replaces itself: once with the right settings, and again when compiled code of the whole service is cached.
import { flushCompileCache } from 'node:module';
import { defaultDataDir } from '../config/data-dir.ts';
import { codeCacheOf, useCodeCache } from './code-cache.ts';

/**
 * Flags of V8: a small nursery, because most of the agent's allocations are short-lived; no optimizing compilers,
 * because a process that runs for months and mostly waits never regains their cost; the baseline compiler pays at
 * scans.
 */
const SERVICE_FLAGS = [
  '--max-semi-space-size=1',
  ...['--optimize-for-size', '--no-opt', '--no-maglev', '--expose-gc'],
];
/**
 * Settings of malloc: a single arena (each thread would keep its peak otherwise), and large blocks returned at once.
 */
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

/** Child processes must not inherit the relaunch settings. */
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

/**
 * An approximation of the command line's parser is enough, because only the folder of compiled code depends on it.
 */
function dataDirOf(argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === '--data-dir' || word.startsWith('--data-dir='));
  if (at < 0) return null;
  return argv[at]?.slice('--data-dir='.length) || (argv[at + 1] ?? null);
}

function hasLoadedCompiler(): boolean {
  const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList.some((name) => name.includes('deps/amaro'));
}
