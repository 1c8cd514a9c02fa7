// The policy decision: (device, process, overrides) → verdict. Pure: the agent enforces it, and the hub previews it.
import { compareVersions, foldName } from './names.ts';
import type { OverrideMatch, WireOverride } from './wire/sync/delta.ts';
import {
  type EntityKind,
  EXECUTION_POLICIES,
  type ExecutionPolicy,
  type Platform,
  type ScopeKind,
} from './wire/vocabulary.ts';

/** An entity that owns the process's executable. */
export interface OwningEntity {
  entity_id: string;
  kind: EntityKind;
  name: string;
  version: string | null;
  publisher: string | null;
}

export interface ProcessFacts {
  name: string;
  /** The name from the process map; null without a matching mapping. */
  application_name: string | null;
  publisher: string | null;
  sha256: string | null;
  entities: readonly OwningEntity[];
}

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
  if (match.platform !== undefined && match.platform !== device.platform) return null;
  if (match.executable_sha256 !== undefined && match.executable_sha256 !== process.sha256) {
    return null;
  }
  for (const entity of process.entities) {
    if (isMatch(match, process, entity)) return { entity };
  }
  return isMatch(match, process, null) ? { entity: null } : null;
}

function isMatch(
  match: OverrideMatch,
  process: ProcessFacts,
  entity: OwningEntity | null,
): boolean {
  if (match.entity_id !== undefined && entity?.entity_id !== match.entity_id) return false;
  if (match.kind !== undefined && entity?.kind !== match.kind) return false;
  if (match.version_below !== undefined) {
    const version = entity?.version ?? null;
    if (version === null || compareVersions(version, match.version_below) >= 0) return false;
  }
  if (match.name !== undefined) {
    const names = [process.name, process.application_name, entity?.name ?? null];
    if (!includesFolded(names, match.name)) return false;
  }
  if (match.publisher === undefined) return true;
  return includesFolded([process.publisher, entity?.publisher ?? null], match.publisher);
}

function includesFolded(names: readonly (string | null)[], expected: string): boolean {
  const folded = foldName(expected);
  return names.some((name) => name !== null && foldName(name) === folded);
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
  if (match.executable_sha256 !== undefined) return 3;
  if (match.entity_id !== undefined) return 2;
  return match.name !== undefined ? 1 : 0;
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

/** The blast radius of a match: a program, a group of programs (of a publisher or a kind), or everything that runs. */
export type Breadth = 'program' | 'group' | 'everything';

/**
 * Kinds with few entities per device, each launched separately. Blocking such a kind as a whole is an ordinary default.
 */
export const NARROW_KINDS: readonly EntityKind[] = [
  'browser_extension',
  'ide_extension',
  'mcp_server',
  'ai_tool',
];

/**
 * Returns the blast radius of a match. Agents end nothing for `everything`, and for `group` only if few programs match.
 */
export function breadthOf(match: OverrideMatch): Breadth {
  const { executable_sha256, entity_id, name, publisher, kind } = match;
  if ((executable_sha256 ?? entity_id ?? name) !== undefined) return 'program';
  if (kind !== undefined && NARROW_KINDS.includes(kind)) return 'program';
  return publisher !== undefined || kind === 'application' ? 'group' : 'everything';
}
