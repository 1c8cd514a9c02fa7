// What counts for an approved application that drifted on a device, until somebody has reviewed it. A hold stands in the
// place of the decision that counts there: the same match, on this one device, stricter. Pure.
//
// Why it never allows more than before: whatever the hold matches, that decision matches too, and ends with it.
import { isDeepStrictEqual } from 'node:util';
import { decide, isStricter } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import type { DriftedEntity } from '../inventory/index.ts';
import { ruledId } from './rules.ts';
import { aimsAt, audienceOf, type Snapshot, type StoredOverride } from './snapshot.ts';

export type HoldPolicy = Extract<ExecutionPolicy, 'warn' | 'block'>;

/** An override that the hub makes for one device. */
export interface Hold {
  override_id: string;
  device_id: string;
  match: OverrideMatch;
  execution_policy: ExecutionPolicy;
  /** When the decision ends in whose place it stands. */
  expires_at: string | null;
}

/** The same for every hold of an application on a device, so that it is one override, whichever hub process makes it. */
export function holdId(deviceId: string, entityId: string): string {
  return ruledId('drift-hold', deviceId, entityId);
}

/** The holds that there should be. `policy` null: what was approved goes on to count. */
export function holdsFor(
  policy: HoldPolicy | null,
  drifted: readonly DriftedEntity[],
  snapshot: Snapshot,
  now: number,
): Hold[] {
  if (policy === null) return [];
  const ids = new Set(drifted.map((one) => holdId(one.device_id, one.entity_id)));
  const byEntity = Map.groupBy(
    snapshot.overrides.filter((one) => !one.deleted && !ids.has(one.override_id)),
    (one) => one.match.entity_id ?? '',
  );
  return drifted.flatMap((entity) => {
    const decided = decidedFor(entity, byEntity.get(entity.entity_id) ?? [], snapshot, now);
    if (decided === null || !isStricter(policy, decided.execution_policy)) return [];
    return {
      override_id: holdId(entity.device_id, entity.entity_id),
      device_id: entity.device_id,
      match: decided.match,
      execution_policy: policy,
      expires_at: decided.expires_at,
    };
  });
}

/**
 * The decision by its id that counts for the application on its device. Without one, what is decided by name or kind
 * counts, and no approval that would have to be held.
 */
function decidedFor(
  entity: DriftedEntity,
  overrides: readonly StoredOverride[],
  snapshot: Snapshot,
  now: number,
): StoredOverride | null {
  const audience = audienceOf(snapshot, entity.device_id, entity.subscriber_id);
  const held = overrides.filter((one) => aimsAt(one, audience));
  // What its processes are called only the decisions say that name one.
  const names = new Set([entity.name, ...held.flatMap((one) => one.match.name ?? [])]);
  for (const name of names) {
    const { override } = decide(entity, factsOf(entity, name), held, now);
    if (override !== null) return override;
  }
  return null;
}

/** What is known of a process of an application that is judged by itself. */
export const factsOf = (entity: DriftedEntity, name = entity.name) => ({
  name,
  application_name: null,
  publisher: null,
  sha256: null,
  entities: [entity],
});

/** What must change so that exactly the wanted holds stand. */
export function holdChanges(
  present: readonly Hold[],
  wanted: readonly Hold[],
): { set: Hold[]; lift: Hold[] } {
  const before = new Map(present.map((one) => [one.override_id, one]));
  const kept = new Set(wanted.map((one) => one.override_id));
  return {
    set: wanted.filter((one) => !isDeepStrictEqual(before.get(one.override_id), one)),
    lift: present.filter((one) => !kept.has(one.override_id)),
  };
}
