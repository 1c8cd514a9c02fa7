// Throttles log lines that would otherwise flood the log.

/** Returns a function that returns true at its first call, and then at most once per interval. */
export function createThrottle(
  intervalMs: number,
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = nowMs();
    if (now - last < intervalMs) return false;
    last = now;
    return true;
  };
}
