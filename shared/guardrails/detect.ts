// Runs guardrails on texts and decides the outcome of a request.
import type { Action } from '../wire/management/app-config.ts';
import type { LlmRequestLine } from '../wire/nodes/logs.ts';
import { redactSpans } from './redact.ts';
import { ScannedText } from './scanned-text.ts';
import { strictestAction } from './smart-groups.ts';
import type { CompiledGuardrails, Detector, Direction, Span } from './types.ts';

/** The detector of a finding of the operator's model. */
export const MODEL_DETECTOR = 'guardian';
/** Predictions of a row that are stored; further spans change the outcome only. */
const PREDICTIONS_MAX = 100;

/** Returns the content of a text that the checks of a direction detect, in order. */
export function detect(text: string, compiled: CompiledGuardrails, direction: Direction): Span[] {
  const { checks, words } = compiled[direction];
  if (checks.length === 0 || text === '') return [];
  const scanned = new ScannedText(text);
  const present = words === null ? null : scanned.withoutHidden.matchWords(words);
  const spans: Span[] = [];
  for (const { detector, action } of checks) {
    if (!mayFind(detector, scanned, present)) continue;
    const { category, subcategory, name } = detector;
    for (const { start, end } of detector.find(scanned)) {
      spans.push({ start, end, category, subcategory, action, detector: name });
    }
  }
  return spans.length < 2 ? spans : sortUnique(spans);
}

function mayFind(
  { requires }: Detector,
  scanned: ScannedText,
  present: ReadonlySet<string> | null,
): boolean {
  if (requires === undefined) return true;
  if (requires.digits === true && !scanned.hasDigits) return false;
  if (requires.contains !== undefined && !scanned.text.includes(requires.contains)) return false;
  return requires.words?.some((word) => present?.has(word) === true) ?? true;
}

/** Sorts spans, and removes a second detection of the same content as the same subcategory. */
function sortUnique(spans: Span[]): Span[] {
  const seen = new Set<string>();
  return spans
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end, category, subcategory }) => {
      const key = `${start} ${end} ${category} ${subcategory}`;
      return !seen.has(key) && seen.add(key);
    });
}

/** The strictest action of some spans; `pass` without any. */
export type Outcome = Action | 'pass';

/** Returns the outcome of spans. */
export function decide(spans: readonly Span[]): Outcome {
  return spans.reduce<Outcome>(
    (outcome, { action }) => (outcome === 'pass' ? action : strictestAction(outcome, action)),
    'pass',
  );
}

/** The spans of several texts, each with the index of its text. */
export type PartSpan = Span & { part: number };

export interface Inspection {
  outcome: Outcome;
  spans: readonly PartSpan[];
  /** The texts after redaction, in order. They are not meant to leave the node if the outcome is `block`. */
  texts: readonly string[];
}

/** Inspects the texts of a request or of a complete response. */
export function inspectTexts(
  texts: readonly string[],
  compiled: CompiledGuardrails,
  direction: Direction,
): Inspection {
  const found = texts.map((text) => detect(text, compiled, direction));
  const spans = found.flatMap((list, part) => list.map((span) => ({ ...span, part })));
  return {
    outcome: decide(spans),
    spans,
    texts: texts.map((text, part) => redactSpans(text, found[part] ?? [])),
  };
}

const ROW_OUTCOMES: Readonly<Record<Outcome, string>> = {
  pass: 'normal',
  monitor: 'monitored',
  'partial-redact': 'partially_redacted',
  redact: 'redacted',
  block: 'blocked',
};

/** Returns the section `guardrails` of a row. Predictions name detectors and positions, never the content. */
export function buildGuardrailRow(
  request: readonly PartSpan[],
  response: readonly PartSpan[],
): NonNullable<LlmRequestLine['guardrails']> {
  const spans = [...request, ...response];
  const outcome = decide(spans);
  const isBlocked = outcome === 'block';
  return {
    outcome: ROW_OUTCOMES[outcome],
    is_blocked: isBlocked,
    is_anonymized: !isBlocked && (outcome === 'redact' || outcome === 'partial-redact'),
    actions_and_categories: groupByAction(spans),
    request_predictions: request.slice(0, PREDICTIONS_MAX).map(buildPrediction),
    response_predictions: response.slice(0, PREDICTIONS_MAX).map(buildPrediction),
  };
}

function buildPrediction({ category, subcategory, action, detector, part, start, end }: PartSpan) {
  const match_type = detector === MODEL_DETECTOR ? MODEL_DETECTOR : 'detector';
  return { category, subcategory, action, match_type, detector, part, start, end };
}

/** Returns `{action: {category: [subcategory, …]}}`. */
function groupByAction(spans: readonly Span[]): Record<string, Record<string, string[]>> {
  const byAction = new Map<string, Map<string, Set<string>>>();
  for (const { action, category, subcategory } of spans) {
    const byCategory = byAction.get(action) ?? new Map<string, Set<string>>();
    byAction.set(action, byCategory);
    byCategory.set(category, (byCategory.get(category) ?? new Set()).add(subcategory));
  }
  return Object.fromEntries(
    [...byAction].map(([action, byCategory]) => [
      action,
      Object.fromEntries([...byCategory].map(([category, names]) => [category, [...names]])),
    ]),
  );
}
