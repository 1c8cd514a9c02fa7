// From a process to what it belongs to: all entities that own its executable, and what the process map says of its name.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ScannedEntity } from '../discovery/assemble.ts';
import type { PackageOwners } from './package-owners.ts';
import type { RunningProcess } from './process.ts';

export interface CorrelatedProcess {
  process: RunningProcess;
  entities: readonly OwningEntity[];
  mapping: ProcessMapping | null;
  /** A package of the distribution owns it without which nothing works. */
  vital: boolean;
  /** False where ownership could not be looked up. */
  ownersKnown: boolean;
}

export interface Correlator {
  correlate(processes: readonly RunningProcess[]): CorrelatedProcess[];
  learnScan(entities: readonly ScannedEntity[]): void;
  learnProcessMap(mappings: readonly ProcessMapping[]): void;
}

/** A correlator that has seen neither a scan nor a process map yet. */
export function createCorrelator(platform: Platform, packages: PackageOwners): Correlator {
  let byExecutable = new Map<string, OwningEntity[]>();
  let byId = new Map<string, OwningEntity>();
  let mappings: readonly ProcessMapping[] = [];
  return {
    learnScan(entities) {
      byExecutable = new Map();
      byId = new Map();
      for (const { wire, executables } of entities) {
        const entity = toOwner(wire);
        byId.set(entity.entity_id, entity);
        // Packages are looked up on demand, which knows all their files and not only those in program folders.
        if (wire.source === 'dpkg') continue;
        for (const path of executables) {
          byExecutable.set(path, [...(byExecutable.get(path) ?? []), entity]);
        }
      }
    },
    learnProcessMap(learned) {
      mappings = learned;
    },
    correlate(processes) {
      const paths = processes.flatMap((p) => p.executablePath ?? []);
      const owners = packages.find([...new Set(paths)]);
      const ownersKnown = packages.readable();
      return processes.map((process) => {
        const path = process.executablePath;
        const packageOwners = path === null ? [] : (owners.get(path) ?? []);
        const mapping = findMapping(mappings, platform, process.name);
        const entities = [
          ...(path === null ? [] : (byExecutable.get(path) ?? [])),
          ...packageOwners.map((owner) => owner.entity),
        ];
        const mapped = mapping === null ? null : mappedEntity(mapping, byId);
        if (mapped !== null && !entities.some((e) => e.entity_id === mapped.entity_id)) {
          entities.push(mapped);
        }
        const vital = packageOwners.some((owner) => owner.vital);
        return { process, entities, mapping, vital, ownersKnown };
      });
    },
  };
}

/** What a mapping names belongs to the process as if it owned the executable. */
function mappedEntity(
  mapping: ProcessMapping,
  byId: ReadonlyMap<string, OwningEntity>,
): OwningEntity | null {
  if (mapping.entity_id === null) return null;
  return (
    byId.get(mapping.entity_id) ?? {
      entity_id: mapping.entity_id,
      kind: 'application',
      name: mapping.application_name,
      version: null,
      publisher: null,
    }
  );
}

function toOwner(wire: ScannedEntity['wire']): OwningEntity {
  const { entity_id, kind, name, version, publisher } = wire;
  return { entity_id, kind, name, version: version ?? null, publisher: publisher ?? null };
}

/** The name a person knows the process's application by, or null. */
export function applicationName(correlated: CorrelatedProcess): string | null {
  return correlated.mapping?.application_name ?? correlated.entities[0]?.name ?? null;
}
