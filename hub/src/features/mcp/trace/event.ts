// What the event of a tool call says of its outcome, and of what the rules found. Pure.
import type { CALL_OUTCOMES, CallRuleLink } from '@gatewarden/shared/wire/console/call-why.ts';

/** Of the stored event, what a chain reads. */
export interface CalledEvent {
  auth: { mode: string | null };
  guardrails: Record<'input' | 'output', { predictions: unknown }>;
  response: { error_message: string | null };
  metadata: { agent: string | null; extra_data: Record<string, unknown> };
}

export type Found = CallRuleLink['found'];

/** By the rule that found it, each thing once. */
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

/** A node may tell the same of each place that it looked at. */
export const distinct = (found: Found): Found => [
  ...new Map(found.map((item) => [JSON.stringify(item), item])).values(),
];

export interface FoundBy {
  /** As the rule was called then. */
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
