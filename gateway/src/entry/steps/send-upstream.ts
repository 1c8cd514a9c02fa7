// Sends a call to the candidates of its route, with the limits of each model, until a provider answers.

import type { RequestRecord } from '../../logs/record.ts';
import type { GatewayNode } from '../../node.ts';
import {
  admitModelRequest,
  type LimitSettings,
  type LimitSubject,
  readTimeoutMs,
  type Verdict,
} from '../../policy/index.ts';
import { ProviderMisconfigured } from '../../providers/misconfigured.ts';
import { prepareRequest } from '../../providers/prepare.ts';
import {
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamRequest,
} from '../../upstream/client.ts';
import { sendWithFailover } from '../../upstream/failover.ts';
import type { Call } from '../call.ts';
import { Refusal, type RefusalStatus, requirePassed } from '../refusal.ts';
import type { Candidate } from './choose-route.ts';

/** Applies where neither the app nor the model has a timeout. */
const DEFAULT_TIMEOUT_MS = 600_000;
const FAILURE_STATUS: Readonly<Record<UpstreamFailure['code'], RefusalStatus>> = {
  address_refused: 502,
  connection_failed: 502,
  timeout: 504,
  client_disconnected: 499,
};

export interface Sending {
  limits: LimitSettings;
  subject: LimitSubject;
  disconnected: AbortSignal;
}

/** Returns the answer and the candidate that gave it. Throws a Refusal if no candidate answers. */
export async function sendUpstream(
  node: GatewayNode,
  candidates: readonly Candidate[],
  call: Call,
  record: RequestRecord,
  { limits, subject, disconnected }: Sending,
): Promise<{ answer: UpstreamAnswer; candidate: Candidate }> {
  const startedAt = performance.now();
  const send = async ({ provider, model }: Candidate) => {
    const target = { providerLabel: provider.label, model };
    record.provider = provider.label;
    record.upstreamModel = model;
    const request = await prepareRequest(provider, model, describeOutgoing(call), {
      managedModelUrl: node.settings.managedModelUrl,
      fetch: node.upstream.fetch,
    });
    traceAttempt(record, call, provider.provider_name, request);
    return node.upstream.send(request, {
      signal: disconnected,
      timeoutMs: readTimeoutMs(limits, target) ?? DEFAULT_TIMEOUT_MS,
    });
  };
  const admitted = admitCandidates(node, candidates, limits, subject);
  try {
    const { answer, candidate } = await sendWithFailover(admitted, send, record.attempts);
    return { answer: requireUsable(answer), candidate };
  } catch (error) {
    throw asRefusal(error);
  } finally {
    record.upstreamMs = performance.now() - startedAt;
    for (const { result } of record.attempts) {
      if (typeof result === 'string' || result >= 429) node.metrics.countUpstreamFailure(result);
    }
  }
}

/** Starts the span of an attempt, and continues the trace at the provider. */
function traceAttempt(
  { trace, attempts, upstreamModel }: RequestRecord,
  { api, maxOutputTokens }: Call,
  providerType: string,
  request: UpstreamRequest,
): void {
  const failed = attempts.at(-1);
  if (failed !== undefined) trace?.failAttempt(String(failed.result));
  const propagation = trace?.startAttempt({
    ...{ operation: api.operation, providerType, model: upstreamModel ?? '' },
    ...{ maxTokens: maxOutputTokens, url: request.url },
  });
  Object.assign(request.headers, propagation);
}

/**
 * Yields the candidates with capacity for their model. A candidate counts against the limits of its model when it is tried.
 * Throws the refusal of the last candidate if none has capacity.
 */
function* admitCandidates(
  { counters }: GatewayNode,
  candidates: readonly Candidate[],
  limits: LimitSettings,
  subject: LimitSubject,
): Generator<Candidate, void> {
  let hasAdmitted = false;
  let refusal: Verdict | null = null;
  for (const candidate of candidates) {
    const target = { providerLabel: candidate.provider.label, model: candidate.model };
    const verdict = admitModelRequest(limits, subject, target, counters);
    if (verdict.passed) {
      hasAdmitted = true;
      yield candidate;
    } else refusal = verdict;
  }
  if (!hasAdmitted && refusal !== null) requirePassed(refusal);
}

function describeOutgoing(call: Call) {
  const { api, stream, rest, headers, body } = call;
  return {
    operation: api.operation,
    method: api.method,
    stream,
    rest,
    headers,
    body,
    isModelInBody:
      api.model !== 'none' && !['gemini', 'invoke', 'converse'].includes(api.operation),
  };
}

/** A provider that refuses our credentials is no fault of the client: the client's own key is valid. */
function requireUsable(answer: UpstreamAnswer): UpstreamAnswer {
  if (answer.status !== 401 && answer.status !== 403) return answer;
  answer.body.on('error', () => undefined).resume();
  throw new Refusal(
    502,
    'provider_unauthorized',
    `The provider refused the stored credentials (${answer.status}). Ask an administrator to check them.`,
  );
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ProviderMisconfigured) {
    return new Refusal(502, 'provider_not_configured', `The provider ${error.message}.`);
  }
  if (!(error instanceof UpstreamFailure)) return error;
  const code = error.code === 'client_disconnected' ? error.code : `upstream_${error.code}`;
  return new Refusal(FAILURE_STATUS[error.code], code, error.message);
}
