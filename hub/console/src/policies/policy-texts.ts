// Texts of the policy control.

import type { PolicyStep } from '@gatewarden/shared/policy-scale.ts';
import type { ProductPolicyOrigin } from '@gatewarden/shared/wire/console/products.ts';
import { counted } from '../ui/counted.ts';

export const policyTexts = {
  title: 'Set policy',
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
  approve: 'Approve',
  block: 'Block',
  set: 'Set policy…',
  actionsFor: (name: string) => `Actions for ${name}`,
  appliesToApp: 'Applies to this app only.',
  appliesToSource: (source: string, platform: string) =>
    `Applies to this app only: ${source} on ${platform}.`,
  appliesToName: (name: string) => `Applies to every app and process named ${name}.`,
  reach: (devices: number, users: number) =>
    `On ${counted(devices, 'device', 'devices')} of ${counted(users, 'user', 'users')}`,
  counting: 'Counting devices and users…',
  clearSelection: 'Clear selection',
  allPlatforms: 'All platforms',
  productOn: (product: string, platform: string | null) =>
    platform === null ? product : `${product} on ${platform}`,
  inForce: 'Policy in force',
  noneInForce: 'No policy applies. This app runs.',
  precedence: 'Where several apply to a device, the first in this list takes effect.',
  setBy: 'set by',
  origins: {
    product_policy: 'Policy for this product',
    default_policy: 'Default policy',
    drift: 'Changed after approval: waits for review',
    application: 'Policy for this app',
    match: 'Policy by name, publisher or hash',
  } satisfies Record<ProductPolicyOrigin, string>,
};
