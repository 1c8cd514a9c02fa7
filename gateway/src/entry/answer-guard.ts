// The inspection of answers as the relay needs it. The guardrails of an app implement it (steps/guardrails.ts).
import type { TextPart } from '../policy/index.ts';

/** Inspects a text that arrives in parts. What it returns may be sent to the client. */
export interface TextWindow {
  /** Returns the text that is safe to send now. Throws a Refusal if the text is blocked. */
  push(text: string): string;
  /** Returns the rest. Throws a Refusal if the text is blocked. */
  flush(): string;
}

export interface AnswerGuard {
  /** Returns the texts to replace. Throws a Refusal if an answer is blocked. */
  inspect(parts: readonly TextPart[]): Pick<TextPart, 'path' | 'text'>[];
  /** Returns a window for a text of a stream. */
  openWindow(): TextWindow;
}
