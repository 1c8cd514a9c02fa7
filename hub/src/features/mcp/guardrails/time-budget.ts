// Time budget for patterns and schemas of tenants: they run on any content, and block the process while they run.
import { createContext, Script } from 'node:vm';

/** Budget for patterns and schemas of the tenant. */
const OWN_MS = 1_000;
/** Budget per character for built-in detectors: several times their duration on a busy machine. */
const MS_FOR_CHAR = 1 / 2_048;
/** Work below this size runs without measurement, which costs 0.1 ms. */
const SMALL = 1_024;

/** The remaining time for a message, which all guardrails share. */
export interface TimeBudget {
  ms: number;
}

/** Returns the budget for a message of `chars` characters. */
export const startTimeBudget = (chars = 0): TimeBudget => ({ ms: OWN_MS + chars * MS_FOR_CHAR });

/** Guardrails exceeded the time budget. */
export class ScanTimeoutError extends RangeError {
  constructor() {
    super('takes too long');
  }
}

/** Shared context, because a new context costs a millisecond. It is empty between messages. */
const sandbox = createContext({ work: undefined });
const script = new Script('work()');

/** Runs work on `value`, `times` times, within the budget. Throws ScanTimeoutError. */
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

/** Returns the number of characters and members, or a number above `most`. */
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
