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
 * Returns the first usable answer, and the attempts that led to it. A candidate is taken from `candidates` when it is tried,
 * at least one. An only candidate gets a second attempt after a failed connection. Throws the last UpstreamFailure; its
 * attempts are added to `attempts`.
 */
export async function sendWithFailover<Candidate extends NamedCandidate>(
  candidates: Iterator<Candidate>,
  send: (candidate: Candidate) => Promise<UpstreamAnswer>,
  attempts: Attempt[],
): Promise<FailoverResult<Candidate>> {
  const takeNext = (): Candidate | null => {
    const next = candidates.next();
    return next.done === true ? null : next.value;
  };
  const first = takeNext();
  if (first === null) throw new Error('a route has a candidate');
  let candidate: Candidate = first;
  for (let count = 1; ; count++) {
    const result: AttemptResult = await attempt(candidate, send, attempts);
    const next: Candidate | null = count < ATTEMPTS_MAX && isRetryable(result) ? takeNext() : null;
    const isRepeated = next === null && count === 1 && isConnectionFailure(result);
    if (next === null && !isRepeated) {
      if ('failure' in result) throw result.failure;
      return { answer: result.answer, candidate, attempts };
    }
    // A discarded answer is read to its end in the background, so that the connection can be used again.
    if ('answer' in result) result.answer.body.on('error', () => undefined).resume();
    candidate = next ?? candidate;
  }
}

type AttemptResult = { answer: UpstreamAnswer } | { failure: UpstreamFailure };

/** Makes an attempt and records it. Throws errors that are no UpstreamFailure. */
async function attempt<Candidate extends NamedCandidate>(
  candidate: Candidate,
  send: (candidate: Candidate) => Promise<UpstreamAnswer>,
  attempts: Attempt[],
): Promise<AttemptResult> {
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

/** Returns whether another candidate may succeed. */
function isRetryable(result: AttemptResult): boolean {
  if ('failure' in result) return result.failure.code !== 'client_disconnected';
  return result.answer.status === 429 || result.answer.status >= 500;
}

function isConnectionFailure(result: AttemptResult): boolean {
  return 'failure' in result && result.failure.code === 'connection_failed';
}
