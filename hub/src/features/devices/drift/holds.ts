// What counts for an approved application that drifted on a device, until somebody has reviewed it. A hold stands in the
// place of each decision that counts there, for the application or for one of its processes: the same match, on this one
// device, stricter. Pure.
//
// Why it never allows more than before: whatever the hold matches, that decision matches too, and ends with it.
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '@gatewarden/shared/names.ts';
import { decide, isInForce, isStricter, precedes } from '@gatewarden/shared/policy.ts';
import type { DriftPolicy } from '@gatewarden/shared/wire/console/drift-policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { deterministicId, isDeterministicId } from '../overrides/override-rules.ts';
import { aimsAt, type StoredOverride } from '../sync/snapshot.ts';
import type { DriftedEntity } from './drift-store.ts';

/** An override that the hub makes for one device. */
export interface Hold {
  override_id: string;
  device_id: string;
  match: OverrideMatch;
  execution_policy: ExecutionPolicy;
  /** When the decision ends in whose place it stands. */
  expires_at: string | null;
}

/**
 * The same whichever hub process makes it, so that it is one override. Of what decides about an application on a device
 * one says nothing of a process, or names it: so many holds there may be.
 */
export function holdId(deviceId: string, entityId: string, processName?: string): string {
  const named = processName === undefined ? [] : [foldName(processName)];
  return deterministicId('drift-hold', deviceId, entityId, ...named);
}

/** True for what the hub made here: of devices it makes no other override. */
export function isHold(row: Pick<StoredOverride, 'override_id' | 'scope_kind'>): boolean {
  return row.scope_kind === 'device' && isDeterministicId(row.override_id);
}

/** Policies that may apply to drifted apps. `groupIds` are by device. */
export interface PoliciesOfDrifted {
  overrides: readonly StoredOverride[];
  groupIds: ReadonlyMap<string, readonly string[]>;
}

/** Returns the holds that drifted apps require under the tenant's setting. */
export function holdsFor(
  policy: DriftPolicy,
  drifted: readonly DriftedEntity[],
  now: number,
  { overrides, groupIds }: PoliciesOfDrifted,
): Hold[] {
  if (policy === 'approval') return [];
  const byEntity = Map.groupBy(
    overrides.filter((override) => isInForce(override, now)),
    (override) => override.match.entity_id ?? '',
  );
  return drifted.flatMap((entity) => {
    const { device_id: deviceId, subscriber_id: subscriberId } = entity;
    const audience = { deviceId, subscriberId, groupIds: groupIds.get(deviceId) ?? [] };
    const decisions = (byEntity.get(entity.entity_id) ?? []).filter((override) =>
      aimsAt(override, audience),
    );
    return holdsForEntity(policy, entity, decisions, now);
  });
}

/** In the place of each decision by its id that counts for the application on its device, or for one of its processes. */
function holdsForEntity(
  policy: ExecutionPolicy,
  entity: DriftedEntity,
  decisions: readonly StoredOverride[],
  now: number,
): Hold[] {
  const laxer = decisions.filter((decision) => isStricter(policy, decision.execution_policy));
  const held = decidingOverrides(entity, decisions, namesOf(laxer), now).filter((override) =>
    laxer.includes(override),
  );
  const holds = held.map((override) => toHold(entity, override, policy));
  // As the device's own a hold would go before what went before the approval and is stricter: that stands there, too.
  const overtaken = decisions.filter(
    (decision) =>
      isStricter(decision.execution_policy, policy) &&
      held.some(
        (other) => precedes(decision, other) && precedes(narrowToDevice(other, policy), decision),
      ),
  );
  const kept = decidingOverrides(entity, decisions, namesOf(overtaken), now).filter((override) =>
    overtaken.includes(override),
  );
  return [...holds, ...kept.map((override) => toHold(entity, override, override.execution_policy))];
}

/** The processes that these name, each once, in one order. */
const namesOf = (decisions: readonly StoredOverride[]): string[] =>
  [...new Set(decisions.flatMap((decision) => decision.match.name ?? []).map(foldName))].sort();

/**
 * The decisions that count for some process of the application: for one that no decision names, and for those of these
 * names. Without a decision by its id what is decided by name or kind counts, and no approval that would have to be held.
 */
function decidingOverrides(
  entity: DriftedEntity,
  decisions: readonly StoredOverride[],
  names: readonly string[],
  now: number,
): StoredOverride[] {
  const deciding = [entity.name, ...names].flatMap(
    (name) => decide(entity, processFactsOf(entity, name), decisions, now).override ?? [],
  );
  return [...new Set(deciding)];
}

/** The decision as it would stand for the device alone. Newer: a hold is stored after what it is made from. */
const narrowToDevice = (decided: StoredOverride, policy: ExecutionPolicy): StoredOverride => ({
  ...decided,
  scope_kind: 'device',
  execution_policy: policy,
  revision: Number.MAX_SAFE_INTEGER,
});

const toHold = (entity: DriftedEntity, decided: StoredOverride, policy: ExecutionPolicy): Hold => ({
  override_id: holdId(entity.device_id, entity.entity_id, decided.match.name),
  device_id: entity.device_id,
  match: decided.match,
  execution_policy: policy,
  expires_at: decided.expires_at,
});

/** What is known of a process of an application that is judged by itself. */
export const processFactsOf = (entity: DriftedEntity, name = entity.name) => ({
  name,
  application_name: null,
  publisher: null,
  sha256: null,
  entities: [entity],
});

/** What must change so that exactly the wanted holds stand. */
export function diffHolds(
  present: readonly Hold[],
  wanted: readonly Hold[],
): { set: Hold[]; lift: Hold[] } {
  const before = new Map(present.map((hold) => [hold.override_id, hold]));
  const result = new Set(wanted.map((hold) => hold.override_id));
  return {
    set: wanted.filter((hold) => !isDeepStrictEqual(before.get(hold.override_id), hold)),
    lift: present.filter((hold) => !result.has(hold.override_id)),
  };
}
