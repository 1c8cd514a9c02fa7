// Judges processes as if a draft stood among the decisions, and remembers which of those go before it. Pure.
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
import type { ReachedDevice } from '../inventory/index.ts';
import { defaultOverrideId } from './defaults.ts';
import { isHold } from './drift-holds.ts';
import { decidedProduct, joinScope } from './rules.ts';
import { aimsAt, audienceOf, type Snapshot, type StoredOverride } from './snapshot.ts';
import type { NewOverride } from './store.ts';

const NAMED_MAX = 20;

export interface Judge {
  /** What the device does now and what it would do; null where the draft would not be what decides. */
  judge(
    device: ReachedDevice,
    facts: ProcessFacts,
  ): { before: ExecutionPolicy; after: ExecutionPolicy } | null;
  /** What decided instead of the draft so far, and the default policies that always would. */
  overruled(): Preview['overruled'];
}

export function createJudge(
  snapshot: Snapshot,
  draft: NewOverride,
  options: { now: number; replaces: string | undefined },
): Judge {
  const { now, replaces } = options;
  const candidate: PolicyOverride = {
    override_id: draft.override_id,
    // Newer than all that stand: this is how it would be stored.
    revision: snapshot.n + 1,
    deleted: false,
    scope_kind: draft.scope_kind,
    match: draft.match,
    execution_policy: draft.execution_policy,
    effective_at: null,
    expires_at: null,
  };
  // Whoever decides about an application as a whole has reviewed it: what holds its drift goes.
  const reviewed = decidedProduct(draft);
  const byScope = Map.groupBy(
    snapshot.overrides.filter((one) => isInForce(one, now)),
    (one) => `${one.scope_kind}/${one.scope_id}`,
  );
  const kept = new Map<string, StoredOverride[]>();
  const heldOn = (device: ReachedDevice): StoredOverride[] => {
    const known = kept.get(device.device_id);
    if (known !== undefined) return known;
    const audience = audienceOf(snapshot, device.device_id, device.subscriber_id);
    const scopes = [
      'tenant/',
      `device/${audience.deviceId}`,
      `subscriber/${audience.subscriberId}`,
      ...audience.groupIds.map((id) => `group/${id}`),
    ];
    const held = scopes
      .flatMap((scope) => byScope.get(scope) ?? [])
      .filter((one) => aimsAt(one, audience));
    kept.set(device.device_id, held);
    return held;
  };

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
      if (matches(device, facts, draft.match) === null) return null;
      const held = heldOn(device);
      const others = held.filter(
        (one) =>
          one.override_id !== replaces &&
          !(reviewed !== null && one.match.entity_id === reviewed && isHold(one)),
      );
      const rival = decide(device, facts, others, now);
      if (rival.override !== null && precedes(rival.override, candidate)) {
        winnerOf(rival.override).devices.add(device.device_id);
        return null;
      }
      const before = decide(device, facts, held, now);
      return { before: before.policy, after: candidate.execution_policy };
    },
    overruled() {
      for (const one of byScope.get('tenant/') ?? []) {
        const { kind } = draft.match;
        const mayMeet = kind === undefined || kind === one.match.kind;
        const isOther = one.override_id !== replaces && defaultKindOf(one) !== null;
        if (isOther && mayMeet && precedes(one, candidate)) winnerOf(one);
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

function defaultKindOf(override: StoredOverride) {
  return ENTITY_KINDS.find((kind) => defaultOverrideId(kind) === override.override_id) ?? null;
}
