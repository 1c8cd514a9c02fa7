// The collector of a process that mostly passes buffers on. What bodies and sockets take lies outside of the heap, and V8
// goes through the whole heap each time that 64 MB of it have come since the last time, however short they lived: under load
// four times a second, with a third of the process's processor time in its helpers.
import { setFlagsFromString } from 'node:v8';

/** Outside and inside are counted together, and looked through when they are twice what was left the last time. */
const FLAGS = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=100'];

/** Called once, before a hub serves: measured in docs/performance.md ("Where the time goes"). */
export function settleCollector(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
