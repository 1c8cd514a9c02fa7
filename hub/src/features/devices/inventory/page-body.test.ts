// What is known is not parsed again, and whatever is sent, the answer is that of parsing it whole.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashed } from './merge.ts';
import { type Memory, readPageBody } from './page-body.ts';
import type { Page } from './pictures.ts';

const PAGE: Page = { named: Buffer.alloc(8), contents: Buffer.alloc(32), count: 1 };
const none = { page: () => undefined, contentOf: () => undefined, versionOf: () => null };
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
  const second = readPageBody(bytes(batch({ batch_id: 'c' })), {
    ...none,
    page(deviceId, hash) {
      expect([deviceId, hash]).toEqual(['d', first.pageHash]);
      return PAGE;
    },
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

const anId = (i: number) => i.toString(16).padStart(64, '0');

/** Remembers the texts of these bodies' entities, as a picture does. */
function memoryOf(...bodies: object[]): Memory {
  const texts = new Map<string, string>();
  for (const body of bodies) {
    for (const one of readPageBody(bytes(body), none).sent()) {
      if (one.textHash !== null) texts.set(`${one.id} ${one.textHash}`, one.contentHash);
    }
  }
  return { ...none, contentOf: (_device, id, text) => texts.get(`${id} ${text}`) };
}

test('of a page only the entities are parsed whose text is not known', () => {
  const entities = [1, 2, 3].map((i) => ({ entity_id: anId(i), name: `n${i}` }));
  const changed = entities.with(1, { entity_id: anId(2), name: 'other' });
  const read = readPageBody(bytes(batch({ entities: changed })), memoryOf(batch({ entities })));
  expect(read.value).toEqual(batch({ entities: [changed[1]] }));
  expect([...read.known]).toEqual([anId(1), anId(3)]);
  expect(read.sent().map((one) => one.entity())).toEqual(changed);
});

test.each([
  ['an entity within an entity', [{ entity_id: anId(1), x: [{}, { entity_id: anId(2) }] }]],
  ['an entity that begins with something else', [{ name: 'a', entity_id: anId(1) }]],
  ['the mark in a text', [{ entity_id: anId(1), name: '{"entity_id":"' }]],
  ['something that is no entity', [{ entity_id: anId(1) }, 5, { entity_id: anId(2) }]],
])('%s is read as it parses', (_what, entities) => {
  const body = batch({ entities });
  const read = readPageBody(bytes(body), memoryOf(body));
  expect(read.whole()).toEqual(body);
  if (read.known.size === 0) expect(read.value).toEqual(body);
  else expect(read.sent().map((one) => one.entity())).toEqual(entities);
});

test('whatever was remembered, a body holds the entities that it parses to', () => {
  const entity = fc
    .record({
      i: fc.integer({ min: 1, max: 5 }),
      name: fc.constantFrom('a', 'b', 'é', '"},{"entity_id":"'),
      x: fc.constantFrom(undefined, [{}, { entity_id: anId(2) }], { entity_id: anId(3) }),
    })
    .map(({ i, ...rest }) => ({ entity_id: anId(i), ...rest }));
  const page = fc.uniqueArray(entity, { selector: (one) => one.entity_id, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 3 }), page, (before, now) => {
      const memory = memoryOf(...before.map((entities) => batch({ entities })));
      const body = JSON.parse(JSON.stringify(batch({ entities: now })));
      const read = readPageBody(bytes(body), memory);
      const parts = (sent: ReturnType<typeof hashed>) =>
        sent.map((one) => [one.id, one.contentHash, one.isRemoval, one.entity()]);
      expect(parts(read.sent())).toEqual(parts(hashed(body.entities)));
      expect(read.whole()).toEqual(body);
      const { entities } = read.value as { entities: { entity_id: string }[] };
      expect(entities.length + read.known.size).toBe(now.length);
      expect(entities.filter((one) => read.known.has(one.entity_id))).toEqual([]);
    }),
  );
});
