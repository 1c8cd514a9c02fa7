// Trace hooks of a process: for its statements and its log lines. This file imports no tracing library, so that a hub without
// tracing loads none.

export interface TraceHooks {
  /** Called at the start of a statement. Returns a function to call at its end, with its error if it failed. */
  statement(text: string): ((error?: unknown) => void) | undefined;
  /** Returns the ids of the current request for a log line. */
  ids(): { trace_id?: string; span_id?: string };
}

let hooks: TraceHooks | undefined;

/** Installs hooks for all connections and log lines of this process; undefined removes them. */
export function installTraceHooks(installed: TraceHooks | undefined): void {
  hooks = installed;
}

/** Returns the ids of the current request. */
export const currentTraceIds = (): { trace_id?: string; span_id?: string } => hooks?.ids() ?? {};

/** Runs a statement under the hooks. Its promise is returned unchanged. */
export function traceStatement<T>(text: () => string, run: () => T): T {
  const end = hooks?.statement(text());
  const result = run();
  if (end === undefined) return result;
  if (result instanceof Promise) {
    // A separate branch of the promise: the caller still receives the error.
    result.then(() => end(), end);
  } else end();
  return result;
}
