// Bodies that came at once are read a few at a time: in between the process hears what else there is, such as the answers
// of the database for which those before them wait.

export interface CooperativeScheduler {
  /** Does it soon, after what was taken before. */
  schedule(work: () => void): void;
  /** How much has not been done yet. */
  queued(): number;
}

/** A turn ends with the work that brings it to `sliceMs`. What was done is let go of, also while more comes all the time. */
export function createCooperativeScheduler(options: {
  sliceMs: number;
  nowMs(): number;
}): CooperativeScheduler {
  const waiting: (() => void)[] = [];
  let isComing = false;
  const come = () => {
    isComing = true;
    setImmediate(turn);
  };
  const turn = () => {
    isComing = false;
    const until = options.nowMs() + options.sliceMs;
    try {
      do waiting.shift()?.();
      while (waiting.length > 0 && options.nowMs() < until);
    } finally {
      if (waiting.length > 0 && !isComing) come();
    }
  };
  return {
    schedule(work) {
      waiting.push(work);
      if (!isComing) come();
    },
    queued: () => waiting.length,
  };
}
