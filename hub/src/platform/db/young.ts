// What sockets deliver lies outside of the heap, and the collector counts it without looking at how young it is: reading
// tens of megabytes makes it go through the whole heap again and again. A look at the young alone frees them for a tenth.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 16 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

/** Told how much was read; now and then it has what was read before freed. */
export function createYoungCollector(collect: Collect = exposedCollector()) {
  let bytes = 0;
  return (read: number): void => {
    bytes += read;
    if (bytes < EVERY_BYTES) return;
    bytes = 0;
    collect({ type: 'minor' });
  };
}

/** Exposed to this one place and nobody else. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
