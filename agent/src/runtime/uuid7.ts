// UUID version 7: the ids that a device makes. Time first, so that they sort in the order they were made.
import { randomBytes } from 'node:crypto';

const COUNTER_LIMIT = 0x1000;
const COUNTER_START_LIMIT = 0x800;

/** Makes a generator whose ids strictly increase, also within a millisecond and while the clock runs backwards. */
export function createUuid7(
  now: () => number = Date.now,
  random: (bytes: number) => Uint8Array = randomBytes,
): () => string {
  let lastMs = -1;
  let counter = 0;
  return () => {
    const bytes = random(10);
    const nowMs = Math.max(0, Math.floor(now()));
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % COUNTER_START_LIMIT;
    } else if (++counter === COUNTER_LIMIT) {
      lastMs += 1;
      counter = 0;
    }
    const time = lastMs.toString(16).padStart(12, '0').slice(-12);
    const sequence = counter.toString(16).padStart(3, '0');
    const tail = Buffer.from(bytes.subarray(2, 10));
    tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
    const hex = tail.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${hex.slice(0, 4)}-${hex.slice(4)}`;
  };
}

/** The process's own generator, shared so that ids of an agent are in order. */
export const uuid7 = createUuid7();
