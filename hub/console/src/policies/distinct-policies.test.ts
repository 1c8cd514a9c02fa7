import { expect, it } from 'vitest';
import { distinctPolicies } from './distinct-policies.ts';

it('shows a product policy once, with the apps of all its overrides', () => {
  const policies = distinctPolicies([
    { override_id: 'o1', product_policy_id: 'p1', entity_ids: ['a'] },
    { override_id: 'o2', product_policy_id: null, entity_ids: ['a', 'b'] },
    { override_id: 'o3', product_policy_id: 'p1', entity_ids: ['b', 'a'] },
  ]);
  expect(policies).toEqual([
    { override_id: 'o1', product_policy_id: 'p1', entity_ids: ['a', 'b'] },
    { override_id: 'o2', product_policy_id: null, entity_ids: ['a', 'b'] },
  ]);
});
