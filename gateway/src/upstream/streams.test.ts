// Streams are split into events at any boundary of chunks.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AwsEventReader, encodeMessage, replacePayload } from './aws-event-stream.ts';
import { replaceData, SseReader } from './sse.ts';

const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)].filter((chunk) => chunk.length > 0);
};
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 });

it('reads server-sent events with any line end, cut anywhere', () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom('\n', '\r\n'), (parts, end) => {
      const lines = [
        'event: a',
        'data: {"text":"grüß 🙂"}',
        '',
        ': comment',
        'data: 1',
        'data: 2',
        '',
        '',
      ];
      const reader = new SseReader();
      const chunks = cut(Buffer.from(lines.join(end)), parts);
      const events = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
      expect(events.map(({ data }) => data)).toEqual(['{"text":"grüß 🙂"}', '1\n2']);
    }),
  );
});

it('replaces the data of an event, and keeps its name and id', () => {
  const [event] = new SseReader().push(Buffer.from('id: 7\nevent: delta\ndata: a\n\n'));
  expect(event && replaceData(event, 'b')).toBe('id: 7\nevent: delta\ndata: b');
});

it('returns a last event that no empty line ends', () => {
  const reader = new SseReader();
  expect(reader.push(Buffer.from('data: [DONE]'))).toEqual([]);
  expect(reader.end()).toMatchObject([{ data: '[DONE]' }]);
});

it('reads messages of an AWS event stream, cut anywhere', () => {
  const message = encodeMessage({ ':event-type': 'chunk' }, Buffer.from('{"bytes":"YQ=="}'));
  fc.assert(
    fc.property(sizes, (parts) => {
      const reader = new AwsEventReader();
      const chunks = cut(Buffer.concat([message, message]), parts);
      const events = chunks.flatMap((chunk) => reader.push(chunk));
      expect(events).toHaveLength(2);
      expect(events[0]?.headers).toEqual({ ':event-type': 'chunk' });
      expect(events[1]?.payload.toString()).toBe('{"bytes":"YQ=="}');
    }),
  );
});

it('replaces the payload of an AWS message, and rejects a damaged message', () => {
  const message = encodeMessage({ ':event-type': 'chunk' }, Buffer.from('{}'));
  const [event] = new AwsEventReader().push(message);
  const replaced =
    event === undefined ? Buffer.alloc(0) : replacePayload(event, Buffer.from('{"a":1}'));
  expect(new AwsEventReader().push(replaced)[0]?.payload.toString()).toBe('{"a":1}');
  replaced[replaced.length - 6] = (replaced.at(-6) ?? 0) ^ 1;
  expect(() => new AwsEventReader().push(replaced)).toThrow('damaged');
});
