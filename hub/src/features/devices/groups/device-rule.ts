// Which devices a group's rule takes in. Pure.
import { compareVersions, globMatches } from '@gatewarden/shared/names.ts';
import type { GroupRule, RuleCondition } from '@gatewarden/shared/wire/console/device-groups.ts';
import { HubError } from '../../../platform/http/errors.ts';

/** What rules look at. */
export type DeviceFacts = Record<RuleCondition['field'], string>;

/** True where every condition holds. */
export function ruleTakes(rule: GroupRule, device: DeviceFacts): boolean {
  return rule.conditions.every((condition) => holds(condition, device[condition.field]));
}

function holds({ test, values }: RuleCondition, fact: string): boolean {
  if (test === 'one_of') return values.some((glob) => globMatches(glob, fact));
  if (test === 'none_of') return !values.some((glob) => globMatches(glob, fact));
  const version = numberOf(fact);
  // What says no version is neither newer nor older.
  if (version === null) return false;
  const order = compareVersions(version, values[0] ?? '');
  return test === 'below' ? order < 0 : order >= 0;
}

/** The version in what a system says of itself: `Debian GNU/Linux 12.4 (bookworm)` is 12.4. */
function numberOf(fact: string): string | null {
  return /\d+(\.\d+)*/.exec(fact)?.[0] ?? null;
}

const VERSIONS: readonly RuleCondition['field'][] = ['os_version', 'agent_version'];

/** The rule as it is stored. Throws 400 with a pointer where a condition could never mean anything. */
export function checkedRule(rule: GroupRule | null): GroupRule | null {
  if (rule === null) return null;
  for (const [i, { field, test, values }] of rule.conditions.entries()) {
    const at = `/rule/conditions/${i}`;
    if (values.some((value) => value.trim() === '')) {
      throw new HubError('invalid_request', `${at}/values must not be blank`);
    }
    if (test === 'one_of' || test === 'none_of') continue;
    if (!VERSIONS.includes(field)) {
      throw new HubError('invalid_request', `${at}/test compares versions, and ${field} is none`);
    }
    if (values.length !== 1 || numberOf(values[0] ?? '') !== values[0]) {
      throw new HubError('invalid_request', `${at}/values must be one version, as 12.4`);
    }
  }
  return rule;
}
