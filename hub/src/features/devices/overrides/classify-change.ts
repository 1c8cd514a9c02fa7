// Classifies a change of an override by what it means for drift and baselines. Pure.
import { isDeepStrictEqual } from 'node:util';
import { hasSameTerms } from './override-rules.ts';
import type { OverrideRecord } from './store.ts';

export interface OverrideChange {
  /**
   * `broadened`: approves an app, scope or match that it did not approve before. `narrowed`: withdrawn, or limited to a part
   * of the tenant. `reactivated`: the same approval is in force again. `rolloutAdvanced`: the same approval reaches more
   * devices. `metadataOnly`: nothing of these changed.
   */
  kind: 'broadened' | 'narrowed' | 'reactivated' | 'rolloutAdvanced' | 'metadataOnly';
  /** True for a decision about the app as it is, for the whole scope and from now on: it reviews all drift of the app. */
  reviewsDrift: boolean;
}

/** Returns the class of a change; `before` is null for a new override. `now` is the time of the change. */
export function classifyOverrideChange(
  before: OverrideRecord | null,
  after: OverrideRecord,
  now: Date,
): OverrideChange {
  const kind = kindOf(before, after, now);
  const reviewsDrift =
    kind !== 'reactivated' && kind !== 'narrowed' && decidesForAll(before, after, now);
  return { kind, reviewsDrift };
}

function kindOf(
  before: OverrideRecord | null,
  after: OverrideRecord,
  now: Date,
): OverrideChange['kind'] {
  if (before === null) return isApproved(after) ? 'broadened' : 'metadataOnly';
  const narrowed = isNarrowed(before, after);
  if (isApproved(after)) {
    if (!isApproved(before) || (!narrowed && hasOtherTarget(before, after))) return 'broadened';
    // A change may narrow an approval and put it in force again: devices in its scope are then compared.
    if (!isInForceAt(before, now) && isInForceAt(after, now)) return 'reactivated';
    if (isRolloutAdvanced(before, after)) return 'rolloutAdvanced';
  }
  return narrowed ? 'narrowed' : 'metadataOnly';
}

const isApproved = ({ deleted, approval_status: status }: OverrideRecord): boolean =>
  !deleted && status === 'approved';

/** Returns true for a withdrawn override, or the same status for a part of the tenant only. */
const isNarrowed = (before: OverrideRecord, after: OverrideRecord): boolean =>
  after.deleted ||
  (before.scope_kind === 'tenant' &&
    after.scope_kind !== 'tenant' &&
    before.approval_status === after.approval_status &&
    isDeepStrictEqual(before.match, after.match));

const hasOtherTarget = (before: OverrideRecord, after: OverrideRecord): boolean =>
  before.scope_kind !== after.scope_kind ||
  before.scope_id !== after.scope_id ||
  !isDeepStrictEqual(before.match, after.match);

const isRolloutAdvanced = (before: OverrideRecord, after: OverrideRecord): boolean =>
  after.rollout_percent > before.rollout_percent &&
  hasSameTerms({ ...before, rollout_percent: after.rollout_percent }, after);

/**
 * Returns true for a new decision that reaches its whole scope now. A note, a severity or another end is no decision, nor is
 * a rollout under way or an override that is not in force.
 */
function decidesForAll(before: OverrideRecord | null, after: OverrideRecord, now: Date): boolean {
  if (after.rollout_percent < 100 || !isInForceAt(after, now)) return false;
  return (
    before === null ||
    before.deleted ||
    before.approval_status !== after.approval_status ||
    before.execution_policy !== after.execution_policy ||
    hasOtherTarget(before, after)
  );
}

const EARLIEST = new Date(0);
const LATEST = new Date(8.64e15);

const isInForceAt = (override: OverrideRecord, now: Date): boolean =>
  !override.deleted &&
  (override.effective_at ?? EARLIEST) <= now &&
  (override.expires_at ?? LATEST) > now;
