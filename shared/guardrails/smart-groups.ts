// Smart groups: an imported list of people for whom an app has its own detection settings.
import type { Action, DetectionScope } from '../wire/management/app-config.ts';
import type { DetectionSettings, Sensitivity, SmartGroupPolicy } from './settings.ts';

/** A document of the kind `smart_group`. Its `rules` belong to the system that computed the members. */
export interface SmartGroupDocument {
  group_name: string;
  members?: readonly string[];
}

const ACTION_ORDER: readonly Action[] = ['monitor', 'partial-redact', 'redact', 'block'];
const SENSITIVITY_ORDER: readonly string[] = ['low', 'medium', 'high'] satisfies Sensitivity[];

/** Returns the names of groups by the e-mail address of each member in lower case. Build it once for a snapshot. */
export function indexMembers(groups: readonly SmartGroupDocument[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const { group_name, members = [] } of groups) {
    for (const member of new Set(members.map((email) => email.trim().toLowerCase()))) {
      index.set(member, [...(index.get(member) ?? []), group_name]);
    }
  }
  return index;
}

/** Returns the stricter of two actions: monitor, partial-redact, redact, block. */
export function strictestAction(a: Action, b: Action): Action {
  return ACTION_ORDER.indexOf(a) < ACTION_ORDER.indexOf(b) ? b : a;
}

/** Returns the policies that apply to a caller, in the order of the configuration. */
export function selectGroupPolicies(
  policies: readonly SmartGroupPolicy[],
  smartGroups: readonly string[],
): SmartGroupPolicy[] {
  return policies.filter(
    ({ enabled, group_name }) => enabled !== false && smartGroups.includes(group_name),
  );
}

/**
 * Returns the detection settings of a caller. A policy replaces the values of the app that it names; where several
 * policies name a value, the strictest applies.
 */
export function mergeGroupPolicies(
  detection: DetectionSettings,
  policies: readonly SmartGroupPolicy[],
): DetectionSettings {
  const [first, ...more] = policies;
  if (first === undefined) return detection;
  const merged = more.reduce(mergePolicies, { ...first, ...first.actions });
  const overlaid: Record<string, unknown> = { ...detection };
  for (const [name, value] of Object.entries(merged)) {
    if (name !== 'group_name' && name !== 'enabled' && name !== 'actions')
      overlaid[name] = overlay(overlaid[name], value);
  }
  return overlaid;
}

/** Replaces the members of nested maps; lists and plain values replace the whole value. */
function overlay(base: unknown, value: unknown): unknown {
  if (!isMap(base) || !isMap(value)) return value;
  const result = { ...base };
  for (const [name, inner] of Object.entries(value)) result[name] = overlay(result[name], inner);
  return result;
}

type Merged = SmartGroupPolicy & { data_risk_action?: Action };

function mergePolicies(merged: Merged, policy: SmartGroupPolicy): Merged {
  return { ...merged, ...(combine(merged, { ...policy, ...policy.actions }) as Merged) };
}

function combine(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  if (isMap(a) && isMap(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Object.fromEntries([...names].map((name) => [name, combine(a[name], b[name])]));
  }
  if (Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if (typeof a === 'boolean' && typeof b === 'boolean') return a || b;
  if (ACTION_ORDER.includes(a as Action)) return strictestAction(a as Action, b as Action);
  if (SENSITIVITY_ORDER.includes(a as string)) {
    return SENSITIVITY_ORDER.indexOf(a as string) < SENSITIVITY_ORDER.indexOf(b as string) ? b : a;
  }
  // Scopes: two different scopes cover both directions. Names of groups are equal or irrelevant.
  return a === b ? a : ('both' satisfies DetectionScope);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
