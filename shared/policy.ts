// The policy decision: (device, process, overrides) → verdict. Pure: the agent enforces it, and the hub previews it.
import {
  type Breadth,
  type OwningEntity,
  type ProcessFacts,
  qualifiersOf,
  satisfies,
} from './match-qualifiers.ts';
import type { OverrideMatch, WireOverride } from './wire/sync/delta.ts';
import {
  EXECUTION_POLICIES,
  type ExecutionPolicy,
  type Platform,
  type ScopeKind,
} from './wire/vocabulary.ts';

export type { OwningEntity, ProcessFacts } from './match-qualifiers.ts';
export { type Breadth, NARROW_KINDS } from './match-qualifiers.ts';

export type PolicyOverride = Pick<
  WireOverride,
  | 'override_id'
  | 'revision'
  | 'deleted'
  | 'scope_kind'
  | 'match'
  | 'execution_policy'
  | 'effective_at'
  | 'expires_at'
>;

export interface Decision<O extends PolicyOverride = PolicyOverride> {
  policy: ExecutionPolicy;
  /** The deciding override; null without a match, which means `allow` and no enforcement record. */
  override: O | null;
  /** The entity through which the override matched, or null. */
  entity: OwningEntity | null;
}

/**
 * Decides about a process. `now` is the hub's time in milliseconds. Among several matching overrides, precedence goes
 * to the more exact match, then the nearer scope, then the stricter policy, then the higher revision, then the greater
 * id.
 */
export function decide<O extends PolicyOverride>(
  device: { platform: Platform },
  process: ProcessFacts,
  overrides: Iterable<O>,
  now: number,
): Decision<O> {
  let best: O | null = null;
  let bestEntity: OwningEntity | null = null;
  for (const override of overrides) {
    if (!isInForce(override, now)) continue;
    const matched = matches(device, process, override.match);
    if (!matched) continue;
    if (best === null || precedes(override, best)) {
      best = override;
      bestEntity = matched.entity;
    }
  }
  return { policy: best?.execution_policy ?? 'allow', override: best, entity: bestEntity };
}

/** Returns whether an override is in force: not deleted, already effective, not yet expired. */
export function isInForce(
  override: Pick<PolicyOverride, 'deleted' | 'effective_at' | 'expires_at'>,
  now: number,
): boolean {
  if (override.deleted) return false;
  if (override.effective_at !== null && Date.parse(override.effective_at) > now) return false;
  return override.expires_at === null || Date.parse(override.expires_at) > now;
}

/** Returns null without a match, else the entity (if any) that matched. */
export function matches(
  device: { platform: Platform },
  process: ProcessFacts,
  match: OverrideMatch,
): { entity: OwningEntity | null } | null {
  const { platform } = device;
  for (const entity of process.entities) {
    if (satisfies(match, { platform, process, entity })) return { entity };
  }
  return satisfies(match, { platform, process, entity: null }) ? { entity: null } : null;
}

const SCOPE_NEARNESS: Record<ScopeKind, number> = { device: 3, subscriber: 2, group: 1, tenant: 0 };

/**
 * Returns whether `a` takes precedence over `b`. The order is total, so that the result is independent of the order of
 * a list.
 */
export function precedes(a: PolicyOverride, b: PolicyOverride): boolean {
  const order =
    exactness(a.match) - exactness(b.match) ||
    Object.keys(a.match).length - Object.keys(b.match).length ||
    SCOPE_NEARNESS[a.scope_kind] - SCOPE_NEARNESS[b.scope_kind] ||
    strictness(a.execution_policy) - strictness(b.execution_policy) ||
    a.revision - b.revision;
  if (order !== 0) return order > 0;
  return a.override_id > b.override_id;
}

function exactness(match: OverrideMatch): number {
  return Math.max(0, ...qualifiersOf(match).map(({ qualifier }) => qualifier.exactness));
}

/** Returns whether the first policy permits less than the second. */
export function isStricter(a: ExecutionPolicy, b: ExecutionPolicy): boolean {
  return strictness(a) > strictness(b);
}

function strictness(policy: ExecutionPolicy): number {
  return EXECUTION_POLICIES.indexOf(policy);
}

/** Returns whether the policy ends running processes. */
export function endsProcesses(policy: ExecutionPolicy): boolean {
  return policy === 'block' || policy === 'quarantine';
}

const BREADTHS = ['program', 'group', 'everything'] as const satisfies readonly Breadth[];

/**
 * Returns the blast radius of a match: the smallest of its qualifiers. Agents end nothing for `everything`, and for `group`
 * only if few programs match.
 */
export function breadthOf(match: OverrideMatch): Breadth {
  const breadths = qualifiersOf(match).map(({ value, qualifier }) => qualifier.breadth(value));
  return BREADTHS.find((breadth) => breadths.includes(breadth)) ?? 'everything';
}
