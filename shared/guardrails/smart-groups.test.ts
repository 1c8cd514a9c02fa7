import { expect, it } from 'vitest';
import type { DetectionSettings, SmartGroupPolicy } from './settings.ts';
import { indexMembers, mergeGroupPolicies, selectGroupPolicies } from './smart-groups.ts';

const APP: DetectionSettings = {
  enabled_categories: { pii: true },
  category_actions: { pii: 'monitor', pci: 'redact' },
  data_risk_action: 'monitor',
};
const HR: SmartGroupPolicy = { group_name: 'hr', category_actions: { pii: 'block' } };

it('finds the groups of a member in any case', () => {
  const index = indexMembers([
    { group_name: 'hr', members: ['Ann@Example.com', 'ann@example.com'] },
    { group_name: 'legal', members: [' ann@example.com'] },
    { group_name: 'empty' },
  ]);
  expect(index.get('ann@example.com')).toEqual(['hr', 'legal']);
});

it.each<[string, SmartGroupPolicy, string[], boolean]>([
  ['selects the policy of a member', HR, ['hr'], true],
  ['ignores the policy of another group', HR, ['legal'], false],
  ['ignores a disabled policy', { ...HR, enabled: false }, ['hr'], false],
])('%s', (_claim, policy, groups, isSelected) => {
  expect(selectGroupPolicies([policy], groups)).toEqual(isSelected ? [policy] : []);
});

it.each<[string, SmartGroupPolicy[], DetectionSettings]>([
  ['keeps the settings of the app without a policy', [], APP],
  [
    'replaces the values that a policy names',
    [{ ...HR, enabled_categories: { pci: true }, category_scopes: { pii: 'request' } }],
    {
      ...APP,
      enabled_categories: { pii: true, pci: true },
      category_actions: { pii: 'block', pci: 'redact' },
      category_scopes: { pii: 'request' },
    },
  ],
  [
    'replaces data_risk_action by that of the policy',
    [{ group_name: 'hr', actions: { data_risk_action: 'block' } }],
    { ...APP, data_risk_action: 'block' },
  ],
  [
    'replaces nested values of subcategories',
    [
      {
        group_name: 'hr',
        sub_category_actions: { pii: { email_address: 'redact' } },
        sub_category_sensitivities: { pii: { email_address: 'high' } },
        category_sensitivities: { pii: ['low'] },
      },
    ],
    {
      ...APP,
      sub_category_actions: { pii: { email_address: 'redact' } },
      sub_category_sensitivities: { pii: { email_address: 'high' } },
      category_sensitivities: { pii: ['low'] },
    },
  ],
  [
    'applies the strictest of several policies',
    [
      { ...HR, category_scopes: { pii: 'request' }, enabled_categories: { pii: false } },
      {
        group_name: 'legal',
        category_actions: { pii: 'redact' },
        category_scopes: { pii: 'response' },
        enabled_categories: { pii: true },
        sub_category_sensitivities: { pii: { email_address: 'high' } },
        category_sensitivities: { pii: ['medium'] },
      },
    ],
    {
      ...APP,
      category_actions: { pii: 'block', pci: 'redact' },
      category_scopes: { pii: 'both' },
      enabled_categories: { pii: true },
      sub_category_sensitivities: { pii: { email_address: 'high' } },
      category_sensitivities: { pii: ['medium'] },
    },
  ],
])('%s', (_claim, policies, merged) => {
  expect(mergeGroupPolicies(APP, policies)).toEqual(merged);
});
