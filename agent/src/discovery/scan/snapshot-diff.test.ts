// A diff applied to the previous snapshot yields the new snapshot where everything was read.
import { entityHash } from '@gatewarden/shared/digests.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScannedEntity } from './entity-assembler.ts';
import { diffSnapshot, type KnownEntity } from './snapshot-diff.ts';

function scanned(id: string, version: string, source = 'dpkg'): ScannedEntity {
  const wire = { entity_id: id, kind: 'package' as const, source, name: id, version };
  return { wire, owners: [null], key: wire.name, executables: [], launches: [], entries: [] };
}

function known({ wire, owners }: ScannedEntity): KnownEntity {
  const { entity_id, kind, source, name } = wire;
  return { entity_id, kind, source, name, owners, hash: entityHash(wire) };
}

const versions = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1', '2'));
const toScan = (d: Record<string, string>) => Object.entries(d).map(([id, v]) => scanned(id, v));
const read = [{ source: 'dpkg', owner: null, state: 'read', entities: 0 }];

test('yields the new state when a diff is applied to the old state', () => {
  fc.assert(
    fc.property(versions, versions, (before, after) => {
      const state = new Map(toScan(before).map((e) => [e.wire.entity_id, known(e)]));
      const diff = diffSnapshot(state, toScan(after), read);
      for (const gone of diff.gone) state.delete(gone.entity_id);
      for (const e of diff.changed)
        state.set(
          e.wire.entity_id,
          known({ ...e, key: '', executables: [], launches: [], entries: [] }),
        );
      expect(new Map([...state].sort())).toEqual(
        new Map(
          toScan(after)
            .map((e) => [e.wire.entity_id, known(e)] as const)
            .sort(),
        ),
      );
      expect(diffSnapshot(state, toScan(after), read)).toMatchObject({ changed: [], gone: [] });
    }),
  );
});

test('removes nothing from incompletely read sources', () => {
  const state = new Map([['a', known(scanned('a', '1'))]]);
  const unread = [{ source: 'dpkg', owner: null, state: 'timed_out', entities: 0 }];
  expect(diffSnapshot(state, [], unread).gone).toEqual([]);
  expect(diffSnapshot(state, [], []).gone).toEqual([]);
  expect(diffSnapshot(state, [], read).gone).toHaveLength(1);
});
