// Finds which keywords a text contains, in a single scan: the algorithm of Aho and Corasick. The prefilter of the rules
// is generated from their keywords, so that a text pays only for the rules that could match.

const ASCII = 128;

function foldCase(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
}

/** A state for each prefix of a keyword. Letters beyond ASCII occur in no keyword. */
export class KeywordMatcher {
  /** The class of each ASCII character; 0 occurs in no keyword. Capital letters have the class of small letters. */
  readonly #classes = new Uint8Array(ASCII);
  readonly #width: number;
  readonly #next: Uint16Array;
  /** The keywords that end in each state. */
  readonly #ends: (readonly number[])[];
  readonly #isEnd: Uint8Array;
  /** The last call that reached each state. */
  readonly #lastCall: Float64Array;
  #calls = 0;

  /** Builds the automaton for lower-case ASCII keywords. */
  constructor(keywords: readonly string[]) {
    const units = new Set(
      keywords.flatMap((word) => [...word].map((letter) => letter.charCodeAt(0))),
    );
    for (const [i, unit] of [...units].entries()) this.#classes[unit] = i + 1;
    for (let unit = 0; unit < ASCII; unit++) {
      this.#classes[unit] = this.#classes[foldCase(unit)] as number;
    }
    this.#width = units.size + 1;
    const length = keywords.reduce((sum, word) => sum + word.length, 1);
    this.#next = new Uint16Array(length * this.#width);
    const ends: number[][] = [[]];
    for (const [i, word] of keywords.entries())
      (ends[this.#addWord(word, ends)] as number[]).push(i);
    this.#ends = ends;
    this.#addFallbacks(ends);
    this.#lastCall = new Float64Array(ends.length);
    this.#isEnd = Uint8Array.from(ends, (words) => (words.length > 0 ? 1 : 0));
  }

  /** Calls `report` with the index of each keyword in the text, in no order; a keyword may repeat. */
  match(text: string, report: (keyword: number) => void): void {
    const [classes, next, isEnd, width] = [this.#classes, this.#next, this.#isEnd, this.#width];
    const call = ++this.#calls;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      state = unit < ASCII ? (next[state * width + (classes[unit] as number)] as number) : 0;
      if (isEnd[state] === 0 || this.#lastCall[state] === call) continue;
      this.#lastCall[state] = call;
      for (const keyword of this.#ends[state] as readonly number[]) report(keyword);
    }
  }

  #addWord(word: string, ends: number[][]): number {
    let state = 0;
    for (const letter of word) {
      const edge = state * this.#width + (this.#classes[letter.charCodeAt(0)] as number);
      if (this.#next[edge] === 0) this.#next[edge] = ends.push([]) - 1;
      state = this.#next[edge] as number;
    }
    return state;
  }

  /** Completes each state with the transitions and keywords of its longest suffix, shorter states first. */
  #addFallbacks(ends: number[][]): void {
    const [next, width] = [this.#next, this.#width];
    const suffixes = new Uint16Array(ends.length);
    const queue = [0];
    for (const state of queue) {
      const suffix = suffixes[state] as number;
      if (state !== 0) ends[state]?.push(...(ends[suffix] as number[]));
      for (let unit = 0; unit < width; unit++) {
        const edge = state * width + unit;
        const fallback = state === 0 ? 0 : (next[suffix * width + unit] as number);
        const target = next[edge] as number;
        if (target === 0) next[edge] = fallback;
        else {
          suffixes[target] = fallback;
          queue.push(target);
        }
      }
    }
  }
}
