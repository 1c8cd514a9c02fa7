// What a client of the older revision says to a server besides its calls, answers to its questions above all: the rules
// for what goes in hold for it too.
import type { Guardrail } from '../call-rules/index.ts';
import type { Answers } from './asking.ts';
import { refuseQuestion } from './besides.ts';
import { checkOutput, type Guarded, rulesFor, unguarded } from './checks.ts';
import { Blocked, type Rpc } from './messages.ts';
import type { Backend, Owner } from './targets.ts';
import { verdictOf } from './verdicts.ts';
import type { GatewayDeps, Visit } from './visit.ts';

const TELL_MS = 10_000;

/** Answers that go on with a call, as its server may have them. Throws Blocked. */
export function checkedAnswers(
  input: readonly Guardrail[],
  answers: Answers,
  guarded: Guarded,
): Answers {
  const found = unguarded();
  try {
    const message: Rpc = { jsonrpc: '2.0', id: 0, result: answers };
    return checkOutput(input, message, found)?.result ?? {};
  } finally {
    const all = [...guarded.input.predictions, ...found.output.predictions];
    guarded.input = verdictOf(all as Parameters<typeof verdictOf>[0]);
  }
}

/**
 * An answer or a notice on its way to a server that asked by a request of its own. Which tool it is about nobody says:
 * the rules for all tools hold. What may not pass is refused, for its server waits.
 */
export async function tellServer(
  deps: GatewayDeps,
  { caller }: Visit,
  { backend, owner }: { backend: Backend; owner: Owner },
  message: Rpc,
): Promise<void> {
  // Any client can make such an id up: whom the rules keep out says nothing there.
  if (!backend.reaches()) return;
  const set = await deps.callRules.of(caller.tenantId);
  const rules = set === null ? null : rulesFor(set, { backend, tool: null });
  try {
    const passed = rules === null ? message : checkOutput(rules.input, message, unguarded());
    if (passed === null) return;
    await deps.upstreams.tell(backend, owner, passed, AbortSignal.timeout(TELL_MS));
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    await refuseQuestion(deps, { backend, owner }, message, 'The gateway blocked the response.');
  }
}
