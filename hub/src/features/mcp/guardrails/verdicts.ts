// Verdicts of guardrails, as a log row shows them. Pure.
import type { Prediction } from './text-scanner.ts';

export interface Verdict {
  outcome: 'normal' | 'monitored' | 'redacted' | 'blocked';
  predictions: object[];
}

export const NORMAL: Verdict = { outcome: 'normal', predictions: [] };

const OUTCOMES = [
  ['block', 'blocked'],
  ['redact', 'redacted'],
  ['monitor', 'monitored'],
] as const;

/** Returns the strictest outcome of the predictions. */
export function toVerdict(predictions: readonly Prediction[]): Verdict {
  const strictest = OUTCOMES.find(([action]) =>
    predictions.some((prediction) => prediction.action === action),
  );
  return { outcome: strictest?.[1] ?? 'normal', predictions: [...predictions] };
}

/** Adds up the findings of all messages of a response, per guardrail and category. */
export function mergePredictions(before: Prediction[], added: readonly Prediction[]): Prediction[] {
  if (before.length === 0 || added.length === 0) return [...before, ...added];
  const keyOf = ({ rule_id, category }: Prediction) => `${rule_id} ${category}`;
  const all = new Map(before.map((prediction) => [keyOf(prediction), prediction]));
  for (const prediction of added) {
    const existing = all.get(keyOf(prediction));
    all.set(
      keyOf(prediction),
      existing === undefined
        ? prediction
        : { ...prediction, count: existing.count + prediction.count },
    );
  }
  return [...all.values()];
}
