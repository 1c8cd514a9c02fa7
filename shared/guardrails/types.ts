// The vocabulary of guardrails.
import type { Action } from '../wire/management/app-config.ts';
import type { ScannedText } from './scanned-text.ts';
import type { Sensitivity } from './settings.ts';

/** The direction of a text. */
export type Direction = 'request' | 'response';

/** A part of a text in UTF-16 units, as `slice` takes them. */
export interface Range {
  start: number;
  end: number;
}

/** A detector finds a kind of content. Detectors are pure, and linear in the length of the text. */
export interface Detector {
  /** A name for rows, for example `card_number`. It never contains the content. */
  name: string;
  category: string;
  subcategory: string;
  /** The lowest sensitivity that runs this detector: `low` runs always, `high` finds the most. */
  level: Sensitivity;
  /** Conditions without which the detector cannot find anything. They are cheaper than the detector. */
  requires?: Requirements;
  find: (scanned: ScannedText) => Iterable<Range>;
}

export interface Requirements {
  /** At least one of these words occurs, in lower case. */
  words?: readonly string[];
  contains?: string;
  /** Two digits occur close to each other. */
  digits?: boolean;
}

/** A detector with the settings of an app. */
export interface GuardrailCheck {
  detector: Detector;
  action: Action;
}

/** Detected content of a text. */
export interface Span extends Range {
  category: string;
  subcategory: string;
  action: Action;
  detector: string;
}

/** The checks of a direction. */
export interface CheckList {
  readonly checks: readonly GuardrailCheck[];
  /** Finds every word that a check requires; null if no check requires a word. */
  readonly words: RegExp | null;
}

/** All checks of an app for a caller. It never changes. */
export type CompiledGuardrails = Readonly<Record<Direction, CheckList>>;
