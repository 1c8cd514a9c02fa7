// The service in little memory. Run from source, Node keeps the compiler that strips the types (20 MB), and its heap is sized
// for servers. Both are settled before a program starts, so the service replaces itself: by one with the right settings, then,
// where the kept compiled code did not have everything yet, once more by one that finds it there and needs no compiler.
import { flushCompileCache } from 'node:module';
import { codeCacheOf } from './code-cache.ts';

/** A small nursery, and no compilers to machine code: a service that mostly waits pays more for them than they save. */
const NODE_FLAGS = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--expose-gc',
];
const STAGE = 'GATEWARDEN_AGENT_STAGE';

/** Replaces this process (same pid, same standard streams) where that saves memory; else it returns. */
export function relaunchLean(dataDir: string, env: NodeJS.ProcessEnv): void {
  if (env[STAGE] !== undefined || !canReplaceItself()) return;
  const cache = codeCacheOf(dataDir);
  if (cache === null) return;
  // One arena: each thread would else keep what it once needed.
  replace({ ...env, [STAGE]: 'first', NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '1' });
}

/** Called when everything is loaded and nothing is opened: the second replacement, where the first had to compile. */
export function relaunchCompiled(env: NodeJS.ProcessEnv): void {
  const stage = env[STAGE];
  if (stage === 'first' && hasLoadedCompiler()) {
    flushCompileCache();
    replace({ ...env, [STAGE]: 'second' });
  }
  for (const name of [STAGE, 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX']) {
    if (stage !== undefined) delete env[name];
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

function replace(env: NodeJS.ProcessEnv): void {
  const { execPath, execArgv, argv } = process;
  const flags = [...NODE_FLAGS, ...execArgv.filter((flag) => !NODE_FLAGS.includes(flag))];
  process.execve?.(execPath, [execPath, ...flags, ...argv.slice(1)], env);
}

function hasLoadedCompiler(): boolean {
  const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList.some((name) => name.includes('deps/amaro'));
}
