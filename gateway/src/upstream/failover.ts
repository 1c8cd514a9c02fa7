// Sends a request to the candidates of a route in order, until a provider answers. A provider that refuses the
// connection, exceeds its time, or answers 429 or 5xx is skipped while another candidate is left. Nothing is repeated
// after the first byte of an answer reached the client.
import { type UpstreamAnswer, UpstreamFailure } from './client.ts';

/** The last answer decides where every candidate failed. */
export interface Attempt {
  provider: string;
  model: string;
  /** The status of the answer, or the code of the failure. */
  result: number | string;
  ms: number;
}

export interface FailoverResult<Candidate> {
  answer: UpstreamAnswer;
  candidate: Candidate;
  attempts: Attempt[];
}

const ATTEMPTS_MAX = 4;

interface NamedCandidate {
  provider: { label: string };
  model: string;
}

/**
 * Returns the first usable answer, and the attempts that led to it. A single candidate gets a second attempt after a
 * failed connection only. Throws the last UpstreamFailure; its attempts are added to `attempts`.
 */
export async function sendWithFailover<Candidate extends NamedCandidate>(
  candidates: readonly Candidate[],
  send: (candidate: Candidate) => Promise<UpstreamAnswer>,
  attempts: Attempt[],
): Promise<FailoverResult<Candidate>> {
  const [first] = candidates;
  if (first === undefined) throw new Error('a route has a candidate');
  const plan = candidates.length === 1 ? [first, first] : candidates.slice(0, ATTEMPTS_MAX);
  for (const [index, candidate] of plan.entries()) {
    const isLast = index === plan.length - 1;
    const isOnly = candidates.length === 1;
    const result = await attempt(candidate, send, attempts);
    if ('failure' in result) {
      if (isLast || !mayRepeat(result.failure, isOnly)) throw result.failure;
      continue;
    }
    const { answer } = result;
    if (isLast || isOnly || !isRetryable(answer.status)) return { answer, candidate, attempts };
    // A discarded answer is read to its end in the background, so that the connection can be used again.
    answer.body.on('error', () => undefined).resume();
  }
  throw new Error('the last attempt returns or throws');
}

/** Makes an attempt and records it. Throws errors that are no UpstreamFailure. */
async function attempt<Candidate extends NamedCandidate>(
  candidate: Candidate,
  send: (candidate: Candidate) => Promise<UpstreamAnswer>,
  attempts: Attempt[],
): Promise<{ answer: UpstreamAnswer } | { failure: UpstreamFailure }> {
  const startedAt = performance.now();
  const record = (result: number | string) =>
    attempts.push({
      provider: candidate.provider.label,
      model: candidate.model,
      result,
      ms: performance.now() - startedAt,
    });
  try {
    const answer = await send(candidate);
    record(answer.status);
    return { answer };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    record(error.code);
    return { failure: error };
  }
}

function mayRepeat({ code }: UpstreamFailure, isOnly: boolean): boolean {
  return code !== 'client_disconnected' && (!isOnly || code === 'connection_failed');
}

function isRetryable(status: number): boolean {
  return status === 429 || status >= 500;
}
