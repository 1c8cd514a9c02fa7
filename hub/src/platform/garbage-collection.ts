// Garbage collection settings for a process that mostly forwards buffers. Buffers of bodies and sockets are outside of the
// heap. By default V8 runs a major collection after each 64 MB of them, however short-lived: under load four times per second,
// which costs a third of the processor time.
import { totalmem } from 'node:os';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Memory inside and outside of the heap is counted together. A major collection runs when it doubled since the last. */
const FLAGS = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=100'];

/** Minimum growth between major collections. With little live memory, doubling would happen every second under load. */
const GROWTH_MAX_BYTES = 256 * 1024 ** 2;
const GROWTH_SHARE = 1 / 16;

/** Configures V8; must be called once, before a hub serves (docs/explanation/performance.md). */
export function configureGarbageCollection(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  const growth = Math.min(GROWTH_MAX_BYTES, GROWTH_SHARE * memoryBytes());
  const updateLimit = () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    setFlagsFromString(`--heap-growing-percent=${growingPercent(heap + external, growth)}`);
  };
  updateLimit();
  new PerformanceObserver((list) => {
    const isMajor = (entry: object) =>
      'detail' in entry &&
      (entry.detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    if (list.getEntries().some(isMajor)) updateLimit();
  }).observe({ entryTypes: ['gc'] });
}

/** Returns the growth in percent of the live memory until the next major collection: 100, or more for `minGrowthBytes`. */
export function growingPercent(liveBytes: number, minGrowthBytes: number): number {
  return Math.ceil(100 * Math.max(1, minGrowthBytes / liveBytes));
}

/** Returns the memory available to this process: of the machine or its container. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
