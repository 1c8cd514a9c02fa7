// A known page is not parsed again, and whatever is sent, the answer is that of parsing it whole.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPageBody } from './page-body.ts';
import type { Page } from './pictures.ts';

const PAGE: Page = { named: Buffer.alloc(8), contents: Buffer.alloc(32), count: 1 };
const none = () => undefined;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const batch = (over: object = {}) => ({
  batch_id: 'b',
  device: { device_id: 'D' },
  scan: { coverage: [{ source: 'dpkg', entities: 3 }] },
  entities: [{ name: 'a' }],
  ...over,
});

test('the same entities after another head are the same page', () => {
  const first = readPageBody(bytes(batch()), none);
  const second = readPageBody(bytes(batch({ batch_id: 'c' })), (deviceId, hash) => {
    expect([deviceId, hash]).toEqual(['d', first.pageHash]);
    return PAGE;
  });
  expect(second.page).toBe(PAGE);
  expect(second.value).toEqual(batch({ batch_id: 'c', entities: [] }));
  expect(second.whole()).toEqual(batch({ batch_id: 'c' }));
});

test.each([
  ['something follows the entities', '{"device":{"device_id":"d"},"entities":[],"later":1}'],
  ['the entities stand deeper', '{"device":{"device_id":"d","entities":[]},"x":1}'],
  ['the head comes again', '{"device":{"device_id":"d"},"scan":1,"entities":[],"scan":2}'],
  ['there is a space', '{"device":{"device_id":"d"},"entities": []}'],
  ['the device is no text', '{"device":{"device_id":5},"entities":[]}'],
  ['it is no object', '["\\"entities\\":["]'],
])('a body is read whole where %s', (_what, text) => {
  const read = readPageBody(Buffer.from(text), none);
  expect([read.page, read.pageHash, read.value]).toEqual([null, '', JSON.parse(text)]);
});

test('any JSON reads as it parses', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((entities) => batch({ entities })),
  );
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/__proto__|constructor|\\u0000|\\ud[89a-f]/i.test(text));
      expect(readPageBody(Buffer.from(text), none).value).toEqual(JSON.parse(text));
    }),
  );
});
