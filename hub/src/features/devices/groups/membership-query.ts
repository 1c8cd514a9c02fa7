// Evaluates membership queries of device groups. Pure.
import { compareVersions, foldName, globMatches } from '@gatewarden/shared/names.ts';
import type { GroupRule, RuleCondition } from '@gatewarden/shared/wire/console/device-groups.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

type Field = RuleCondition['field'];

/** The fields that queries read. A user can be in several groups, or in none. */
export type DeviceFacts = Record<Exclude<Field, 'people_group'>, string> & {
  people_group: readonly string[];
};

/** True where every condition holds. */
export function ruleTakes(rule: GroupRule, device: DeviceFacts): boolean {
  return rule.conditions.every((condition) => holds(condition, device[condition.field]));
}

function holds({ test, values }: RuleCondition, fact: string | readonly string[]): boolean {
  const facts = typeof fact === 'string' ? [fact] : fact;
  const isOne = () => values.some((glob) => facts.some((text) => globMatches(glob, text)));
  if (test === 'one_of') return isOne();
  if (test === 'none_of') return !isOne();
  const version = numberOf(facts[0] ?? '');
  // A text without a version is neither newer nor older.
  if (version === null) return false;
  const order = compareVersions(version, values[0] ?? '');
  return test === 'below' ? order < 0 : order >= 0;
}

/** Returns the version in the name of an operating system: 12.4 for `Debian GNU/Linux 12.4 (bookworm)`. */
function numberOf(fact: string): string | null {
  return /\d+(\.\d+)*/.exec(fact)?.[0] ?? null;
}

/** No person can be called so: whom a device belongs to is written in ASCII. It takes nothing in, and keeps nothing out. */
export const NOBODY = '‹erased›';

/**
 * The rule without a person's name, and how it was spelled; null where it does not name them. What it takes in of other
 * people's devices stays the same: the last name of a condition is overwritten, for a rule without it would take in more.
 */
export function withoutPerson(
  rule: GroupRule,
  person: string,
): { rule: GroupRule; spelled: string[] } | null {
  const isTheirs = (value: string) => foldName(value) === foldName(person);
  const ofPeople = rule.conditions.filter((condition) => condition.field === 'subscriber_id');
  const spelled = ofPeople.flatMap((item) => item.values.filter(isTheirs));
  if (spelled.length === 0) return null;
  const conditions = rule.conditions.map((condition) => {
    if (condition.field !== 'subscriber_id') return condition;
    const others = condition.values.filter((value) => !isTheirs(value));
    return { ...condition, values: others.length === 0 ? [NOBODY] : others };
  });
  return { rule: { conditions }, spelled: [...new Set(spelled)] };
}

const VERSIONS: readonly Field[] = ['os_version', 'agent_version'];

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
      throw new HubError(
        'invalid_request',
        `${at}/test compares versions, but ${field} is not a version`,
      );
    }
    if (values.length !== 1 || numberOf(values[0] ?? '') !== values[0]) {
      throw new HubError('invalid_request', `${at}/values must be a single version, such as 12.4`);
    }
  }
  return rule;
}
