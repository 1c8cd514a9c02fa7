// A batch merges into the inventory once, in any order of entities, and never against a later scan.
import { EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addProductDeltas,
  checkEntities,
  hashEntities,
  type Merge,
  type MergeContext,
  mergeEntities,
  mergeRemovals,
  type ProductDeltas,
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

/** The merge state for a scan with this number, without newer scans. */
const against = (store: Store, over: Partial<MergeContext> = {}): MergeContext => ({
  isUnchanged: () => false,
  findStored: (id) => store.get(id),
  isMentionedByNewerScan: () => false,
  isRemovedByNewerScan: () => false,
  ...over,
});

const merged = (store: Store, entities: WireEntity[], seq: number) =>
  mergeEntities(hashEntities(entities), seq, against(store));

/** The store after a merge, as its SQL would leave it. */
function applied(before: Store, merge: Merge, seq: number): Store {
  const after = new Map(before);
  for (const { entity, contentHash, removed } of merge.writes) {
    after.set(entity.entity_id, {
      entity_id: entity.entity_id,
      content_hash: contentHash,
      scan_seq: seq,
      kind: entity.kind,
      name: entity.name,
      publisher: entity.publisher ?? null,
      version: entity.version ?? null,
      removed,
      launch_hash: entity.launch_hash ?? null,
      instances: entity.instances ?? [],
    });
  }
  return after;
}

const stored = (entities: WireEntity[], seq: number): Store =>
  applied(new Map(), merged(new Map(), entities, seq), seq);

test('accepts a new entity, and writes nothing for an unchanged entity', () => {
  const first = merged(new Map(), [anEntity('a')], 1);
  expect([first.accepted, first.unchanged, first.entityCountChange]).toEqual([1, 0, 1]);
  const again = merged(applied(new Map(), first, 1), [anEntity('a')], 2);
  expect([again.accepted, again.unchanged, again.writes]).toEqual([0, 1, []]);
  expect(again.hashChange).toEqual(EMPTY_INVENTORY);
});

test('loads no rows that are cached as identical', () => {
  const view = against(new Map(), {
    isUnchanged: () => true,
    findStored: () => {
      throw new Error('asked');
    },
  });
  expect(mergeEntities(hashEntities([anEntity('a')]), 1, view).unchanged).toBe(1);
});

test('changes the counts of versions, not of devices, for a new version', () => {
  const { products } = merged(stored([anEntity('a')], 1), [anEntity('a', { version: '2' })], 2);
  const versions = new Map([
    ['1', -1],
    ['2', 1],
  ]);
  expect(products).toEqual(
    new Map([['a', { devices: 0, versions, isRenamed: false, mayDrift: false }]]),
  );
});

test('keeps rows of a later scan', () => {
  const late = merged(stored([anEntity('a')], 5), [anEntity('a', { version: '0' })], 4);
  expect([late.accepted, late.unchanged, late.writes]).toEqual([0, 1, []]);
});

test('keeps rows that a later scan only confirmed', () => {
  const view = against(stored([anEntity('a')], 1), { isMentionedByNewerScan: (id) => id === 'a' });
  const late = mergeEntities(hashEntities([anEntity('a', { version: '0' })]), 4, view);
  expect([late.accepted, late.unchanged]).toEqual([0, 1]);
});

test('does not restore an entity that a later scan did not find', () => {
  const late = mergeEntities(
    hashEntities([anEntity('a')]),
    4,
    against(new Map(), { isRemovedByNewerScan: () => true }),
  );
  expect([late.accepted, late.unchanged]).toEqual([0, 1]);
});

test('ignores the removal of an unknown entity', () => {
  expect(merged(new Map(), [anEntity('a', { removed: true })], 1).writes).toEqual([]);
});

test('keeps counts and inventory hash equal to the stored rows over any history', () => {
  const entity = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      version: fc.constantFrom('1', '2', null),
      removed: fc.boolean(),
    })
    .map(({ id, version, removed }) => anEntity(id, { version, ...(removed ? { removed } : {}) }));
  const batch = fc.uniqueArray(entity, { selector: (row) => row.entity_id });
  const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), batch), { maxLength: 12 });
  fc.assert(
    fc.property(history, (batches) => {
      let store: Store = new Map();
      let hash = EMPTY_INVENTORY;
      let count = 0;
      const products: ProductDeltas = new Map();
      for (const [seq, entities] of batches) {
        const merge = merged(store, entities, seq);
        expect(merge.accepted + merge.unchanged).toBe(entities.length);
        addProductDeltas(products, merge.products);
        store = applied(store, merge, seq);
        hash = xorHash(hash, merge.hashChange);
        count += merge.entityCountChange;
      }
      const present = [...store.values()].filter((row) => !row.removed);
      expect(count).toBe(present.length);
      expect(
        [...products.values()].reduce((sum, productDelta) => sum + productDelta.devices, 0),
      ).toBe(count);
      expect(hash).toEqual(
        present.map((row) => Buffer.from(row.content_hash, 'hex')).reduce(xorHash, EMPTY_INVENTORY),
      );
      const end = mergeRemovals(present);
      expect(end.entityCountChange).toBe(-present.length + 0);
      expect(xorHash(hash, end.hashChange)).toEqual(EMPTY_INVENTORY);
    }),
  );
});

test('hashes the entity exactly as it was sent', () => {
  const sent = { ...anEntity('a'), later_field: 1 };
  expect(merged(new Map(), [sent], 1).writes[0]?.contentHash).toBe(
    entityHash(sent).toString('hex'),
  );
});

test.each<[string, WireEntity[], RegExp]>([
  ['a duplicate id', [anEntity('a'), anEntity('a')], /^\/entities\/1\/entity_id/],
  ['a blank name', [anEntity('a', { name: ' \t' })], /^\/entities\/0\/name/],
  [
    'details that are too large',
    [anEntity('a'), anEntity('b', { details: { text: 'é'.repeat(4_096) } })],
    /^\/entities\/1\/details/,
  ],
])('rejects %s with its pointer', (_what, entities, message) => {
  expect(() => checkEntities(entities)).toThrow(message);
});
