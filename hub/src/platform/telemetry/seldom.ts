// For lines of the log that would come in floods.

/** True at the first call, and then once in `everyMs` at most. */
export function seldom(
  everyMs: number,
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = nowMs();
    if (now - last < everyMs) return false;
    last = now;
    return true;
  };
}
