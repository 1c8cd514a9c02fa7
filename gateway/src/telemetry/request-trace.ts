// The trace of a request, as the steps see it. This file imports no tracing library, so that a node without tracing loads none.

/** An attempt at a provider, by the attributes of the GenAI semantic conventions. */
export interface AttemptFacts {
  /** The operation of the API, for example `chat`. */
  operation: string;
  /** The type of the provider, for example `vendorA`. */
  providerType: string;
  model: string;
  maxTokens: number | null;
  /** The address of the provider. */
  url: string;
}

/** The result of a request, for its spans. */
export interface TraceResult {
  status: number | null;
  /** A code of few values. */
  error: string | null;
  tokens: { request: number | null; response: number | null; cacheRead: number | null };
}

export interface RequestTrace {
  /** Starts the span of an attempt. Returns the headers that continue the trace at the provider. */
  startAttempt(facts: AttemptFacts): Record<string, string>;
  /** Ends the span of an attempt that failed; the span of the last attempt ends with the request. */
  failAttempt(error: string): void;
  end(result: TraceResult): void;
}

export interface Tracing {
  /** Starts the span of a request. A valid `traceparent` among the headers is its parent. */
  startRequest(request: {
    id: string;
    method: string;
    route: string;
    headers: Readonly<Record<string, string>>;
  }): RequestTrace;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}
