// Cached parts of a batch are not parsed again, and the result always equals a complete parse.
import { xorOfHex } from '@gatewarden/shared/digests.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CacheLookup, readBatchPayload } from './batch-payload.ts';
import { copyPage, idPrefixesOf } from './cache-entry.ts';
import { createInventoryCache } from './inventory-cache.ts';
import { hashEntities, type SentEntity } from './merge.ts';

const none: CacheLookup = () => undefined;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const batch = (over: object = {}) => ({
  batch_id: 'b',
  device: { device_id: 'D' },
  scan: { coverage: [{ source: 'dpkg', entities: 3 }] },
  entities: [{ name: 'a' }],
  ...over,
});

test('recognizes the same entities after another header', () => {
  const entities = [1, 2].map((i) => ({ entity_id: anId(i), name: `n${i}` }));
  const memory = memoryOf(batch({ entities }));
  const second = readBatchPayload(bytes(batch({ batch_id: 'c', entities })), memory);
  expect(second.cachedPart).toEqual({ version: 2, page: pageOf(hashEntities(entities as never)) });
  expect([second.pageHash, second.readChangedEntities()]).toEqual(['', []]);
  expect(second.value).toEqual(batch({ batch_id: 'c', entities: [] }));
  expect(second.parseWhole()).toEqual(batch({ batch_id: 'c', entities }));
  expect(second.readAllEntities().map((entity) => entity.entity)).toEqual(entities);
});

test('recognizes an identical batch that cannot be split into entities', () => {
  const entities = [{ name: 'a', entity_id: anId(1) }];
  const memory = memoryOf(batch({ entities }));
  const second = readBatchPayload(bytes(batch({ batch_id: 'c', entities })), memory);
  expect(second.cachedPart?.page.count).toBe(1);
  expect(second.readAllEntities().map((entity) => entity.entity)).toEqual(entities);
});

test('does not recognize the batch of another device', () => {
  const entities = [{ entity_id: anId(1), name: 'a' }];
  const memory = memoryOf(batch({ entities }));
  const other = batch({ device: { device_id: 'E' }, entities });
  expect(readBatchPayload(bytes(other), memory).cachedPart).toBe(null);
});

test.each([
  ['something follows the entities', '{"device":{"device_id":"d"},"entities":[],"later":1}'],
  ['the entities are nested deeper', '{"device":{"device_id":"d","entities":[]},"x":1}'],
  ['the head comes again', '{"device":{"device_id":"d"},"scan":1,"entities":[],"scan":2}'],
  ['there is a space', '{"device":{"device_id":"d"},"entities": []}'],
  ['the device is no text', '{"device":{"device_id":5},"entities":[]}'],
  ['it is no object', '["\\"entities\\":["]'],
])('parses a body completely where %s', (_what, text) => {
  const read = readBatchPayload(Buffer.from(text), none);
  expect([read.cachedPart, read.pageHash, read.value]).toEqual([null, '', JSON.parse(text)]);
});

test('parses any JSON like JSON.parse', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((entities) => batch({ entities })),
  );
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/__proto__|constructor|\\u0000|\\ud[89a-f]/i.test(text));
      expect(readBatchPayload(Buffer.from(text), none).value).toEqual(JSON.parse(text));
    }),
  );
});

/** Of which each begins otherwise. */
const anId = (i: number) => i.toString(16).padStart(16, '0').padEnd(64, '0');

const pageOf = (sent: readonly SentEntity[]) =>
  copyPage(
    idPrefixesOf(sent.map((entity) => entity.id)),
    xorOfHex(sent.map((entity) => entity.contentHash)),
  );

/** As after these bodies, one after the other. */
function memoryOf(...bodies: object[]): CacheLookup {
  const pictures = createInventoryCache(1_000);
  bodies.forEach((body, i) => {
    const read = readBatchPayload(bytes(body), none);
    const sent = read.readAllEntities();
    const entities = new Map(sent.map((entity) => [entity.id, entity.isRemoval ? null : entity]));
    const page = read.pageHash === '' ? null : { hash: read.pageHash, page: pageOf(sent) };
    pictures.update('d', { before: i + 1, after: i + 2, entities, isNew: i === 0, page });
  });
  return (device) => pictures.get(device);
}

/** The beginnings of those that are known, in hex. */
const knownOf = (read: ReturnType<typeof readBatchPayload>): string[] => {
  const named = read.cachedPart?.page.named ?? Buffer.alloc(0);
  return Array.from({ length: named.length / 8 }, (_, i) =>
    named.toString('hex', 8 * i, 8 * i + 8),
  );
};

test('parses only unknown entities of a batch', () => {
  const entities = [1, 2, 3].map((i) => ({ entity_id: anId(i), name: `n${i}` }));
  const changed = entities.with(1, { entity_id: anId(2), name: 'other' });
  const read = readBatchPayload(bytes(batch({ entities: changed })), memoryOf(batch({ entities })));
  expect(read.value).toEqual(batch({ entities: [changed[1]] }));
  expect(knownOf(read)).toEqual([anId(1), anId(3)].map((id) => id.slice(0, 16)));
  expect(read.readChangedEntities().map((entity) => entity.entity)).toEqual([changed[1]]);
  expect(read.readAllEntities().map((entity) => entity.entity)).toEqual(changed);
});

test.each([
  ['an entity within an entity', [{ entity_id: anId(1), x: [{}, { entity_id: anId(2) }] }]],
  ['an entity that begins with something else', [{ name: 'a', entity_id: anId(1) }]],
  ['the mark in a text', [{ entity_id: anId(1), name: '{"entity_id":"' }]],
  ['something that is no entity', [{ entity_id: anId(1) }, 5, { entity_id: anId(2) }]],
])('parses %s like JSON.parse', (_what, entities) => {
  const body = batch({ entities });
  const valid = entities.filter((entity) => typeof entity === 'object');
  const read = readBatchPayload(bytes(body), memoryOf(batch({ entities: valid })));
  expect(read.parseWhole()).toEqual(body);
  if (read.cachedPart === null) expect(read.value).toEqual(body);
  else expect(read.readAllEntities().map((entity) => entity.entity)).toEqual(entities);
});

test('returns the entities of a complete parse with any cache content', () => {
  const entity = fc
    .record({
      i: fc.integer({ min: 1, max: 5 }),
      name: fc.constantFrom('a', 'b', 'é', '"},{"entity_id":"'),
      x: fc.constantFrom(undefined, [{}, { entity_id: anId(2) }], { entity_id: anId(3) }),
    })
    .map(({ i, ...rest }) => ({ entity_id: anId(i), ...rest }));
  const page = fc.uniqueArray(entity, { selector: (row) => row.entity_id, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 3 }), page, (before, now) => {
      const memory = memoryOf(...before.map((entities) => batch({ entities })));
      const body = JSON.parse(JSON.stringify(batch({ entities: now })));
      const read = readBatchPayload(bytes(body), memory);
      const parts = (sent: readonly SentEntity[]) =>
        sent.map((item) => [item.id, item.contentHash, item.isRemoval, item.entity]);
      const sent = hashEntities(body.entities);
      expect(parts(read.readAllEntities())).toEqual(parts(sent));
      expect(read.parseWhole()).toEqual(body);
      const result = new Set(knownOf(read));
      const isKnown = ({ id }: SentEntity) => result.has(id.slice(0, 16));
      expect(parts(read.readChangedEntities())).toEqual(
        parts(sent.filter((item) => !isKnown(item))),
      );
      if (read.cachedPart !== null)
        expect(read.cachedPart.page).toEqual(pageOf(sent.filter(isKnown)));
      expect((read.value as { entities: object[] }).entities).toEqual(
        read.readChangedEntities().map((item) => item.entity),
      );
    }),
  );
});

test('parses a batch with a duplicate entity completely', () => {
  const entities = [{ entity_id: anId(1), name: 'a' }];
  const body = batch({ entities: [...entities, ...entities] });
  const read = readBatchPayload(bytes(body), memoryOf(batch({ entities })));
  expect([read.cachedPart, read.value]).toEqual([null, body]);
});
