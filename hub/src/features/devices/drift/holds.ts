// Holds: the override that applies to a drifted app on a device until its review. A hold replaces each policy that decides
// there about the app or one of its processes. It has the same match, for this device only, and is stricter. Pure.
//
// A hold never allows more than before: every process that it matches is matched by the replaced policy, and both end
// together.
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '@gatewarden/shared/names.ts';
import { decide, isInForce, isStricter, precedes } from '@gatewarden/shared/policy.ts';
import type { DriftPolicy } from '@gatewarden/shared/wire/console/drift-policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { deterministicId, isDeterministicId } from '../overrides/override-rules.ts';
import { aimsAt, type StoredOverride } from '../sync/snapshot.ts';
import type { DriftedEntity } from './drift-store.ts';

/** An override that the hub makes for a device. */
export interface Hold {
  override_id: string;
  device_id: string;
  match: OverrideMatch;
  execution_policy: ExecutionPolicy;
  /** End of the replaced policy. */
  expires_at: string | null;
}

/** Returns the id of a hold, equal in all hub processes. A device has a hold per app, and per process that a match names. */
export function holdId(deviceId: string, entityId: string, processName?: string): string {
  const named = processName === undefined ? [] : [foldName(processName)];
  return deterministicId('drift-hold', deviceId, entityId, ...named);
}

/** Returns true for a hold: the hub makes no other override for a device. */
export function isHold(override: Pick<StoredOverride, 'override_id' | 'scope_kind'>): boolean {
  return override.scope_kind === 'device' && isDeterministicId(override.override_id);
}

/** Policies that users set for drifted apps. `groupIds` are by device. */
export interface PoliciesOfDrifted {
  overrides: readonly StoredOverride[];
  groupIds: ReadonlyMap<string, readonly string[]>;
}

/** Returns the overrides that drifted apps require under the tenant's setting. */
export function holdsFor(
  setting: DriftPolicy,
  drifted: readonly DriftedEntity[],
  now: number,
  { overrides, groupIds }: PoliciesOfDrifted,
): Hold[] {
  if (setting === 'approval') return [];
  const byEntity = Map.groupBy(
    overrides.filter((override) => isInForce(override, now)),
    (override) => override.match.entity_id ?? '',
  );
  return drifted.flatMap((entity) => {
    const { device_id: deviceId, subscriber_id: subscriberId } = entity;
    const audience = { deviceId, subscriberId, groupIds: groupIds.get(deviceId) ?? [] };
    const policies = (byEntity.get(entity.entity_id) ?? []).filter((override) =>
      aimsAt(override, audience),
    );
    return holdsForEntity(setting, entity, policies, now);
  });
}

function holdsForEntity(
  setting: ExecutionPolicy,
  entity: DriftedEntity,
  policies: readonly StoredOverride[],
  now: number,
): Hold[] {
  function decidingAmong(candidates: readonly StoredOverride[]) {
    const deciding = decidingOverrides(entity, policies, namesOf(candidates), now);
    return deciding.filter((override) => candidates.includes(override));
  }
  const suspended = decidingAmong(
    policies.filter((policy) => isStricter(setting, policy.execution_policy)),
  );
  // An override for the device would precede stricter policies that preceded the approval, so they are repeated for it.
  const overtaken = policies.filter(
    (policy) =>
      isStricter(policy.execution_policy, setting) &&
      suspended.some(
        (replaced) =>
          precedes(policy, replaced) && precedes(narrowToDevice(replaced, setting), policy),
      ),
  );
  return [
    ...suspended.map((override) => toHold(entity, override, setting)),
    ...decidingAmong(overtaken).map((override) =>
      toHold(entity, override, override.execution_policy),
    ),
  ];
}

/** Returns the process names that these policies match, each once and in order. */
const namesOf = (policies: readonly StoredOverride[]): string[] =>
  [...new Set(policies.flatMap((policy) => policy.match.name ?? []).map(foldName))].sort();

/** Returns the policies that decide about processes of the app: a process that no policy names, and those with these names. */
function decidingOverrides(
  entity: DriftedEntity,
  policies: readonly StoredOverride[],
  names: readonly string[],
  now: number,
): StoredOverride[] {
  const deciding = [entity.name, ...names].flatMap(
    (name) => decide(entity, processFactsOf(entity, name), policies, now).override ?? [],
  );
  return [...new Set(deciding)];
}

/** Returns the override as it would be stored for the device: later than the override that it is made from. */
const narrowToDevice = (override: StoredOverride, policy: ExecutionPolicy): StoredOverride => ({
  ...override,
  scope_kind: 'device',
  execution_policy: policy,
  revision: Number.MAX_SAFE_INTEGER,
});

const toHold = (
  entity: DriftedEntity,
  replaced: StoredOverride,
  policy: ExecutionPolicy,
): Hold => ({
  override_id: holdId(entity.device_id, entity.entity_id, replaced.match.name),
  device_id: entity.device_id,
  match: replaced.match,
  execution_policy: policy,
  expires_at: replaced.expires_at,
});

/** Returns the facts of a process of an app, evaluated without other apps. */
export const processFactsOf = (entity: DriftedEntity, name = entity.name) => ({
  name,
  application_name: null,
  publisher: null,
  sha256: null,
  entities: [entity],
});

/** Returns what to create or change, and what to release. */
export function diffHolds(
  present: readonly Hold[],
  required: readonly Hold[],
): { set: Hold[]; lift: Hold[] } {
  const before = new Map(present.map((hold) => [hold.override_id, hold]));
  const ids = new Set(required.map((hold) => hold.override_id));
  return {
    set: required.filter((hold) => !isDeepStrictEqual(before.get(hold.override_id), hold)),
    lift: present.filter((hold) => !ids.has(hold.override_id)),
  };
}
