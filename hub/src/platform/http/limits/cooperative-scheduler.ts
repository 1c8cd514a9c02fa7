// Runs queued tasks a few at a time and yields to the event loop in between. Bodies that arrive together would otherwise
// delay everything else, such as the database answers that earlier bodies wait for.

export interface CooperativeScheduler {
  /** Runs the task soon, after all tasks that were scheduled earlier. */
  schedule(task: () => void): void;
  /** Returns the number of tasks that have not run yet. */
  queued(): number;
}

/**
 * Returns a scheduler whose slice ends with the task that reaches `sliceMs`. Finished tasks are unreferenced, also under
 * continuous load.
 */
export function createCooperativeScheduler(options: {
  sliceMs: number;
  nowMs(): number;
}): CooperativeScheduler {
  const queue: (() => void)[] = [];
  let isScheduled = false;
  const scheduleSlice = () => {
    isScheduled = true;
    setImmediate(runSlice);
  };
  const runSlice = () => {
    isScheduled = false;
    const deadline = options.nowMs() + options.sliceMs;
    try {
      do queue.shift()?.();
      while (queue.length > 0 && options.nowMs() < deadline);
    } finally {
      if (queue.length > 0 && !isScheduled) scheduleSlice();
    }
  };
  return {
    schedule(task) {
      queue.push(task);
      if (!isScheduled) scheduleSlice();
    },
    queued: () => queue.length,
  };
}
