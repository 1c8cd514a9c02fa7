// The form values of a membership query.
import { expect, it } from 'vitest';
import { changedCondition, ruleOf, valuesOfGroup } from './rule-values.ts';

it('sends a membership query once each condition has a value, and none for groups by hand', () => {
  const full = { field: 'hostname', test: 'one_of', values: ['ber-*'] } as const;
  const condition = { ...full, values: [...full.values] };
  expect(ruleOf({ membership: 'rule', conditions: [condition] })).toEqual({
    conditions: [condition],
  });
  expect(
    ruleOf({ membership: 'rule', conditions: [condition, { ...condition, values: [] }] }),
  ).toBe('incomplete');
  expect(ruleOf({ membership: 'rule', conditions: [{ ...condition, values: [' '] }] })).toBe(
    'incomplete',
  );
  expect(ruleOf({ ...valuesOfGroup(null), membership: 'hand' })).toBeNull();
});

it('keeps the operator of a condition where its new field supports it, without the value', () => {
  const before = { field: 'agent_version', test: 'below', values: ['0.9'] } as const;
  const condition = { ...before, values: [...before.values] };
  expect(changedCondition(condition, { field: 'os_version' })).toEqual({
    field: 'os_version',
    test: 'below',
    values: [],
  });
  expect(changedCondition(condition, { field: 'hostname' })).toEqual({
    field: 'hostname',
    test: 'one_of',
    values: [],
  });
  expect(changedCondition(condition, { test: 'at_least' }).values).toEqual(['0.9']);
  expect(changedCondition(condition, { test: 'none_of' }).values).toEqual([]);
});
