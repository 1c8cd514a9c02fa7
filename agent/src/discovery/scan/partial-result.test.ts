// A source that is read again replaces its own part of the scan and no other part.
import { entityHash } from '@gatewarden/shared/digests.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScannedEntity, ScanResult } from './entity-assembler.ts';
import { replacePart } from './partial-result.ts';
import { diffSnapshot, type KnownEntity } from './snapshot-diff.ts';

const SOURCES = ['dpkg', 'mcp_config', 'npm'];

function scanned(source: string, name: string, version: string): ScannedEntity {
  const wire = { entity_id: `${source}-${name}`, kind: 'package' as const, source, name, version };
  return { wire, owners: [null], key: name, executables: [], launches: [], entries: [] };
}

const entities = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
  .map((found) => (source: string) => Object.entries(found).map(([n, v]) => scanned(source, n, v)));
const state = fc.constantFrom('read', 'absent', 'unreadable', 'timed_out');
const ofSource = fc.record({ entities, state });
const machine = fc.tuple(ofSource, ofSource, ofSource);

function resultOf(
  content: readonly { entities: (source: string) => ScannedEntity[]; state: string }[],
  sources: readonly string[] = SOURCES,
): ScanResult {
  const chosen = SOURCES.flatMap((source, index) => {
    const entity = content[index];
    return entity !== undefined && sources.includes(source) ? [{ source, ...entity }] : [];
  });
  const entitiesOfChoice = (choice: (typeof chosen)[number]) =>
    choice.state === 'absent' ? [] : choice.entities(choice.source);
  return {
    startedAt: new Date(0),
    durationMs: 0,
    entities: chosen
      .flatMap(entitiesOfChoice)
      .sort((a, b) => (a.wire.entity_id < b.wire.entity_id ? -1 : 1)),
    coverage: chosen.map((choice) => ({
      ...{ source: choice.source, owner: null, state: choice.state },
      ...{ entities: entitiesOfChoice(choice).length, reason: null },
    })),
    problems: [],
  };
}

const known = ({ wire, owners }: ScannedEntity): [string, KnownEntity] => {
  const { entity_id, kind, source, name } = wire;
  return [entity_id, { entity_id, kind, source, name, owners, hash: entityHash(wire) }];
};

test('produces the same scan as a full scan after a partial scan', () => {
  fc.assert(
    fc.property(machine, machine, fc.subarray(SOURCES), (before, after, changed) => {
      const now = SOURCES.map((source, i) => (changed.includes(source) ? after[i] : before[i]));
      const part = resultOf(after, changed);
      const merged = replacePart(resultOf(before), part, new Set(changed));
      expect(merged).toEqual(resultOf(now.flatMap((entity) => entity ?? [])));
    }),
  );
});

test('reports no change or removal of another source', () => {
  fc.assert(
    fc.property(machine, machine, fc.subarray(SOURCES), (before, after, changed) => {
      const whole = resultOf(before);
      const confirmed = new Map(whole.entities.map(known));
      const merged = replacePart(whole, resultOf(after, changed), new Set(changed));
      const diff = diffSnapshot(confirmed, merged.entities, merged.coverage);
      const touched = [
        ...diff.gone.map((entity) => entity.source),
        ...diff.changed.map((e) => e.wire.source),
      ];
      expect(touched.every((source) => changed.includes(source))).toBe(true);
    }),
  );
});
