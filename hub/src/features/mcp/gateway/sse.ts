// Server-sent events of an upstream, message by message. Bounded: an event that does not end is cut off.
import { isMessage, type Rpc } from './messages.ts';

/** Throws where an event is longer than `maxChars`; what is no JSON-RPC message is left out. */
export async function* eventsOf(
  body: AsyncIterable<Buffer | string>,
  maxChars: number,
): AsyncGenerator<Rpc> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    rest += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    if (rest.includes('\r')) rest = rest.replaceAll(/\r\n|\r(?!\n$)/g, '\n');
    let end = rest.indexOf('\n\n');
    while (end !== -1) {
      const message = messageIn(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (message !== null) yield message;
      end = rest.indexOf('\n\n');
    }
    if (rest.length > maxChars) throw new Error('an event is too long');
  }
  const last = messageIn(rest);
  if (last !== null) yield last;
}

function messageIn(event: string): Rpc | null {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
    .join('\n');
  if (data === '') return null;
  try {
    const parsed: unknown = JSON.parse(data);
    return isMessage(parsed) ? parsed : null;
  } catch {
    // An upstream that breaks its own protocol: nothing of it is passed on.
    return null;
  }
}

export const eventText = (message: Rpc) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
