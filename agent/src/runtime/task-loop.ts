// A task that runs again and again: jittered, never twice at once, woken early when there is a reason.
import { SYSTEM_TIMING, type Timing } from './timing.ts';

export interface Loop {
  /** Runs the task as soon as it is not running. */
  wake(): void;
  /** Starts no further run; resolves when the present run is over. */
  stop(): Promise<void>;
}

/** Longest delay of a timer: a longer delay would count as zero. */
const LONGEST_MS = 2 ** 31 - 1;

export interface LoopOptions {
  /** Returns the delay of the next run, after each run. Timers are monotonic: no clock change moves them. */
  nextMs: () => number;
  firstMs: number;
  failed: (error: unknown) => void;
  timing?: Timing | undefined;
}

/** Starts the loop. An error of the task is reported and does not end the loop. */
export function startLoop(task: () => Promise<unknown>, options: LoopOptions): Loop {
  const { timing = SYSTEM_TIMING } = options;
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const plan = (ms: number) => {
    if (!stopped) cancel = timing.after(Math.min(ms, LONGEST_MS), run);
  };
  const run = () => {
    cancel = null;
    again = false;
    running = task()
      .catch(options.failed)
      .then(() => {
        running = null;
        plan(again ? 0 : options.nextMs());
      });
  };
  plan(options.firstMs);
  return {
    wake() {
      if (running !== null) again = true;
      else if (cancel !== null) {
        cancel();
        plan(0);
      }
    },
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}

/** Spreads a duration by a tenth to both sides, so that a fleet that boots together does not call together. */
export function jitter(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (0.9 + 0.2 * random()));
}
