// The collector of a process that mostly passes buffers on. What bodies and sockets take lies outside of the heap, and V8
// goes through the whole heap each time that 64 MB of it have come since the last time, however short they lived: under load
// four times a second, with a third of the process's processor time in its helpers.
import { totalmem } from 'node:os';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Outside and inside are counted together, and all is looked through when it is twice what was left the last time. */
const FLAGS = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=100'];

/** Twice is little where little is left: under load that was once a second, for 100 ms each. */
const ROOM_MAX_BYTES = 256 * 1024 ** 2;
const ROOM_SHARE = 1 / 16;

/** Called once, before a hub serves: measured in docs/explanation/performance.md. */
export function settleCollector(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  const room = Math.min(ROOM_MAX_BYTES, ROOM_SHARE * memoryBytes());
  const leaveRoom = () => {
    const { used_heap_size: inside, external_memory: outside } = getHeapStatistics();
    setFlagsFromString(`--heap-growing-percent=${growingPercent(inside + outside, room)}`);
  };
  leaveRoom();
  new PerformanceObserver((list) => {
    const isWhole = (entry: object) =>
      'detail' in entry &&
      (entry.detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    if (list.getEntries().some(isWhole)) leaveRoom();
  }).observe({ entryTypes: ['gc'] });
}

/** By how much of what is left the heap may grow until all of it is looked through: itself, or the room if that is more. */
export function growingPercent(leftBytes: number, roomBytes: number): number {
  return Math.ceil(100 * Math.max(1, roomBytes / leftBytes));
}

/** What this process may take: of the machine, or of its container. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
