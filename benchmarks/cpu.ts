// Processor time that a process and its children have used so far, and their resident memory. Linux only, as the
// benchmarks are.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Seconds of the process, of its living children, and of those that have ended. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat === null || (Number(name) !== pid && stat.parent !== pid)) continue;
    ticks += stat.own + (Number(name) === pid ? stat.ended : 0);
  }
  return ticks / TICKS_PER_SECOND;
}

function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces and brackets, so fields are counted after its end.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (i: number) => Number(fields[i]);
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    // The process ended during the measurement.
    return null;
  }
}

/** Resident memory of the process, in MiB. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
