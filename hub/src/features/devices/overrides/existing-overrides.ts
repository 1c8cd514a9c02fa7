// Existing overrides of users for the subject of a new override: in the same scope, and in others; and the override that a new
// decision changes.

import { findExistingPolicy } from '@gatewarden/shared/existing-policy.ts';
import type {
  OverrideInput,
  Preview,
  StandingDecision,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { selectProductsOfMatches } from '../inventory/scope-store.ts';
import { hasExpiredBy, type Snapshot } from '../sync/snapshot.ts';
import { selectOverrides } from './list-store.ts';
import { concernsSame, indexKeyOf, indexKeysOf, type Subject, subjectOf } from './match-subject.ts';
import { isDeterministicId, joinScope } from './override-rules.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

const NAMED_MAX = 20;
/** Overrides in force for an app; the console's policy control reads as many. */
const IN_FORCE_MAX = 200;

type Target = Pick<OverrideRecord, 'match' | 'scope_kind' | 'scope_id'>;

/**
 * Returns existing overrides for the subject of the targets, which share a scope. Expired overrides, overrides of the hub and
 * `replaces` are left out.
 */
export async function selectExistingOverrides(
  context: {
    db: Db;
    tenantId: string;
    snapshot: Snapshot;
    now: Date;
    replaces?: ReadonlySet<string>;
  },
  targets: readonly Target[],
): Promise<Pick<Preview, 'standing' | 'elsewhere'>> {
  const { db, tenantId, snapshot, now, replaces } = context;
  const known = await selectProductsOfMatches(
    db,
    tenantId,
    targets.map((target) => target.match),
  );
  const subjects = indexSubjects(targets.map((target) => subjectOf(target.match, known)));
  const [scope] = targets;
  const same: string[] = [];
  const others: string[] = [];
  // Highest revision last: the newest come first of what is named.
  for (const override of snapshot.overrides.toReversed()) {
    if (
      override.deleted ||
      replaces?.has(override.override_id) ||
      isDeterministicId(override.override_id)
    )
      continue;
    if (hasExpiredBy(override, now.getTime()) || !concernsSubject(subjects, override.match))
      continue;
    const isSame =
      override.scope_kind === scope?.scope_kind && override.scope_id === scope.scope_id;
    (isSame ? same : others).push(override.override_id);
  }
  const named = [...same.slice(0, NAMED_MAX), ...others.slice(0, NAMED_MAX)];
  const found = named.length === 0 ? [] : await selectOverridesByIds(db, tenantId, named);
  const answer = (ids: readonly string[]) => {
    const wanted = new Set(ids.slice(0, NAMED_MAX));
    const items = found
      .filter((override) => wanted.has(override.override_id))
      .map(existingOverrideRow);
    // Withdrawn since the snapshot: not named, and not counted.
    return { count: ids.length - (wanted.size - items.length), items };
  };
  return { standing: answer(same), elsewhere: answer(others) };
}

/** Returns the override that a new decision about an app changes; undefined if the decision is stored as a new override. */
export async function selectChangedOverride(
  db: Db,
  tenantId: string,
  decision: Pick<OverrideInput, 'match' | 'scope'>,
): Promise<OverrideRecord | undefined> {
  const { entity_id: entityId } = decision.match;
  if (entityId === undefined) return undefined;
  const filter = { entity_id: entityId, state: 'in_force' as const };
  const records = await selectOverrides(db, tenantId, filter, undefined, IN_FORCE_MAX);
  const policies = records.map(({ state, replaced_by: _replacedBy, ...record }) => ({
    ...record,
    state,
    scope: joinScope(record.scope_kind, record.scope_id),
  }));
  const existing = findExistingPolicy(policies, decision);
  if (existing === undefined) return undefined;
  const { state: _state, scope: _scope, ...record } = existing;
  return record;
}

/** A tenant may have a hundred thousand decisions, and a hundred things may be decided at once. */
function indexSubjects(subjects: readonly Subject[]): ReadonlyMap<string, readonly Subject[]> {
  const result = new Map<string, Subject[]>();
  for (const subject of subjects) {
    for (const word of indexKeysOf(subject)) {
      const there = result.get(word);
      if (there) there.push(subject);
      else result.set(word, [subject]);
    }
  }
  return result;
}

const concernsSubject = (subjects: ReadonlyMap<string, readonly Subject[]>, match: OverrideMatch) =>
  subjects.get(indexKeyOf(match))?.some((subject) => concernsSame(subject, match)) === true;

const existingOverrideRow = (override: OverrideRecord): StandingDecision => ({
  override_id: override.override_id,
  match: override.match,
  scope: joinScope(override.scope_kind, override.scope_id),
  approval_status: override.approval_status,
  execution_policy: override.execution_policy,
  reason: override.reason,
  expires_at: isoOrNull(override.expires_at),
  updated_by: override.updated_by,
  updated_at: override.updated_at.toISOString(),
});
