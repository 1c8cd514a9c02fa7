// Detectors of a tenant's custom definitions: patterns in RE2 syntax, which run in linear time, and exact values.
import { RE2JS } from 're2js';
import type { ScannedText } from '../scanned-text.ts';
import type { Sensitivity } from '../settings.ts';
import type { Detector, Range } from '../types.ts';

/** A document of the kind `custom_definition`. Without patterns and values, no node can evaluate it. */
export interface CustomDefinition {
  edm_id: string;
  name: string;
  /** `edm` for exact data matching. */
  kind?: string | null;
  /** A pattern runs from its own sensitivity on; without a sensitivity, always. */
  patterns?: readonly { pattern: string; sensitivity?: Sensitivity }[];
  /** Exact data. Sensitivity low: whole words in their case; medium: in any case; high: also inside longer words. */
  values?: readonly string[];
}

const PATTERN_MAX = 4_096;

/**
 * Returns the detectors of a definition; none if it has neither patterns nor values, or no valid pattern. The category
 * of a row is `edm` for exact data and the id of the definition for others.
 */
export function compileDefinition(definition: CustomDefinition): readonly Detector[] {
  const { edm_id, kind, patterns = [], values = [] } = definition;
  const base =
    kind === 'edm'
      ? { name: edm_id, category: 'edm', subcategory: edm_id }
      : { name: edm_id, category: edm_id, subcategory: definition.name };
  const byPattern = patterns.flatMap(({ pattern, sensitivity = 'low' }): Detector[] => {
    const compiled = compilePattern(pattern);
    return compiled === null
      ? []
      : [{ ...base, level: sensitivity, find: ({ text }) => findPattern(text, compiled) }];
  });
  const exact = values.map((value) => value.trim()).filter((value) => value !== '');
  if (exact.length === 0) return byPattern;
  return [...byPattern, ...exactDetectors(base, exact)];
}

function compilePattern(pattern: string): RE2JS | null {
  if (pattern.length > PATTERN_MAX) return null;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

function findPattern(text: string, pattern: RE2JS): Range[] {
  if (!pattern.test(text)) return [];
  const ranges: Range[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    if (matcher.end() > matcher.start())
      ranges.push({ start: matcher.start(), end: matcher.end() });
  }
  return ranges;
}

function exactDetectors(
  base: Pick<Detector, 'name' | 'category' | 'subcategory'>,
  values: readonly string[],
): Detector[] {
  const folded = values.map((value) => value.toLowerCase());
  return [
    { ...base, level: 'low', find: ({ text }) => findValues(text, values, true) },
    { ...base, level: 'medium', find: ({ lower }) => findValues(lower, folded, true) },
    { ...base, level: 'high', find: ({ lower }: ScannedText) => findValues(lower, folded, false) },
  ];
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

function findValues(text: string, values: readonly string[], isWhole: boolean): Range[] {
  const ranges: Range[] = [];
  for (const value of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length;
      const isInside =
        WORD_CHARACTER.test(text[at - 1] ?? '') || WORD_CHARACTER.test(text[end] ?? '');
      if (!isWhole || !isInside) ranges.push({ start: at, end });
    }
  }
  return ranges;
}
