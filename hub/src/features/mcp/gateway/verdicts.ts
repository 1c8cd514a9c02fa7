// What the rules say of a call, as its row tells it. Pure.
import type { Prediction } from '../call-rules/index.ts';

export interface Verdict {
  outcome: 'normal' | 'monitored' | 'redacted' | 'blocked';
  predictions: object[];
}

export const NORMAL: Verdict = { outcome: 'normal', predictions: [] };

export function verdictOf(predictions: readonly Prediction[]): Verdict {
  const did = (action: Prediction['action']) => predictions.some((one) => one.action === action);
  const outcome = did('block')
    ? 'blocked'
    : did('redact')
      ? 'redacted'
      : did('monitor')
        ? 'monitored'
        : 'normal';
  return { outcome, predictions: [...predictions] };
}

/** An answer may come in any number of messages: what a rule found in all of them is told once. */
export function added(before: Prediction[], found: readonly Prediction[]): Prediction[] {
  if (before.length === 0 || found.length === 0) return [...before, ...found];
  const keyOf = ({ rule_id, category }: Prediction) => `${rule_id} ${category}`;
  const all = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of found) {
    const known = all.get(keyOf(one));
    all.set(keyOf(one), known === undefined ? one : { ...one, count: known.count + one.count });
  }
  return [...all.values()];
}
