// Existing overrides of users for the subject of a new override: in the same scope, and in others.

import type { Preview, StandingDecision } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { selectProductsOfMatches } from '../inventory/scope-store.ts';
import { hasExpiredBy, type Snapshot } from '../sync/snapshot.ts';
import { concernsSame, indexKeyOf, indexKeysOf, type Subject, subjectOf } from './match-subject.ts';
import { isDeterministicId, joinScope } from './override-rules.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

const NAMED_MAX = 20;

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
