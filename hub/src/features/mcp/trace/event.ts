// The logged event of a tool call: its outcome, and the findings of guardrails. Pure.
import type { CALL_OUTCOMES, CallRuleLink } from '@gatewarden/shared/wire/console/call-why.ts';

/** The members of a stored event that the trace uses. */
export interface CalledEvent {
  auth: { mode: string | null };
  guardrails: Record<'input' | 'output', { predictions: unknown }>;
  response: { error_message: string | null };
  metadata: { agent: string | null; extra_data: Record<string, unknown> };
}

export type Found = CallRuleLink['found'];

/** Returns the distinct findings by guardrail. */
export function foundIn(guardrails: CalledEvent['guardrails']): Map<string, FoundBy> {
  const by = new Map<string, FoundBy>();
  for (const side of ['input', 'output'] as const) {
    const { predictions } = guardrails[side];
    for (const item of Array.isArray(predictions) ? predictions : []) {
      const { rule_id: id, rule, action, category } = (item ?? {}) as Record<string, unknown>;
      if (typeof id !== 'string' || !UUID.test(id)) continue;
      const known = by.get(id) ?? { name: String(rule ?? ''), found: [] };
      known.found.push({ side, action: String(action ?? ''), category: String(category ?? '') });
      by.set(id, known);
    }
  }
  return new Map([...by].map(([id, value]) => [id, { ...value, found: distinct(value.found) }]));
}

/** Removes duplicates, because a node may report a finding for each location. */
export const distinct = (found: Found): Found => [
  ...new Map(found.map((item) => [JSON.stringify(item), item])).values(),
];

export interface FoundBy {
  /** Name of the guardrail at the time of the call. */
  name: string;
  found: Found;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function outcomeOf(
  row: { is_blocked: boolean; is_completed: boolean; success: boolean | null },
  { response, metadata }: CalledEvent,
): (typeof CALL_OUTCOMES)[number] {
  if (row.is_blocked) return 'blocked';
  if (row.success === true) return 'passed';
  if (row.success === false) return response.error_message === null ? 'tool_error' : 'failed';
  if (metadata.extra_data.input_required === true) return 'asked';
  return row.is_completed ? 'unknown' : 'running';
}
