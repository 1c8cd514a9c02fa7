// A text with the views of it that several detectors need. Each view is computed at most once, on demand.
import { HIDDEN_CHARACTER, normalizeHiddenText } from '../redaction/decoding.ts';

export class ScannedText {
  readonly text: string;
  #lowerText: string | null = null;
  #digits: boolean | null = null;
  #plain: ScannedText | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The text in lower case, with the same positions. */
  get lower(): string {
    // Only U+0130 becomes longer in lower case.
    this.#lowerText ??= this.text.replaceAll('\u0130', 'I').toLowerCase();
    return this.#lowerText;
  }

  get hasDigits(): boolean {
    this.#digits ??= /\d\D{0,2}\d/.test(this.text);
    return this.#digits;
  }

  /** Returns the words that a pattern of words finds in the text in lower case. */
  matchWords(words: RegExp): ReadonlySet<string> {
    return new Set(this.lower.match(words));
  }

  /** The text without invisible and full-width characters; the same object if it contains none. */
  get withoutHidden(): ScannedText {
    if (this.#plain === null) {
      const isHidden = HIDDEN_CHARACTER.test(this.text);
      const normalized = isHidden ? normalizeHiddenText(this.text) : this.text;
      this.#plain = normalized === this.text ? this : new ScannedText(normalized);
    }
    return this.#plain;
  }
}
