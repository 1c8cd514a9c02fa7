// Refusals of requests: a step's verdict as an error, which ends the pipeline.
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { Refused, Verdict } from '../policy/index.ts';

/** The status with which a request is refused or failed, besides those of a step's verdict. */
export type RefusalStatus = Refused['status'] | 408 | 499 | 500 | 501 | 502 | 504;

/** A request gets no answer of a provider. `reason` is a sentence for the client. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(status: RefusalStatus, code: string, reason: string, retryAfterSeconds?: number) {
    // A reason may repeat a part of the request, such as the name of a model.
    super(redactText(reason));
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** Returns the value of a passed verdict. Throws a Refusal for a refused verdict. */
export function requirePassed<T>(verdict: Verdict<T>): T {
  if (verdict.passed) return verdict.value;
  const { status, code, reason, retryAfterSeconds } = verdict;
  throw new Refusal(status, code, reason, retryAfterSeconds);
}
