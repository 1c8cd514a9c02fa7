// Bodies that came at once are read a few at a time: in between the process hears what else there is, such as the answers
// of the database for which those before them wait.

export interface Turns {
  /** Does it soon, after what was taken before. */
  take(work: () => void): void;
}

/** A turn ends with the work that brings it to `sliceMs`. */
export function createTurns(options: { sliceMs: number; nowMs(): number }): Turns {
  let waiting: (() => void)[] = [];
  let next = 0;
  const turn = () => {
    const until = options.nowMs() + options.sliceMs;
    try {
      do waiting[next++]?.();
      while (next < waiting.length && options.nowMs() < until);
    } finally {
      if (next < waiting.length) setImmediate(turn);
      else {
        waiting = [];
        next = 0;
      }
    }
  };
  return {
    take(work) {
      waiting.push(work);
      if (waiting.length === 1) setImmediate(turn);
    },
  };
}
