// Policies for products: which policy covers which application, and the override that each application is given. Pure.
import { isDeepStrictEqual } from 'node:util';
import type {
  ProductPolicy,
  ProductPolicyInput,
  ProductPolicyPatch,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ExecutionPolicy, Platform, Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import {
  joinScope,
  type NewOverride,
  type OverrideRecord,
  splitScope,
} from '../overrides/index.ts';

export interface PolicyRecord
  extends Omit<
    ProductPolicy,
    'version' | 'scope' | 'effective_at' | 'expires_at' | 'created_at' | 'updated_at' | 'entity_ids'
  > {
  version: number;
  deleted: boolean;
  scope_kind: OverrideRecord['scope_kind'];
  scope_id: string;
  effective_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  sort_key: string;
}

export type NewPolicy = Omit<PolicyRecord, 'version' | 'deleted' | 'sort_key'>;

/** An application as far as policies are concerned. */
export interface CoverableApplication {
  entity_id: string;
  platform: Platform;
}

/** An override that a policy owns or is to own. */
export interface PolicyTarget {
  policy: PolicyRecord;
  entityId: string;
}

const scopeOf = (policy: Pick<PolicyRecord, 'scope_kind' | 'scope_id'>): string =>
  `${policy.scope_kind}/${policy.scope_id}`;

/**
 * Returns the overrides that the policies of one product are to own. Within a scope each application belongs to exactly one
 * policy: to that of its platform, else to that of all platforms.
 */
export function targetsOf(
  policies: readonly PolicyRecord[],
  applications: readonly CoverableApplication[],
): PolicyTarget[] {
  const scopes = [...Map.groupBy(policies, scopeOf).values()];
  return scopes.flatMap((ofScope) =>
    applications.flatMap(({ entity_id, platform }) => {
      const policy =
        ofScope.find((candidate) => candidate.platform === platform) ??
        ofScope.find((candidate) => candidate.platform === null);
      return policy === undefined ? [] : { policy, entityId: entity_id };
    }),
  );
}

export interface OverrideChanges {
  create: PolicyTarget[];
  update: { override: OverrideRecord; policy: PolicyRecord }[];
  remove: OverrideRecord[];
}

const FIELDS = [
  'approval_status',
  'execution_policy',
  'severity',
  'reason',
  'effective_at',
  'expires_at',
] as const satisfies readonly (keyof PolicyRecord & keyof OverrideRecord)[];

const keyOf = (policyId: string | null, entityId: string | undefined): string =>
  `${policyId}/${entityId}`;

/** Returns what separates the overrides that policies own from those that they are to own. */
export function overrideChanges(
  targets: readonly PolicyTarget[],
  owned: readonly OverrideRecord[],
): OverrideChanges {
  const existing = new Map(
    owned.map((override) => [
      keyOf(override.product_policy_id, override.match.entity_id),
      override,
    ]),
  );
  const changes: OverrideChanges = { create: [], update: [], remove: [] };
  for (const target of targets) {
    const key = keyOf(target.policy.policy_id, target.entityId);
    const override = existing.get(key);
    existing.delete(key);
    if (override === undefined) changes.create.push(target);
    else if (!FIELDS.every((field) => isDeepStrictEqual(override[field], target.policy[field]))) {
      changes.update.push({ override, policy: target.policy });
    }
  }
  changes.remove.push(...existing.values());
  return changes;
}

/** Returns the override that a policy gives an application. */
export function overrideOf(
  { policy, entityId }: PolicyTarget,
  overrideId: string,
  now: Date,
): NewOverride {
  return {
    ...fieldsOf(policy),
    override_id: overrideId,
    product_policy_id: policy.policy_id,
    match: { entity_id: entityId },
    scope_kind: policy.scope_kind,
    scope_id: policy.scope_id,
    rollout_percent: 100,
    created_at: now,
    created_by: policy.updated_by,
    updated_at: now,
    updated_by: policy.updated_by,
    default_kind: null,
    drift_hold: false,
  };
}

/** Returns the fields in which each override of a policy equals it. */
export function fieldsOf(policy: PolicyRecord | NewPolicy) {
  const { approval_status, execution_policy, severity, reason, effective_at, expires_at } = policy;
  return { approval_status, execution_policy, severity, reason, effective_at, expires_at };
}

/** Returns a new policy as it is stored. Rejects times in the wrong order with 400. */
export function newPolicy(
  input: ProductPolicyInput,
  by: { policyId: string; productName: string; email: string; now: Date },
  options: { mayHaveEnded?: boolean } = {},
): NewPolicy {
  const policy: NewPolicy = {
    policy_id: by.policyId,
    product_id: input.product_id,
    product_name: by.productName,
    platform: input.platform ?? null,
    ...splitScope(input.scope),
    approval_status: input.approval_status,
    execution_policy: input.execution_policy,
    severity: input.severity ?? defaultSeverity(input.execution_policy),
    reason: input.reason ?? null,
    effective_at: dateOrNull(input.effective_at),
    expires_at: dateOrNull(input.expires_at),
    created_at: by.now,
    created_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
  };
  checkTimes(policy);
  if (options.mayHaveEnded !== true) checkEnd(policy, by.now);
  return policy;
}

/** Returns the policy after a patch; null where it changes nothing. Rejects times in the wrong order with 400. */
export function patchedPolicy(
  before: PolicyRecord,
  patch: ProductPolicyPatch,
  by: { email: string; now: Date },
): PolicyRecord | null {
  const { as_of_revision: _seen, effective_at, expires_at, ...fields } = patch;
  const after: PolicyRecord = {
    ...before,
    ...fields,
    ...(effective_at === undefined ? {} : { effective_at: dateOrNull(effective_at) }),
    ...(expires_at === undefined ? {} : { expires_at: dateOrNull(expires_at) }),
  };
  if (isDeepStrictEqual(after, before)) return null;
  checkTimes(after);
  if (after.expires_at?.getTime() !== before.expires_at?.getTime()) checkEnd(after, by.now);
  return { ...after, updated_at: by.now, updated_by: by.email };
}

/** Returns true where a stored policy equals a new one, whoever made it and when: a creation was sent again. */
export function isSamePolicy(stored: PolicyRecord, policy: NewPolicy): boolean {
  const comparable = (of: PolicyRecord | NewPolicy) => [
    of.product_id,
    of.platform,
    scopeOf(of),
    fieldsOf(of),
  ];
  return isDeepStrictEqual(comparable(stored), comparable(policy));
}

/** Returns the policy as people read it, with the applications that it covers. */
export function policyRow(record: PolicyRecord, entityIds: readonly string[]): ProductPolicy {
  const { deleted: _deleted, sort_key: _key, scope_kind, scope_id, ...policy } = record;
  return {
    ...policy,
    version: etagOf(record.version),
    scope: joinScope(scope_kind, scope_id),
    effective_at: isoOrNull(record.effective_at),
    expires_at: isoOrNull(record.expires_at),
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    entity_ids: [...entityIds],
  };
}

const defaultSeverity = (policy: ExecutionPolicy): Severity =>
  policy === 'quarantine' ? 'critical' : 'high';

const dateOrNull = (text: string | null | undefined): Date | null =>
  text == null ? null : new Date(text);

function checkTimes({ effective_at: from, expires_at: to }: NewPolicy): void {
  if (from !== null && to !== null && to <= from) {
    throw new HubError('invalid_request', '/expires_at must be after /effective_at');
  }
}

function checkEnd({ expires_at: to }: NewPolicy, now: Date): void {
  if (to !== null && to <= now) {
    throw new HubError('invalid_request', '/expires_at must be in the future');
  }
}
