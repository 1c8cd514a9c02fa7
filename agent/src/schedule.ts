// A task that runs again and again: jittered, never twice at once, woken early when there is a reason.

export interface Loop {
  /** Runs the task as soon as it is not running. */
  wake(): void;
  /** No new run; resolves when the present one is over. */
  stop(): Promise<void>;
}

/** What a timer can count to: a longer wait would be none at all. */
const LONGEST_MS = 2 ** 31 - 1;

export interface LoopOptions {
  /** How long after a run the next one begins; asked after each run. Timers are monotonic, no clock can move them. */
  nextMs: () => number;
  firstMs: number;
  failed: (error: unknown) => void;
}

/** Starts the loop. An error of the task is told and does not end it. */
export function startLoop(task: () => Promise<unknown>, options: LoopOptions): Loop {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const plan = (ms: number) => {
    if (!stopped) timer = setTimeout(run, Math.min(ms, LONGEST_MS));
  };
  const run = () => {
    timer = null;
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
      else if (timer !== null) {
        clearTimeout(timer);
        plan(0);
      }
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** Spreads a duration by a tenth to both sides, so that a fleet that boots together does not call together. */
export function jitter(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (0.9 + 0.2 * random()));
}
