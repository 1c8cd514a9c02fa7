// Work that is done by few at a time: the rest waits for its turn.

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
