// Texts of the policy control.
import type { PolicyStep } from './policy-scale.ts';

export const policyTexts = {
  label: 'Policy',
  steps: {
    unreviewed: 'Unreviewed',
    approved: 'Approved',
    restricted: 'Restricted',
    blocked: 'Blocked',
    quarantined: 'Quarantined',
  } satisfies Record<PolicyStep, string>,
  hints: {
    unreviewed: 'Runs and is logged.',
    approved: 'Runs. Not logged.',
    restricted: 'Runs with a warning to the user.',
    blocked: 'Terminated right after launch (not prevented).',
    quarantined: 'Terminated and moved to quarantine. Reversible.',
  } satisfies Record<PolicyStep, string>,
  customShort: 'Custom',
  custom: (approval: string, enforcement: string) => `Custom: ${approval}, ${enforcement}`,
  advanced: 'Advanced',
  approval: 'Review status',
  enforcement: 'Enforcement',
};
