import { expect, it } from 'vitest';
import { applyPolicyAuthority, GOVERNED_SECTIONS } from './authority.ts';

const APP = {
  config: {
    limits: { rate_limit_per_minute: 9 },
    routing: {},
    prompts: { require_system_from_store: true },
  },
  policy_baseline: {
    config: {
      limits: { rate_limit_per_minute: 1 },
      prompts: {},
      access: { enforce_identity: true },
    },
    allowed_models: [{ provider_label: 'main', models: ['m-1'] }],
  },
};

it('governs the sections that the hub reports as inactive', () => {
  expect([...GOVERNED_SECTIONS].sort()).toEqual([
    'access',
    'detection',
    'limits',
    'routing',
    'smart_group_policies',
    'transformations',
  ]);
});

it('replaces governed sections by the baseline and keeps the others', () => {
  const { config, allowedModels } = applyPolicyAuthority(APP, { enabled: true });
  expect(config).toEqual({
    limits: { rate_limit_per_minute: 1 },
    access: { enforce_identity: true },
    prompts: { require_system_from_store: true },
  });
  expect([...(allowedModels.get('main') ?? [])]).toEqual(['m-1']);
});

it.each<[string, boolean, unknown]>([
  ['keeps stored sections while the authority is disabled', false, APP.policy_baseline],
  ['keeps stored sections of an app without baseline', true, null],
])('%s', (_claim, enabled, policy_baseline) => {
  const effective = applyPolicyAuthority({ ...APP, policy_baseline }, { enabled });
  expect(effective.config).toEqual(APP.config);
  expect(effective.allowedModels.size).toBe(0);
});
