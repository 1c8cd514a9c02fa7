// Request and response guardrails of an app.
import type { RequestRecord } from '../../logs/record.ts';
import type { GatewayNode } from '../../node.ts';
import type { AnswerGuard } from '../answer-guard.ts';
import type { Call } from '../call.ts';
import type { Admission } from './admit.ts';

export interface Guards {
  /** Inspects the texts of a request, and redacts them in the body. Throws a Refusal for a blocked request. */
  inspectRequest(call: Call): void;
  /** Null if no guardrail inspects answers. */
  answer: AnswerGuard | null;
}

/** Returns the guardrails that apply to an app and a caller. */
export function createGuards(
  _node: GatewayNode,
  _admission: Admission,
  _record: RequestRecord,
): Guards {
  return { inspectRequest: () => undefined, answer: null };
}
