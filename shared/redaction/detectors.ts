// Applies detectors of credentials to a text. The prefilter is generated from their keywords.
import { KeywordMatcher } from './keyword-matcher.ts';
import { compileRule, REDACTED, type Rule } from './rule.ts';
import type { Span } from './spans.ts';

export interface Detector {
  /** A text without any of these literals skips the detector. Lower case. */
  keywords: readonly string[];
  find: (text: string) => readonly Span[];
}

/** Returns the detector of a rule. */
export function detectorOf(rule: Rule): Detector {
  const pattern = compileRule(rule);
  const { accepts, replacement = REDACTED } = rule;
  const find = (text: string) => {
    const spans: Span[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const from = match.index + (match[1]?.length ?? 0);
      const to = pattern.lastIndex;
      if (accepts?.(text.slice(from, to)) !== false) spans.push({ from, to, replacement });
    }
    return spans;
  };
  return { keywords: rule.keywords, find };
}

/** Detectors with the prefilter that selects them. */
export class DetectorSet {
  readonly #detectors: readonly Detector[];
  readonly #matcher: KeywordMatcher;
  /** The indexes of the detectors of each keyword. */
  readonly #selected: readonly (readonly number[])[];

  constructor(detectors: readonly Detector[]) {
    const keywords = [...new Set(detectors.flatMap((detector) => detector.keywords))];
    this.#detectors = detectors;
    this.#matcher = new KeywordMatcher(keywords);
    this.#selected = keywords.map((keyword) =>
      detectors.flatMap((detector, i) => (detector.keywords.includes(keyword) ? [i] : [])),
    );
  }

  /** Returns the credentials of a text, in the order of the detectors. */
  find(text: string): Span[] {
    return this.#select(text).flatMap((detector) => detector.find(text) as Span[]);
  }

  /** Returns whether a text contains a credential. */
  matches(text: string): boolean {
    return this.#select(text).some((detector) => detector.find(text).length > 0);
  }

  /** Returns the detectors whose keywords the text contains. */
  #select(text: string): Detector[] {
    const indexes = new Set<number>();
    this.#matcher.match(text, (keyword) => {
      for (const i of this.#selected[keyword] as readonly number[]) indexes.add(i);
    });
    if (indexes.size === 0) return [];
    return [...indexes].sort((a, b) => a - b).map((i) => this.#detectors[i] as Detector);
  }
}
