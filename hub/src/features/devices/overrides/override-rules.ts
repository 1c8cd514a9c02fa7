// Validation of overrides, and the result of changes. Pure.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { qualifiersOf } from '@gatewarden/shared/match-qualifiers.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import type {
  Override,
  OverrideInput,
  OverridePatch,
  OverrideScope,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ExecutionPolicy, Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { rolloutRow, type StoredRollout } from '../rollouts/rollout.ts';
import type { NewOverride, OverrideRecord } from './store.ts';

/** Returns the id of an override that the hub makes for another object, equal for equal arguments. */
export function deterministicId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\0')).digest('hex');
  // A UUID of version 8 (RFC 9562 §5.8), for custom rules.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns true for an id that the hub computed. Ids that users and clients choose have another version. */
export function isDeterministicId(overrideId: string): boolean {
  return overrideId[14] === '8';
}

/** A new override as it is stored. Throws 400 with a pointer. */
export function newOverride(
  input: OverrideInput,
  by: { overrideId: string; email: string; now: Date },
  options: { mayHaveEnded?: boolean } = {},
): NewOverride {
  const { scope_kind, scope_id } = splitScope(input.scope);
  const override: NewOverride = {
    override_id: by.overrideId,
    match: validateMatch(input.match),
    approval_status: input.approval_status,
    execution_policy: input.execution_policy,
    severity: input.severity ?? defaultSeverity(input.execution_policy),
    reason: input.reason ?? null,
    scope_kind,
    scope_id,
    effective_at: dateOrNull(input.effective_at),
    expires_at: dateOrNull(input.expires_at),
    rollout_percent: input.rollout_percent ?? 100,
    created_at: by.now,
    created_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
    default_kind: null,
    drift_hold: false,
    product_policy_id: null,
  };
  checkTimes(override);
  if (options.mayHaveEnded !== true) checkEnd(override, by.now);
  return override;
}

const TERMS = [
  'match',
  'approval_status',
  'execution_policy',
  'severity',
  'reason',
  'scope_kind',
  'scope_id',
  'effective_at',
  'expires_at',
  'rollout_percent',
] as const satisfies readonly (keyof NewOverride)[];

/** Returns true if the stored override has the same terms. Author and time do not count. */
export function hasSameTerms(before: OverrideRecord, wanted: NewOverride): boolean {
  return TERMS.every((field) => isDeepStrictEqual(before[field], wanted[field]));
}

/** Returns the patched override; null if nothing changes. Throws 400 with a pointer. */
export function patchedOverride(
  before: OverrideRecord,
  patch: OverridePatch,
  by: { email: string; now: Date },
): Omit<OverrideRecord, 'sort_key' | 'revision'> | null {
  const { sort_key: _key, revision: _revision, ...same } = before;
  const after = {
    ...same,
    match: patch.match === undefined ? before.match : validateMatch(patch.match),
    approval_status: patch.approval_status ?? before.approval_status,
    execution_policy: patch.execution_policy ?? before.execution_policy,
    severity: patch.severity ?? before.severity,
    reason: patch.reason === undefined ? before.reason : patch.reason,
    ...(patch.scope === undefined ? {} : splitScope(patch.scope)),
    effective_at:
      patch.effective_at === undefined ? before.effective_at : dateOrNull(patch.effective_at),
    expires_at: patch.expires_at === undefined ? before.expires_at : dateOrNull(patch.expires_at),
    rollout_percent: patch.rollout_percent ?? before.rollout_percent,
  };
  if (isDeepStrictEqual(after, same)) return null;
  checkTimes(after);
  // An expired override may be changed in other fields.
  if (after.expires_at?.getTime() !== before.expires_at?.getTime()) checkEnd(after, by.now);
  return { ...after, updated_at: by.now, updated_by: by.email };
}

/** Returns true if the change may remove devices from the scope. */
export function mayLeaveScope(
  before: Pick<OverrideRecord, 'scope_kind' | 'scope_id' | 'rollout_percent'>,
  after: Pick<OverrideRecord, 'scope_kind' | 'scope_id' | 'rollout_percent'>,
): boolean {
  return (
    before.scope_kind !== after.scope_kind ||
    before.scope_id !== after.scope_id ||
    before.rollout_percent > after.rollout_percent
  );
}

/** Returns the override as the console shows it, with its rollout. */
export function overrideRow(record: OverrideRecord, rollout: StoredRollout | null): Override {
  return { ...overrideFacts(record), rollout: rollout === null ? null : rolloutRow(rollout) };
}

/** Returns the fields of an override that its audit events contain. */
export function overrideFacts(record: OverrideRecord): Omit<Override, 'rollout'> {
  const { deleted: _deleted, sort_key: _key, scope_kind, scope_id, version, ...row } = record;
  return {
    ...row,
    version: etagOf(version),
    scope: joinScope(scope_kind, scope_id),
    effective_at: row.effective_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a short text of a match. */
export function matchText(match: OverrideMatch): string {
  return Object.entries(match)
    .map(([qualifier, value]) => `${qualifier} ${value.slice(0, MATCH_TEXT_MAX)}`)
    .join(' and ');
}

const MATCH_TEXT_MAX = 64;

/** Returns the message for the second of two users who decide about the same app at once. */
export function conflictMessage(
  other: Pick<
    OverrideRecord,
    'deleted' | 'approval_status' | 'execution_policy' | 'updated_by' | 'match'
  >,
  mine: OverrideMatch,
): string {
  const what = other.deleted
    ? 'removed a policy'
    : `set a policy: ${other.approval_status} (${other.execution_policy})`;
  const words = isDeepStrictEqual(other.match, mine) ? '' : ` (${matchText(other.match)})`;
  return `${other.updated_by} ${what} for the same app and scope${words}. Review it and try again.`;
}

/** Returns the app that an override names as a whole for the tenant, whose status the list of apps shows; else null. */
export function decidedProduct(
  override: Pick<OverrideRecord, 'match' | 'scope_kind'>,
): string | null {
  const isWhole = Object.keys(override.match).length === 1 && override.scope_kind === 'tenant';
  return isWhole ? (override.match.entity_id ?? null) : null;
}

function defaultSeverity(policy: ExecutionPolicy): Severity {
  return policy === 'quarantine' ? 'critical' : 'high';
}

function validateMatch(match: OverrideMatch): OverrideMatch {
  for (const { name, value, qualifier } of qualifiersOf(match)) {
    if (qualifier.type === 'text' && foldName(value) === '') {
      throw new HubError('invalid_request', `/match/${name} must not be blank`);
    }
  }
  return match;
}

function checkTimes(override: { effective_at: Date | null; expires_at: Date | null }): void {
  const { effective_at: from, expires_at: to } = override;
  if (from !== null && to !== null && to <= from) {
    throw new HubError('invalid_request', '/expires_at must be after /effective_at');
  }
}

/** Rejects an end in the past, which would be a typing error: an override in force is ended by withdrawing it. */
function checkEnd({ expires_at: to }: { expires_at: Date | null }, now: Date): void {
  if (to !== null && to <= now) {
    throw new HubError('invalid_request', '/expires_at must be in the future');
  }
}

/** Returns the columns of a scope. */
export function splitScope(scope: OverrideScope): Pick<OverrideRecord, 'scope_kind' | 'scope_id'> {
  const id = {
    tenant: () => '',
    group: () => ('group_id' in scope ? scope.group_id.toLowerCase() : ''),
    subscriber: () => ('subscriber_id' in scope ? scope.subscriber_id : ''),
    device: () => ('device_id' in scope ? scope.device_id.toLowerCase() : ''),
  }[scope.kind]();
  return { scope_kind: scope.kind, scope_id: id };
}

/** Returns the scope of two columns. */
export function joinScope(kind: OverrideScope['kind'], id: string): OverrideScope {
  switch (kind) {
    case 'tenant':
      return { kind };
    case 'group':
      return { kind, group_id: id };
    case 'subscriber':
      return { kind, subscriber_id: id };
    case 'device':
      return { kind, device_id: id };
  }
}

function dateOrNull(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}
