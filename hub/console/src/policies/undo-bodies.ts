// Request bodies that undo a change or a removal of a policy. Pure.
import type {
  Override,
  OverrideInput,
  OverridePatch,
} from '@gatewarden/shared/wire/console/overrides.ts';

const FIELDS = [
  'match',
  'approval_status',
  'execution_policy',
  'severity',
  'reason',
  'scope',
  'effective_at',
  'expires_at',
  'rollout_percent',
] as const satisfies readonly (keyof OverridePatch & keyof Override)[];

/** Returns the patch that restores the changed fields. Other fields stay; the version detects changes by other users. */
export function backOf(before: Override, after: Override): OverridePatch {
  const changed = FIELDS.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, before[field]]));
}

/** Returns the input that creates the policy again, under a new id. */
export function againOf(gone: Override): OverrideInput {
  const { match, approval_status, execution_policy, severity, reason, scope } = gone;
  const { effective_at, expires_at } = gone;
  return {
    ...{ match, approval_status, execution_policy, severity, reason, scope },
    ...{ effective_at, expires_at },
  };
}

/**
 * Returns whether the policy can be created again unchanged. A rollout percentage selects devices by the policy's id, so that
 * a new policy would select other devices; an expired policy stays expired.
 */
export function canComeBack(gone: Override, nowMs: number): boolean {
  const isOver = gone.expires_at !== null && Date.parse(gone.expires_at) <= nowMs;
  return gone.rollout_percent === 100 && !isOver;
}
