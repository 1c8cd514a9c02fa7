// The inspection of answers as the relay needs it. The guardrails of an app implement it (steps/guardrails.ts).
import type { TextPart } from '../policy/index.ts';
import type { ContentImages } from './images.ts';

/** Inspects a text that arrives in parts. What it returns may be sent to the client. */
export interface TextWindow {
  /** Returns the text that is safe to send now. Throws a Refusal if the text is blocked. */
  push(text: string): string;
  /** Returns the rest. Throws a Refusal if the text is blocked. */
  flush(): string;
}

export interface AnswerGuard {
  /**
   * Reviews a complete answer by a model, and resolves with the guard to apply to it. Rejects with a Refusal for a
   * blocked answer. Null: no model reviews answers, so that they may be sent while they arrive.
   */
  review: ((parts: readonly TextPart[], images: ContentImages) => Promise<AnswerGuard>) | null;
  /** Returns the texts to replace. Throws a Refusal if an answer is blocked. */
  inspect(parts: readonly TextPart[]): Pick<TextPart, 'path' | 'text'>[];
  /** Returns a window for a text of a stream. */
  openWindow(): TextWindow;
}
