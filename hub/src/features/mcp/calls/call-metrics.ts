// Metrics of tool calls by backend and tool.
// Invariant: clients choose the names of tools, so the number of labels is bounded, and only a successful call adds a label.
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { BlockedError } from '../protocol/index.ts';
import type { RecordedRequest, RequestEnd } from './call-trace.ts';

type CallOutcome = 'answered' | 'tool_error' | 'failed' | 'blocked' | 'input_required';

/** Bound of the pairs of backend and tool with their own labels. */
const LABELS_MAX = 1_000;
const OTHER = 'other';

export interface CallMetrics {
  /** Records the end of a tool call. Requests with another method, or without a backend, are not counted. */
  record(call: RecordedRequest, end: RequestEnd): void;
}

/** Returns the recorder of tool calls. */
export function createCallMetrics(
  metrics: Pick<Metrics, 'mcpCalls' | 'mcpCallSeconds'>,
): CallMetrics {
  const labeled = new Set<string>();
  const admitLabel = (backend: string, tool: string, isSuccess: boolean): boolean => {
    const label = `${backend} ${tool}`;
    if (labeled.has(label)) return true;
    if (!isSuccess || labeled.size >= LABELS_MAX) return false;
    labeled.add(label);
    return true;
  };
  return {
    record({ trace, startedAt }, end) {
      if (trace?.tool == null || trace.backend === null) return;
      const outcome = outcomeOf(end);
      const backendId = trace.backend.backend_id ?? OTHER;
      const backend = admitLabel(backendId, OTHER, true) ? backendId : OTHER;
      const tool = admitLabel(backend, trace.tool, outcome === 'answered') ? trace.tool : OTHER;
      metrics.mcpCalls.inc({ backend, tool, outcome });
      metrics.mcpCallSeconds.observe({ backend, tool }, (Date.now() - startedAt) / 1000);
    },
  };
}

function outcomeOf({ response, failure }: RequestEnd): CallOutcome {
  if (failure !== null) return failure instanceof BlockedError ? 'blocked' : 'failed';
  if (response?.result === undefined) return 'failed';
  if (response.result.resultType === 'input_required') return 'input_required';
  return response.result.isError === true ? 'tool_error' : 'answered';
}
