// Evaluates processes as if a draft was stored, and collects the overrides that take precedence over it. Pure.
import {
  decide,
  isInForce,
  matches,
  type PolicyOverride,
  type ProcessFacts,
  precedes,
} from '@gatewarden/shared/policy.ts';
import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import { ENTITY_KINDS, type ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { defaultOverrideId } from '../default-policies/defaults.ts';
import { isHold } from '../drift/holds.ts';
import type { ReachedDevice } from '../inventory/scope-store.ts';
import { decidedProduct, joinScope } from '../overrides/override-rules.ts';
import type { NewOverride } from '../overrides/store.ts';
import { aimsAt, audienceOf, type Snapshot, type StoredOverride } from '../sync/snapshot.ts';

const NAMED_MAX = 20;

export interface Judge {
  /** The current verdict and the verdict with the draft; null if the draft would not decide. */
  judge(
    device: ReachedDevice,
    facts: ProcessFacts,
  ): { before: ExecutionPolicy; after: ExecutionPolicy } | null;
  /** The overrides that take precedence over the draft so far, and the default policies that always do. */
  overruled(): Preview['overruled'];
}

export function createJudge(
  snapshot: Snapshot,
  drafts: readonly NewOverride[],
  options: { now: number; replaces: ReadonlySet<string> | undefined },
): Judge {
  const { now, replaces } = options;
  const candidates = drafts.map((draft) => candidateOf(draft, snapshot.n + 1));
  const byEntity = Map.groupBy(candidates, ({ candidate }) => candidate.match.entity_id ?? '');
  // A policy for many products has thousands of drafts, of which a process concerns those of its entities.
  const candidatesFor = ({ entities }: ProcessFacts) =>
    ['', ...new Set(entities.map((entity) => entity.entity_id))].flatMap(
      (entityId) => byEntity.get(entityId) ?? [],
    );
  const byScope = Map.groupBy(
    snapshot.overrides.filter((override) => isInForce(override, now)),
    (override) => `${override.scope_kind}/${override.scope_id}`,
  );
  const overridesOn = cacheOverridesByDevice(snapshot, byScope);

  const winners = new Map<string, { override: StoredOverride; devices: Set<string> }>();
  const winnerOf = (override: StoredOverride) => {
    const known = winners.get(override.override_id);
    if (known !== undefined) return known;
    const winner = { override, devices: new Set<string>() };
    winners.set(override.override_id, winner);
    return winner;
  };

  return {
    judge(device, facts) {
      for (const { candidate, reviewed } of candidatesFor(facts)) {
        if (matches(device, facts, candidate.match) === null) continue;
        const inForce = overridesOn(device);
        const rivals = inForce.filter(
          (override) =>
            replaces?.has(override.override_id) !== true &&
            !(reviewed !== null && override.match.entity_id === reviewed && isHold(override)),
        );
        const rival = decide(device, facts, rivals, now);
        if (rival.override !== null && precedes(rival.override, candidate)) {
          winnerOf(rival.override).devices.add(device.device_id);
          continue;
        }
        const before = decide(device, facts, inForce, now);
        return { before: before.policy, after: candidate.execution_policy };
      }
      return null;
    },
    overruled() {
      for (const override of byScope.get('tenant/') ?? []) {
        const isReplaced = replaces?.has(override.override_id) === true;
        if (isReplaced || defaultKindOf(override) === null) continue;
        const isOverruling = candidates.some(({ candidate }) => {
          const { kind } = candidate.match;
          const mayMeet = kind === undefined || kind === override.match.kind;
          return mayMeet && precedes(override, candidate);
        });
        if (isOverruling) winnerOf(override);
      }
      const items = [...winners.values()].map(({ override, devices }) => ({
        override_id: override.override_id,
        match: override.match,
        scope: joinScope(override.scope_kind, override.scope_id),
        execution_policy: override.execution_policy,
        default_kind: defaultKindOf(override),
        devices: devices.size,
      }));
      items.sort((a, b) => b.devices - a.devices);
      return { count: items.length, items: items.slice(0, NAMED_MAX) };
    },
  };
}

/** Returns a function that returns the overrides in force on a device, computed once per device. */
function cacheOverridesByDevice(
  snapshot: Snapshot,
  byScope: ReadonlyMap<string, readonly StoredOverride[]>,
): (device: ReachedDevice) => readonly StoredOverride[] {
  const cache = new Map<string, StoredOverride[]>();
  return ({ device_id: deviceId, subscriber_id: subscriberId }) => {
    const cached = cache.get(deviceId);
    if (cached !== undefined) return cached;
    const audience = audienceOf(snapshot, deviceId, subscriberId);
    const scopes = [
      'tenant/',
      `device/${audience.deviceId}`,
      `subscriber/${audience.subscriberId}`,
      ...audience.groupIds.map((id) => `group/${id}`),
    ];
    const overrides = scopes
      .flatMap((scope) => byScope.get(scope) ?? [])
      .filter((override) => aimsAt(override, audience));
    cache.set(deviceId, overrides);
    return overrides;
  };
}

/** Newer than every override of the snapshot: this is how the draft would be stored. */
function candidateOf(
  draft: NewOverride,
  revision: number,
): { candidate: PolicyOverride; reviewed: string | null } {
  const { override_id, scope_kind, match, execution_policy } = draft;
  const times = { effective_at: null, expires_at: null };
  return {
    candidate: {
      ...{ override_id, revision, scope_kind, match, execution_policy },
      ...times,
      deleted: false,
    },
    // A decision about an application as a whole reviews it: overrides for its drift end.
    reviewed: decidedProduct(draft),
  };
}

function defaultKindOf(override: StoredOverride) {
  return ENTITY_KINDS.find((kind) => defaultOverrideId(kind) === override.override_id) ?? null;
}
