// Server-sent events (WHATWG HTML §9.2) as providers stream them: splits a byte stream into events, and writes events.
import { StringDecoder } from 'node:string_decoder';

export interface SseEvent {
  /** The lines of the event as they arrived, without the empty line that ends it. */
  raw: string;
  data: string;
}

/** An event of a provider is much smaller; a larger event is not kept in memory. */
const EVENT_CHARACTERS_MAX = 8 * 2 ** 20;
const END_OF_EVENT = /\r?\n\r?\n|\r\r/g;

export class SseReader {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** Returns the events that the chunk completes. Throws above 8 MiB for an event. */
  push(chunk: Buffer): SseEvent[] {
    return this.#take(this.#decoder.write(chunk));
  }

  /** Returns a last event that no empty line ended. */
  end(): SseEvent[] {
    const events = this.#take(this.#decoder.end());
    if (this.#rest.trim() !== '') events.push(parseEvent(this.#rest));
    this.#rest = '';
    return events;
  }

  #take(text: string): SseEvent[] {
    const all = this.#rest + text;
    const events: SseEvent[] = [];
    let start = 0;
    END_OF_EVENT.lastIndex = Math.max(0, this.#rest.length - 3);
    for (let match = END_OF_EVENT.exec(all); match !== null; match = END_OF_EVENT.exec(all)) {
      if (match.index > start) events.push(parseEvent(all.slice(start, match.index)));
      start = match.index + match[0].length;
    }
    this.#rest = all.slice(start);
    if (this.#rest.length > EVENT_CHARACTERS_MAX) throw new Error('an event exceeds 8 MiB');
    return events;
  }
}

function parseEvent(raw: string): SseEvent {
  const data: string[] = [];
  for (const line of raw.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
  }
  return { raw, data: data.join('\n') };
}

/** Returns an event with other data. Its remaining lines, such as `event:` and `id:`, stay. */
export function replaceData({ raw }: SseEvent, data: string): string {
  const lines = raw.split(/\r\n|\n|\r/).filter((line) => !line.startsWith('data:'));
  return [...lines, `data: ${data}`].join('\n');
}
