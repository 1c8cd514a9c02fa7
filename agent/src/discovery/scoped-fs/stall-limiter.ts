// Work on file systems that may not answer: with patience, and never so much of it that who can be answered waits for a thread.

export interface StallLimiter {
  /** Result of the work; `hangs` where it does not return, or no thread is left for it. */
  answerOf<T>(work: () => Promise<T>): Promise<T | 'failed' | 'hangs'>;
}

/** Waits for it, but no longer than that; it goes on. */
export async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}

/** Bound of hanging work, each of which blocks a thread. */
export function openStallLimiter(places: number, patienceMs: number): StallLimiter {
  const waiting: (() => void)[] = [];
  let free = places;
  let hung = 0;
  const wakeNext = () => {
    if (free > 0) waiting.shift()?.();
    // Nobody will make room for those any more.
    else if (hung === places) for (const wake of waiting.splice(0)) wake();
  };
  return {
    async answerOf(work) {
      while (free === 0) {
        if (hung === places) return 'hangs';
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      free--;
      let hangs = false;
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<'hangs'>((resolve) => {
        timer = setTimeout(() => {
          hangs = true;
          hung++;
          resolve('hangs');
          wakeNext();
        }, patienceMs);
      });
      const done = work()
        .catch(() => 'failed' as const)
        .finally(() => {
          clearTimeout(timer);
          if (hangs) hung--;
          free++;
          wakeNext();
        });
      return await Promise.race([done, enough]);
    },
  };
}
