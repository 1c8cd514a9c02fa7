// Differences between the confirmed inventory and a scan. Pure.
import { entityHash } from '@gatewarden/shared/digests.ts';
import type { WireCoverage, WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { ScannedEntity } from './entity-assembler.ts';

/** An entity that the hub has confirmed. */
export interface KnownEntity {
  entity_id: string;
  hash: Uint8Array;
  kind: WireEntity['kind'];
  source: string;
  name: string;
  owners: readonly (string | null)[];
}

export interface HashedEntity {
  wire: WireEntity;
  hash: Buffer;
  owners: (string | null)[];
}

export interface SnapshotDiff {
  /** New or changed. */
  changed: HashedEntity[];
  /** Everything found: what a full scan sends. */
  all: HashedEntity[];
  /** Known, not found, and looked for everywhere it was. */
  gone: KnownEntity[];
}

/** Compares a scan with what is known. Nothing is called gone that was not looked for to its end. */
export function diffSnapshot(
  known: ReadonlyMap<string, KnownEntity>,
  scanned: readonly ScannedEntity[],
  coverage: readonly WireCoverage[],
): SnapshotDiff {
  const all = scanned.map(({ wire, owners }) => ({ wire, owners, hash: hashOnce(wire) }));
  const found = new Set(all.map((entity) => entity.wire.entity_id));
  return {
    all,
    changed: all.filter(({ wire, hash }) => {
      const before = known.get(wire.entity_id);
      return before === undefined || !hash.equals(before.hash);
    }),
    gone: [...known.values()].filter(
      (entity) => !found.has(entity.entity_id) && wasLookedFor(entity, coverage),
    ),
  };
}

/** A scan with the same result returns the same objects. */
const hashes = new WeakMap<WireEntity, Buffer>();

function hashOnce(wire: WireEntity): Buffer {
  const known = hashes.get(wire);
  if (known !== undefined) return known;
  const hash = entityHash(wire);
  hashes.set(wire, hash);
  return hash;
}

function wasLookedFor(entity: KnownEntity, coverage: readonly WireCoverage[]): boolean {
  const ended = (owner: string | null) =>
    coverage.some(
      (c) =>
        c.source === entity.source &&
        c.owner === owner &&
        (c.state === 'read' || c.state === 'absent'),
    );
  return entity.owners.every(ended);
}

/** Returns the removal of an entity. */
export function buildRemoval({ entity_id, kind, source, name }: KnownEntity): WireEntity {
  return { entity_id, kind, source, name, removed: true };
}
