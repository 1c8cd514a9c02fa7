// Write-behind buffer: values that no request should wait for are buffered by key (the last value wins) and written
// together periodically. A crash loses the values of the last seconds.
import type { Logger } from 'pino';
import { isDatabaseAway } from './database.ts';

const FLUSH_MS = 2_000;
const BATCH_MAX = 1_000;

export interface WriteBehindBuffer<Value> {
  put(key: string, value: Value): void;
  /** Writes the remaining values. */
  stop(): Promise<void>;
}

/** Returns a buffer. `description` names the values in the log if a write fails; they are lost then. */
export function createWriteBehindBuffer<Value>(options: {
  log: Logger;
  description: string;
  write(values: readonly Value[]): Promise<void>;
}): WriteBehindBuffer<Value> {
  const { log, description, write } = options;
  let pending = new Map<string, Value>();
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const values = [...pending.values()];
    pending = new Map();
    for (let i = 0; i < values.length; i += BATCH_MAX) {
      await write(values.slice(i, i + BATCH_MAX)).catch((error: unknown) => {
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, `${description} were lost`);
      });
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, FLUSH_MS);
  timer.unref();
  return {
    put: (key, value) => void pending.set(key, value),
    async stop() {
      clearInterval(timer);
      await flushing.then(flush);
    },
  };
}
