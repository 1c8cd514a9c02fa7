// What a tenant wrote is carried out on whatever its callers send, and the process does nothing else meanwhile: patterns
// and schemas that take time with each other are stopped.
import { createContext, Script } from 'node:vm';

/** Usual rules take a tenth of it for the largest message that passes. */
const LIMIT_MS = 1_000;
/** So little is done before it could be measured: to measure costs a tenth of a millisecond. */
const SMALL = 1_024;

const room = createContext({ work: () => undefined });
const begin = new Script('work()');

/**
 * Carries out work that keeps nothing, on `value` and as often as `times` says. Throws RangeError where it takes too
 * long.
 */
export function briefly<T>(value: unknown, times: number, work: () => T): T {
  if (!isLarger(value, SMALL / Math.max(times, 1))) return work();
  try {
    room.work = work;
    return begin.runInContext(room, { timeout: LIMIT_MS }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new RangeError('takes too long');
  } finally {
    room.work = undefined;
  }
}

/** In letters and members; it looks no further than it must. */
function isLarger(value: unknown, most: number): boolean {
  let size = 0;
  const look = (node: unknown): boolean => {
    size += typeof node === 'string' ? node.length : 1;
    if (size > most) return true;
    if (typeof node !== 'object' || node === null) return false;
    if (Array.isArray(node)) return node.some(look);
    return Object.entries(node).some(([name, one]) => look(name) || look(one));
  };
  return look(value);
}
