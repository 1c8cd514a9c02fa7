// What a tenant wrote is carried out on whatever its callers send, and the process does nothing else meanwhile: patterns
// and schemas that take time with each other are stopped.
import { createContext, Script } from 'node:vm';

/** For what the tenant wrote. */
const OWN_MS = 1_000;
/** For what we look for ourselves in the same texts: several times what that takes on a busy machine. */
const MS_FOR_CHAR = 1 / 2_048;
/** So little is done before it could be measured: to measure costs a tenth of a millisecond. */
const SMALL = 1_024;

/** What is left of the time for one message: its rules share it. */
export interface TimeBudget {
  ms: number;
}

/** For a message in which so many letters are looked at besides. */
export const startTimeBudget = (chars = 0): TimeBudget => ({ ms: OWN_MS + chars * MS_FOR_CHAR });

/** Rules took too long with a message. */
export class ScanTimeoutError extends RangeError {
  constructor() {
    super('takes too long');
  }
}

/** Kept, for one of its own for each message would cost a millisecond; it holds nothing between two. */
const sandbox = createContext({ work: undefined });
const script = new Script('work()');

/** Carries out work that keeps nothing, on `value` and as often as `times` says. Throws TooSlow. */
export function runWithTimeBudget<T>(
  value: unknown,
  times: number,
  left: TimeBudget,
  work: () => T,
): T {
  const least = SMALL / Math.max(times, 1);
  if (sizeOf(value, least) <= least) return work();
  if (left.ms < 1) throw new ScanTimeoutError();
  const begun = performance.now();
  try {
    sandbox.work = work;
    return script.runInContext(sandbox, { timeout: Math.ceil(left.ms) }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ScanTimeoutError();
  } finally {
    sandbox.work = undefined;
    left.ms -= performance.now() - begun;
  }
}

/** In letters and members; it looks no further than it must to know that there are more than `most`. */
export function sizeOf(value: unknown, most: number): number {
  let size = 0;
  const isMore = (node: unknown): boolean => {
    size += typeof node === 'string' ? node.length : 1;
    if (size > most) return true;
    if (typeof node !== 'object' || node === null) return false;
    if (Array.isArray(node)) return node.some(isMore);
    return Object.entries(node).some(([name, value]) => isMore(name) || isMore(value));
  };
  isMore(value);
  return size;
}
