// What takes a change of a decision, or its withdrawal, back. Pure.
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

/** Only what the change changed: what somebody else may have set stays, and the version says whether they did. */
export function backOf(before: Override, after: Override): OverridePatch {
  const changed = FIELDS.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, before[field]]));
}

/** The same decision anew; it gets an id and a revision of its own. */
export function againOf(gone: Override): OverrideInput {
  const { match, approval_status, execution_policy, severity, reason, scope } = gone;
  const { effective_at, expires_at } = gone;
  return {
    ...{ match, approval_status, execution_policy, severity, reason, scope },
    ...{ effective_at, expires_at },
  };
}

/**
 * Whether it can be decided again as it was: a percentage chooses devices by the id, so that another decision would
 * choose others; and what has ended by now stays ended.
 */
export function canComeBack(gone: Override, nowMs: number): boolean {
  const isOver = gone.expires_at !== null && Date.parse(gone.expires_at) <= nowMs;
  return gone.rollout_percent === 100 && !isOver;
}
