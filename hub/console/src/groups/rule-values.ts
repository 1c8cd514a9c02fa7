// Form values of a membership query, and its request body. Pure.
import type {
  DeviceGroup,
  GroupRule,
  RuleCondition,
} from '@gatewarden/shared/wire/console/device-groups.ts';

export interface GroupValues {
  name: string;
  description: string;
  membership: 'hand' | 'rule';
  conditions: RuleCondition[];
}

export const NEW_CONDITION: RuleCondition = { field: 'hostname', test: 'one_of', values: [] };

export function valuesOfGroup(group: DeviceGroup | null): GroupValues {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    membership: group?.rule ? 'rule' : 'hand',
    conditions: group?.rule?.conditions ?? [NEW_CONDITION],
  };
}

/** Returns the query of the form; null for manual membership, `incomplete` while a condition has no value. */
export function ruleOf({
  membership,
  conditions,
}: Pick<GroupValues, 'membership' | 'conditions'>): GroupRule | null | 'incomplete' {
  if (membership === 'hand') return null;
  return conditions.some(({ values }) => values.every((value) => value.trim() === ''))
    ? 'incomplete'
    : { conditions };
}

const VERSIONS: readonly RuleCondition['field'][] = ['os_version', 'agent_version'];

/** Returns the tests that apply to the field. */
export function testsOf(field: RuleCondition['field']): readonly RuleCondition['test'][] {
  return VERSIONS.includes(field)
    ? ['at_least', 'below', 'one_of', 'none_of']
    : ['one_of', 'none_of'];
}

/** Returns the condition with another field or test; parts that do not apply are removed. */
export function changedCondition(
  before: RuleCondition,
  change: Partial<Pick<RuleCondition, 'field' | 'test'>>,
): RuleCondition {
  const field = change.field ?? before.field;
  const wanted = change.test ?? before.test;
  const tests = testsOf(field);
  const test = tests.includes(wanted) ? wanted : (tests[0] ?? 'one_of');
  const comparable = (item: RuleCondition['test']) => item === 'at_least' || item === 'below';
  const keeps = field === before.field && comparable(test) === comparable(before.test);
  return { field, test, values: keeps ? before.values : [] };
}
