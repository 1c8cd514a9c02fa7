// What a batch changes: once, in any order of entities, and never against the word of a higher scan.
import { EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkEntities,
  type Merge,
  mergeBatch,
  mergeRemovals,
  type StoredEntity,
} from './merge.ts';

const anEntity = (id: string, over: Partial<WireEntity> = {}): WireEntity => ({
  entity_id: id,
  kind: 'package',
  source: 'dpkg',
  name: id,
  version: '1',
  ...over,
});

type Store = Map<string, StoredEntity>;

/** The store after a merge, as its SQL would leave it. */
function applied(before: Store, merge: Merge, seq: number): Store {
  const after = new Map(before);
  for (const { entity, contentHash, removed } of merge.writes) {
    after.set(entity.entity_id, {
      entity_id: entity.entity_id,
      content_hash: contentHash,
      scan_seq: seq,
      version: entity.version ?? null,
      removed,
    });
  }
  for (const id of merge.confirmed) {
    const old = after.get(id);
    if (old !== undefined) after.set(id, { ...old, scan_seq: seq });
  }
  return after;
}

test('a new entity is accepted, the same again is unchanged', () => {
  const first = mergeBatch(new Map(), [anEntity('a')], 1);
  expect([first.accepted, first.unchanged, first.entityCountChange]).toEqual([1, 0, 1]);
  const again = mergeBatch(applied(new Map(), first, 1), [anEntity('a')], 2);
  expect([again.accepted, again.unchanged, again.confirmed]).toEqual([0, 1, ['a']]);
  expect(again.hashChange).toEqual(EMPTY_INVENTORY);
});

test('a new version moves the counts of the versions, not of the devices', () => {
  const stored = applied(new Map(), mergeBatch(new Map(), [anEntity('a')], 1), 1);
  const { products } = mergeBatch(stored, [anEntity('a', { version: '2' })], 2);
  expect(products).toEqual([
    {
      entity_id: 'a',
      devices: 0,
      versions: new Map([
        ['1', -1],
        ['2', 1],
      ]),
    },
  ]);
});

test('a lower scan changes nothing that a higher one said', () => {
  const stored = applied(new Map(), mergeBatch(new Map(), [anEntity('a')], 5), 5);
  const late = mergeBatch(stored, [anEntity('a', { version: '0' })], 4);
  expect([late.accepted, late.unchanged, late.writes]).toEqual([0, 1, []]);
});

test('an unknown entity that a higher scan did not find is not brought back', () => {
  const late = mergeBatch(new Map(), [anEntity('a')], 4, () => true);
  expect([late.accepted, late.unchanged]).toEqual([0, 1]);
});

test('the removal of what was never there changes nothing', () => {
  expect(mergeBatch(new Map(), [anEntity('a', { removed: true })], 1).writes).toEqual([]);
});

test('any history leaves counts and inventory hash at what is stored', () => {
  const entity = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      version: fc.constantFrom('1', '2', null),
      removed: fc.boolean(),
    })
    .map(({ id, version, removed }) => anEntity(id, { version, ...(removed ? { removed } : {}) }));
  const batch = fc.uniqueArray(entity, { selector: (one) => one.entity_id });
  const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), batch), { maxLength: 12 });
  fc.assert(
    fc.property(history, (batches) => {
      let store: Store = new Map();
      let hash = EMPTY_INVENTORY;
      let count = 0;
      for (const [seq, entities] of batches) {
        const merge = mergeBatch(store, entities, seq);
        expect(merge.accepted + merge.unchanged).toBe(entities.length);
        expect(mergeBatch(store, [...entities].reverse(), seq)).toEqual(merge);
        store = applied(store, merge, seq);
        hash = xorHash(hash, merge.hashChange);
        count += merge.entityCountChange;
      }
      const present = [...store.values()].filter((one) => !one.removed);
      expect(count).toBe(present.length);
      expect(hash).toEqual(
        present.map((one) => Buffer.from(one.content_hash, 'hex')).reduce(xorHash, EMPTY_INVENTORY),
      );
      const end = mergeRemovals(present);
      expect(end.entityCountChange).toBe(-present.length + 0);
      expect(xorHash(hash, end.hashChange)).toEqual(EMPTY_INVENTORY);
    }),
  );
});

test('the content hash is of the entity exactly as it was sent', () => {
  const sent = { ...anEntity('a'), later_field: 1 };
  expect(mergeBatch(new Map(), [sent], 1).writes[0]?.contentHash).toBe(
    entityHash(sent).toString('hex'),
  );
});

test.each<[string, WireEntity[], RegExp]>([
  ['an id that stands twice', [anEntity('a'), anEntity('a')], /^\/entities\/1\/entity_id/],
  ['a blank name', [anEntity('a', { name: ' \t' })], /^\/entities\/0\/name/],
  [
    'details that are too large',
    [anEntity('a'), anEntity('b', { details: { text: 'é'.repeat(4_096) } })],
    /^\/entities\/1\/details/,
  ],
])('%s is refused with its pointer', (_what, entities, message) => {
  expect(() => checkEntities(entities)).toThrow(message);
});
