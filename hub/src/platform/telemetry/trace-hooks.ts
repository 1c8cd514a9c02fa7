// Trace hooks of a process: for its operations, statements and log lines. This file imports no tracing library, so that a hub without
// tracing loads none.

/** The context of a span for the receiver of an operation (W3C Trace Context §3.2, §3.3). */
export interface Propagation {
  traceparent: string;
  tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Operation {
  name: string;
  /** `server`: the operation was requested from outside. `client`: the hub requests the operation. */
  kind: 'server' | 'client';
  attributes: SpanAttributes;
  /** Carries `traceparent` and `tracestate` of the sender. A valid context is the parent instead of the current request. */
  remote?: Readonly<Record<string, unknown>>;
}

/** The span of an operation in progress. */
export interface OperationSpan {
  readonly propagation: Propagation;
  /** Runs work whose operations, statements and log lines belong to the span. */
  run<T>(work: () => T): T;
  /** `error`: the `error.type` of a failed operation, one of few values. */
  end(result: { attributes?: SpanAttributes; error?: string }): void;
}

export interface TraceHooks {
  /** Starts the span of an operation; undefined outside of a traced request. */
  operation(operation: Operation): OperationSpan | undefined;
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

/** Starts the span of an operation within the current request; null without tracing. */
export const startOperation = (operation: Operation): OperationSpan | null =>
  hooks?.operation(operation) ?? null;

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
