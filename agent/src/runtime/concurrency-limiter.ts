// Limits of concurrency and of time: work waits for its turn, and callers wait for work only so long.

/** Runs what it is given, never more than `max` at once. */
export function limitTo(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next waiting call takes the slot over.
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Resolves with the result of the work, or with `otherwise` after the time; the work goes on. */
export async function withTimeout<T, O>(
  ms: number,
  work: Promise<T>,
  otherwise: O,
): Promise<T | O> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<O>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
