// What people decided already about what somebody is about to decide about: for the same scope, and for others.

import type { Preview, StandingDecision } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { selectMeantProducts } from '../inventory/scope-store.ts';
import { endedBy, type Snapshot } from '../sync/snapshot.ts';
import { isAboutSame, type Subject, subjectOf, wordOf, wordsOf } from './match-subject.ts';
import { isRuled, joinScope } from './override-rules.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

const NAMED_MAX = 20;

type Target = Pick<OverrideRecord, 'match' | 'scope_kind' | 'scope_id'>;

/**
 * As of the snapshot, without what has ended; `replaces` is left out. The targets have one scope. Those of the hub
 * itself are no person's.
 */
export async function otherDecisions(
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
  const known = await selectMeantProducts(
    db,
    tenantId,
    targets.map((one) => one.match),
  );
  const subjects = byWord(targets.map((one) => subjectOf(one.match, known)));
  const [scope] = targets;
  const same: string[] = [];
  const others: string[] = [];
  // Highest revision last: the newest come first of what is named.
  for (const one of snapshot.overrides.toReversed()) {
    if (one.deleted || replaces?.has(one.override_id) || isRuled(one.override_id)) continue;
    if (endedBy(one, now.getTime()) || !isMeant(subjects, one.match)) continue;
    const isSame = one.scope_kind === scope?.scope_kind && one.scope_id === scope.scope_id;
    (isSame ? same : others).push(one.override_id);
  }
  const named = [...same.slice(0, NAMED_MAX), ...others.slice(0, NAMED_MAX)];
  const found = named.length === 0 ? [] : await selectOverridesByIds(db, tenantId, named);
  const answer = (ids: readonly string[]) => {
    const wanted = new Set(ids.slice(0, NAMED_MAX));
    const items = found.filter((one) => wanted.has(one.override_id)).map(standingRow);
    // Withdrawn since the snapshot: not named, and not counted.
    return { count: ids.length - (wanted.size - items.length), items };
  };
  return { standing: answer(same), elsewhere: answer(others) };
}

/** A tenant may have a hundred thousand decisions, and a hundred things may be decided at once. */
function byWord(subjects: readonly Subject[]): ReadonlyMap<string, readonly Subject[]> {
  const found = new Map<string, Subject[]>();
  for (const subject of subjects) {
    for (const word of wordsOf(subject)) {
      const there = found.get(word);
      if (there) there.push(subject);
      else found.set(word, [subject]);
    }
  }
  return found;
}

const isMeant = (subjects: ReadonlyMap<string, readonly Subject[]>, match: OverrideMatch) =>
  subjects.get(wordOf(match))?.some((subject) => isAboutSame(subject, match)) === true;

const standingRow = (one: OverrideRecord): StandingDecision => ({
  override_id: one.override_id,
  match: one.match,
  scope: joinScope(one.scope_kind, one.scope_id),
  approval_status: one.approval_status,
  execution_policy: one.execution_policy,
  reason: one.reason,
  expires_at: isoOrNull(one.expires_at),
  updated_by: one.updated_by,
  updated_at: one.updated_at.toISOString(),
});
