// What may be written a moment later, because no request should wait for it: gathered by key, the newest of each, and
// written together now and then. A crash loses the last moment of it.
import type { Logger } from 'pino';
import { isDatabaseAway } from './database.ts';

const FLUSH_MS = 2_000;
const MAX_AT_ONCE = 1_000;

export interface WriteBehindBuffer<Value> {
  put(key: string, value: Value): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** `what` names it in the log where a write failed: those values are lost. */
export function createWriteBehindBuffer<Value>(options: {
  log: Logger;
  what: string;
  write(values: readonly Value[]): Promise<void>;
}): WriteBehindBuffer<Value> {
  const { log, what, write } = options;
  let waiting = new Map<string, Value>();
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const values = [...waiting.values()];
    waiting = new Map();
    for (let i = 0; i < values.length; i += MAX_AT_ONCE) {
      await write(values.slice(i, i + MAX_AT_ONCE)).catch((error: unknown) => {
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, `${what} were lost`);
      });
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, FLUSH_MS);
  timer.unref();
  return {
    put: (key, value) => void waiting.set(key, value),
    async stop() {
      clearInterval(timer);
      await flushing.then(flush);
    },
  };
}
