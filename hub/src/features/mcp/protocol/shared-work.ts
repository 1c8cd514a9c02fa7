// Work that several requests wait for: a request that aborts stops waiting, and the work continues for the others.

/** Runs work with its own timeout. Throws the error of `late` after the timeout. */
export async function runWithTimeout<T>(
  ms: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? late() : error;
  }
}

/** Waits for work. Throws the signal's reason if it aborts before. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(signal.reason);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
}
