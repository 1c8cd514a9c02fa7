// Inspects a streamed response. Text leaves the window when no detection can begin in it any more: the last
// `RETAINED_CHARACTERS` stay in it, so that content that is split over chunks is complete before its first character leaves.
// States: `open` (text passes), `blocked` (a span with the action `block` was found: nothing leaves any more) and
// `ended` (the rest was emitted). Positions of spans count from the start of the response.
import { decide, detect, type Outcome } from '@gatewarden/shared/guardrails/detect.ts';
import { redactSpans } from '@gatewarden/shared/guardrails/redact.ts';
import type { CompiledGuardrails, Span } from '@gatewarden/shared/guardrails/types.ts';

/** Longer than the beginning by which a detector recognizes a credential, and than any number with a checksum. */
const RETAINED_CHARACTERS = 256;
/** Emitted text that detectors still see, because a label may precede a value. */
const CONTEXT_CHARACTERS = 1_024;
/** The window is scanned again after this many new characters, or after this part of a long window. */
const STEP_CHARACTERS = 64;
const STEP_PART = 1 / 8;

export class StreamWindow {
  /** The spans of the text that left the window, and those that blocked it. */
  readonly spans: Span[] = [];
  #state: 'open' | 'blocked' | 'ended' = 'open';
  readonly #compiled: CompiledGuardrails;
  /** Emitted context, then text that is retained. */
  #buffer = '';
  #contextLength = 0;
  /** The position of the buffer in the response. */
  #offset = 0;
  #unscanned = 0;

  constructor(compiled: CompiledGuardrails) {
    this.#compiled = compiled;
  }

  get isBlocked(): boolean {
    return this.#state === 'blocked';
  }

  get outcome(): Outcome {
    return decide(this.spans);
  }

  /** Adds a chunk and returns the text that may leave, often none. Throws after `flush`. */
  push(chunk: string): string {
    if (this.#state === 'ended') throw new Error('the stream has ended');
    if (this.#state === 'blocked') return '';
    if (this.#compiled.response.checks.length === 0) return chunk;
    this.#buffer += chunk;
    this.#unscanned += chunk.length;
    const pending = this.#buffer.length - this.#contextLength;
    const step = Math.max(STEP_CHARACTERS, pending * STEP_PART);
    if (this.#unscanned < step || pending <= RETAINED_CHARACTERS) return '';
    return this.#emit(this.#buffer.length - RETAINED_CHARACTERS);
  }

  /** Ends the stream and returns the rest of the text. */
  flush(): string {
    if (this.#state !== 'open') return '';
    const rest = this.#emit(this.#buffer.length);
    if (!this.isBlocked) this.#state = 'ended';
    return rest;
  }

  /** Emits the buffer up to a position, or less if a span crosses it. */
  #emit(limit: number): string {
    this.#unscanned = 0;
    const spans = detect(this.#buffer, this.#compiled, 'response').filter(
      ({ end }) => end > this.#contextLength,
    );
    const blocking = spans.filter(({ action }) => action === 'block');
    if (blocking.length > 0) {
      this.#state = 'blocked';
      this.#record(spans);
      return '';
    }
    const cut = this.#findCut(spans, limit);
    const start = this.#contextLength;
    // A span that begins in emitted text was recognized too late; its rest is still replaced.
    const leaving = spans
      .filter((span) => span.start < cut)
      .map((span) => ({
        ...span,
        start: Math.max(span.start, start),
        end: Math.min(span.end, cut),
      }));
    this.#record(leaving);
    const shift = (span: Span) => ({ ...span, start: span.start - start, end: span.end - start });
    const text = redactSpans(this.#buffer.slice(start, cut), leaving.map(shift));
    this.#advance(cut);
    return text;
  }

  /**
   * Returns the last position up to the limit that no span contains and that splits no surrogate pair, because clients in
   * other languages cannot join the halves. A span that continues is retained as a whole.
   */
  #findCut(spans: readonly Span[], limit: number): number {
    const isPair =
      limit < this.#buffer.length && /[\ud800-\udbff]/.test(this.#buffer[limit - 1] ?? '');
    let cut = isPair ? limit - 1 : limit;
    for (const { start, end } of spans.toReversed()) {
      if (start < cut && end > cut) cut = Math.max(start, this.#contextLength);
    }
    return cut;
  }

  #record(spans: readonly Span[]): void {
    for (const span of spans) {
      this.spans.push({ ...span, start: span.start + this.#offset, end: span.end + this.#offset });
    }
  }

  #advance(cut: number): void {
    const dropped = Math.max(0, cut - CONTEXT_CHARACTERS);
    this.#buffer = this.#buffer.slice(dropped);
    this.#offset += dropped;
    this.#contextLength = cut - dropped;
  }
}
