// Where tracing takes hold of a process: its statements, and the lines of its log. No library of tracing stands behind
// this file, so that a hub that traces nothing loads none.

export interface Follower {
  /** A statement begins; what is given back is told its end, with the error that ended it. */
  statement(text: string): ((error?: unknown) => void) | undefined;
  /** What a line of the log says of the request that it belongs to. */
  ids(): { trace_id?: string; span_id?: string };
}

let follower: Follower | undefined;

/** From now on, for every connection and every line of this process. */
export function followProcess(by: Follower | undefined): void {
  follower = by;
}

export const tracedIds = (): { trace_id?: string; span_id?: string } => follower?.ids() ?? {};

/** Runs a statement; its promise is the caller's as it was. */
export function watched<T>(text: () => string, run: () => T): T {
  const ended = follower?.statement(text());
  const result = run();
  if (ended === undefined) return result;
  if (result instanceof Promise) {
    // A second branch: whoever waits for the statement hears of its error as ever.
    result.then(() => ended(), ended);
  } else ended();
  return result;
}
