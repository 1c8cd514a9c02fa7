// Applies an answer guard to the events of a stream. Each text of the stream (a choice, a content block) has a window of
// its own, which retains the last characters until they are safe. At the end of a text its rest is sent in a copy of
// its last event, before the event that ends it.
import type { TextPart } from '../policy/index.ts';
import type { AnswerEvent } from './answer-events.ts';
import type { AnswerGuard, TextWindow } from './answer-guard.ts';
import { type JsonObject, setAt } from './request-body.ts';
import { collectTexts } from './texts.ts';

interface OpenText {
  window: TextWindow;
  path: TextPart['path'];
  /** The last event with a part of this text. */
  event: AnswerEvent;
}

/** An event to send, with other JSON if it was changed. */
interface GuardedChunk {
  event: AnswerEvent;
  json?: JsonObject;
}

export class StreamGuard {
  readonly #guard: AnswerGuard;
  readonly #open = new Map<string, OpenText>();

  constructor(guard: AnswerGuard) {
    this.#guard = guard;
  }

  /** Returns the chunks to send for an event, and the text that they carry. Throws a Refusal for a blocked text. */
  push(event: AnswerEvent): { chunks: GuardedChunk[]; text: string } {
    const { json } = event;
    if (json === null) return this.#closeTexts(event);
    const parts = collectTexts(json, 'assistant');
    const isEnd = event.isLast || endsText(json);
    const pieces = parts.filter(({ path }) => isPiece(json, path));
    const before = isEnd ? this.#flush(pieces.map(({ path }) => textKey(json, path))) : [];
    const changed = structuredClone(json);
    let text = before.map((flushed) => flushed.text).join('');
    for (const part of pieces) {
      const emitted = this.#pushPiece(event, json, part, isEnd);
      setAt(changed, part.path, emitted);
      text += emitted;
    }
    const complete = parts.filter((part) => !pieces.includes(part));
    for (const { path, text: replaced } of this.#guard.inspect(complete)) {
      setAt(changed, path, replaced);
    }
    return { chunks: [...before, { event, json: changed }], text };
  }

  /** Returns the rests of texts that no event ended, because the stream broke off. */
  close(): { event: AnswerEvent; json: JsonObject; text: string }[] {
    return this.#flush([]);
  }

  #pushPiece(event: AnswerEvent, json: JsonObject, part: TextPart, isEnd: boolean): string {
    const key = textKey(json, part.path);
    const window = this.#open.get(key)?.window ?? this.#guard.openWindow();
    this.#open.set(key, { window, path: part.path, event });
    const emitted = window.push(part.text);
    if (!isEnd) return emitted;
    this.#open.delete(key);
    return emitted + window.flush();
  }

  #closeTexts(event: AnswerEvent): { chunks: GuardedChunk[]; text: string } {
    const flushed = this.#flush([]);
    return {
      chunks: [...flushed, { event }],
      text: flushed.map(({ text }) => text).join(''),
    };
  }

  /** Returns the rests of all open texts but those that the current event continues. */
  #flush(continued: readonly string[]): { event: AnswerEvent; json: JsonObject; text: string }[] {
    const rests: { event: AnswerEvent; json: JsonObject; text: string }[] = [];
    for (const [key, { window, path, event }] of this.#open) {
      if (continued.includes(key)) continue;
      this.#open.delete(key);
      const text = window.flush();
      if (text === '') continue;
      const json = structuredClone(event.json) as JsonObject;
      setAt(json, path, text);
      rests.push({ event, json, text });
    }
    return rests;
  }
}

/** Returns the complete texts of a stream, each joined from its pieces. */
export function joinTexts(events: readonly AnswerEvent[]): TextPart[] {
  const joined = new Map<string, TextPart>();
  for (const { json } of events) {
    if (json === null) continue;
    for (const part of collectTexts(json, 'assistant')) {
      if (!isPiece(json, part.path)) continue;
      const key = textKey(json, part.path);
      const text = (joined.get(key)?.text ?? '') + part.text;
      joined.set(key, { ...part, text });
    }
  }
  return [...joined.values()];
}

/** Returns whether the text is a piece of a longer text. The Responses API also repeats complete texts. */
function isPiece(json: JsonObject, path: TextPart['path']): boolean {
  const isResponsesApi = typeof json.type === 'string' && json.type.startsWith('response.');
  return !isResponsesApi || path.at(-1) === 'delta';
}

/** Identifies a text of a stream by its place and by the numbers of choice, block and output. */
function textKey(json: JsonObject, path: TextPart['path']): string {
  const choices = json.choices ?? json.candidates;
  const choice = Array.isArray(choices)
    ? (choices[Number(path[1])] as JsonObject)?.index
    : undefined;
  const { index, output_index, content_index, contentBlockIndex } = json;
  const numbers = [choice, index, output_index, content_index, contentBlockIndex];
  return JSON.stringify([path, numbers.map((number) => number ?? null)]);
}

/** Returns whether an event ends a text: a finish reason, or the end of a block. */
function endsText(json: JsonObject): boolean {
  if (/(_stop|\.done|\.completed|\.incomplete|\.failed)$/.test(String(json.type))) return true;
  if ('stopReason' in json || 'stop_reason' in json) return true;
  if ('contentBlockIndex' in json && !('delta' in json) && !('start' in json)) return true;
  const choices = json.choices ?? json.candidates;
  if (!Array.isArray(choices)) return false;
  return choices.some((choice: JsonObject) => choice.finish_reason ?? choice.finishReason);
}
