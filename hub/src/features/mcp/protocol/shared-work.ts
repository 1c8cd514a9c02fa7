// Work that several requests wait for: whoever gives up waits no longer, and takes it away from nobody else.

/** Done within the time, whoever began it. Throws what `late` gives where it takes longer. */
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

/** Throws the signal's reason where it is given up before. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(signal.reason);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
}
