// Step guardOutput: guardrails scan each message of the server before the client receives it.
import { type GuardrailFindings, type GuardrailSet, guardMessage } from '../guardrails/index.ts';
import type { RpcMessage } from '../protocol/index.ts';

/** Yields the messages as the client may receive them, without blocked notifications. Throws BlockedError. */
export async function* guardOutput(
  { output }: GuardrailSet,
  messages: AsyncGenerator<RpcMessage>,
  findings: GuardrailFindings,
): AsyncGenerator<RpcMessage> {
  for await (const message of messages) {
    const guarded = guardMessage(output, message, findings);
    if (guarded !== null) yield guarded;
  }
}
