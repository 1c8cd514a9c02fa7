// Minor garbage collections for socket data. Buffers of sockets are outside of the heap, and V8 counts them towards major
// collections regardless of their age: reading tens of megabytes triggers major collections again and again. A minor
// collection frees the buffers at a tenth of the cost.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 16 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

/** Returns a function that counts read bytes, and runs a minor collection after each 16 MiB. */
export function createMinorCollector(collect: Collect = exposedCollector()) {
  let bytes = 0;
  return (read: number): void => {
    bytes += read;
    if (bytes < EVERY_BYTES) return;
    bytes = 0;
    collect({ type: 'minor' });
  };
}

/** Returns V8's collector, which stays hidden from all other code. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
