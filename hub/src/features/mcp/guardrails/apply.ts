// Application of guardrails to calls and messages: selects the guardrails for a tool, scans content, and redacts or blocks it.
import { neighboringDoubles } from '../../../platform/http/json/lossless-numbers.ts';
import { matchesToolRules } from '../access-policies/index.ts';
import { BlockedError, type RpcMessage } from '../protocol/index.ts';
import type { GuardrailSet } from './guardrail-sets.ts';
import { type ScanResult, scanContent } from './scan.ts';
import { type CompiledSchema, findViolation } from './schemas.ts';
import type { Guardrail, Prediction } from './text-scanner.ts';
import { ScanTimeoutError, startTimeBudget, type TimeBudget } from './time-budget.ts';
import { mergePredictions, NORMAL, toVerdict, type Verdict } from './verdicts.ts';

/** Result of all guardrails for a call, as its log row shows it. */
export interface GuardrailFindings {
  input: Verdict;
  output: Verdict;
  /** Arguments with all findings replaced; null if they could not be scanned. */
  arguments: unknown;
  /** The approval that let the call through. */
  approvalId: string | null;
  /** True after the guardrails for input scanned the call. */
  isInputScanned: boolean;
}

/** Returns findings of a call that no guardrail has scanned yet. */
export const noFindings = (): GuardrailFindings => ({
  input: NORMAL,
  output: NORMAL,
  arguments: undefined,
  approvalId: null,
  isInputScanned: false,
});

/** Returns the guardrails for a tool of a backend, or for other requests if `tool` is null. Null: no guardrail applies. */
export function selectGuardrails(
  set: GuardrailSet,
  { backend, tool }: { backend: { backendId: string }; tool: string | null },
): GuardrailSet | null {
  const applies = (scope: { backendId: string | null; tool: string }) =>
    (scope.backendId === null || scope.backendId === backend.backendId) &&
    (tool === null ? scope.tool === '*' : matchesToolRules(tool, { allow: [scope.tool] }));
  const selected: GuardrailSet = {
    arguments: tool === null ? [] : set.arguments.filter(applies),
    approvals: tool === null ? [] : set.approvals.filter(applies),
    input: set.input.filter(applies),
    output: set.output.filter(applies),
  };
  return Object.values(selected).some((rules) => rules.length > 0) ? selected : null;
}

/** Validates arguments against the schemas of the tenant. Records and throws BlockedError for the first violation. */
export function checkArgumentSchemas(
  rules: GuardrailSet['arguments'],
  sent: unknown,
  findings: GuardrailFindings,
): void {
  const budget = startTimeBudget();
  for (const { schema, ruleId, name } of rules) {
    const violation = violationOf(schema, sent, budget);
    if (violation === null) continue;
    const { pointer, problem } = violation;
    const prediction = { rule_id: ruleId, rule: name, action: 'block', category: 'arguments' };
    findings.input = { outcome: 'blocked', predictions: [{ ...prediction, pointer }] };
    throw new BlockedError(
      `The rule "${name}" doesn't allow these arguments: ${pointer === '' ? 'they' : pointer} ${problem}.`,
      { rule_id: ruleId, rule: name, pointer: `/arguments${pointer}` },
    );
  }
}

function violationOf(
  schema: CompiledSchema,
  sent: unknown,
  budget: TimeBudget,
): ReturnType<typeof findViolation> {
  try {
    // The server receives the digits of the client, so the nearest double and its neighbors must be valid too.
    for (const value of [sent, ...neighboringDoubles(sent)]) {
      const violation = findViolation(schema, value, budget);
      if (violation !== null) return violation;
    }
    return null;
  } catch (error) {
    if (!(error instanceof ScanTimeoutError)) throw error;
    return { pointer: '', problem: 'take too long to check' };
  }
}

/** Applies guardrails for output to a message. Returns null for a blocked notification. Throws BlockedError. */
export function guardMessage(
  output: readonly Guardrail[],
  message: RpcMessage,
  findings: GuardrailFindings,
): RpcMessage | null {
  if (output.length === 0) return message;
  const { jsonrpc, id, method, ...content } = message;
  const { value, predictions } = scanSide(content, output, findings, 'output');
  const before = findings.output.predictions as Prediction[];
  findings.output = toVerdict(mergePredictions(before, predictions));
  const isNotification = method !== undefined && id == null;
  if (isNotification && predictions.some(({ action }) => action === 'block')) return null;
  rejectBlocked(predictions, 'the response');
  return value === content
    ? message
    : ({ jsonrpc, id, method, ...(value as object) } as RpcMessage);
}

/** Applies guardrails for input to a client's answers for a running call. Throws BlockedError. */
export function guardAnswers(
  input: readonly Guardrail[],
  answers: Record<string, unknown>,
  findings: GuardrailFindings,
): Record<string, unknown> {
  const ownFindings = noFindings();
  try {
    const message: RpcMessage = { jsonrpc: '2.0', id: 0, result: answers };
    return guardMessage(input, message, ownFindings)?.result ?? {};
  } finally {
    const all = [...findings.input.predictions, ...ownFindings.output.predictions];
    findings.input = toVerdict(all as Prediction[]);
  }
}

/**
 * Scans a side of a call. A value beyond the limits passes guardrails that only monitor, and is blocked by the others.
 * Throws BlockedError.
 */
export function scanSide(
  value: unknown,
  rules: readonly Guardrail[],
  findings: GuardrailFindings,
  side: 'input' | 'output',
): ScanResult {
  try {
    return scanContent(value, rules);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const deciding = rules.filter(({ action }) => action !== 'monitor');
    const [first] = deciding;
    if (first === undefined) return { value, masked: value, predictions: [] };
    const isTimeout = error instanceof ScanTimeoutError;
    // Guardrails that only monitor must not use up the time of guardrails that decide.
    if (isTimeout && deciding.length < rules.length) {
      return scanSide(value, deciding, findings, side);
    }
    const category = isTimeout ? 'too_slow' : 'too_large';
    const rule = { rule_id: first.ruleId, rule: first.name };
    findings[side] = { outcome: 'blocked', predictions: [{ ...rule, action: 'block', category }] };
    if (side === 'input') findings.arguments = null;
    const reason = isTimeout ? 'takes too long' : 'is too large';
    throw new BlockedError(`The content ${reason} for a check by the rule "${first.name}".`, rule);
  }
}

/** Throws BlockedError if a guardrail with the action `block` has a finding. */
export function rejectBlocked(predictions: readonly Prediction[], subject: string): void {
  const blocking = predictions.find(({ action }) => action === 'block');
  if (blocking === undefined) return;
  const { rule_id, rule, category } = blocking;
  throw new BlockedError(`The rule "${rule}" blocked ${subject}: it contains ${category}.`, {
    rule_id,
    rule,
    category,
  });
}
