// Policies and previews as the hub answers them, for component tests; a test names the fields that it is about.
import type { ListedOverride, PreviewAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import type { PolicyInForce } from '@gatewarden/shared/wire/console/products.ts';

const AT = '2026-03-01T10:00:00.000Z';
const DEVICE_ID = '01900000-0000-7000-8000-0000000000d1';

/** Returns a policy about the name `curl`, in force for everyone, of a colleague. */
export function anOverride(fields: Partial<ListedOverride> = {}): ListedOverride {
  return {
    override_id: 'o1',
    revision: 4,
    version: '"4"',
    match: { name: 'curl' },
    approval_status: 'blocked',
    execution_policy: 'block',
    severity: 'high',
    reason: 'as it was',
    scope: { kind: 'tenant' },
    effective_at: null,
    expires_at: null,
    rollout_percent: 100,
    rollout: null,
    default_kind: null,
    drift_hold: false,
    product_policy_id: null,
    created_at: AT,
    created_by: 'eve@example.com',
    updated_at: AT,
    updated_by: 'eve@example.com',
    state: 'in_force',
    replaced_by: null,
    product: null,
    ...fields,
  };
}

/** Returns a policy preview that touches one device and nothing that runs. */
export function aPreview(fields: Partial<PreviewAnswer> = {}): PreviewAnswer {
  const none = { count: 0, items: [] };
  return {
    override_id: 'o1',
    breadth: 'program',
    devices: {
      count: 1,
      items: [{ device_id: DEVICE_ID, hostname: 'laptop-7', subscriber_id: 'grace' }],
    },
    people: { count: 1, items: [{ subscriber_id: 'grace' }] },
    groups: none,
    processes: { ...none, at_least: false, ended: 0, guarded: 0, unhashed: 0 },
    activity: { ...none, at_least: false, devices: 0 },
    overruled: none,
    as_of_revision: 12,
    standing: none,
    elsewhere: none,
    request_id: 'r-preview',
    ...fields,
  };
}

/** Returns a policy in force that blocks an app for everyone, of a colleague. */
export function aPolicyInForce(fields: Partial<PolicyInForce> = {}): PolicyInForce {
  return {
    override_id: 'o1',
    origin: 'application',
    product_policy_id: null,
    match: {},
    scope: { kind: 'tenant' },
    approval_status: 'blocked',
    execution_policy: 'block',
    severity: 'high',
    reason: null,
    rollout_percent: 100,
    expires_at: null,
    updated_at: AT,
    updated_by: 'eve@example.com',
    entity_ids: ['e1'],
    ...fields,
  };
}
