// What people decided already about what somebody is about to decide about: the same match for the same scope.
import { isDeepStrictEqual } from 'node:util';
import type { Preview, StandingDecision } from '@gatewarden/shared/wire/console/overrides.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/console.ts';
import type { Snapshot } from './snapshot.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

const NAMED_MAX = 20;

type Target = Pick<OverrideRecord, 'match' | 'scope_kind' | 'scope_id'>;

/** As of the snapshot, without what has ended; `replaces` is left out. Those of the hub itself are no person's. */
export async function standingDecisions(
  context: { db: Db; tenantId: string; snapshot: Snapshot; now: Date; replaces?: string },
  targets: readonly Target[],
): Promise<Preview['standing']> {
  const { db, tenantId, snapshot, now, replaces } = context;
  const wanted = Map.groupBy(targets, roughKeyOf);
  const ids = snapshot.overrides
    .filter((one) => wanted.get(roughKeyOf(one))?.some((target) => isSame(target, one)))
    .filter((one) => one.override_id !== replaces)
    .filter((one) => one.expires_at === null || Date.parse(one.expires_at) > now.getTime())
    .map((one) => one.override_id);
  if (ids.length === 0) return { count: 0, items: [] };
  const found = await selectOverridesByIds(db, tenantId, ids);
  const people = found.filter((one) => one.default_kind === null && !one.drift_hold);
  return { count: people.length, items: people.slice(0, NAMED_MAX).map(standingRow) };
}

/** What is quickly compared: a tenant may have a hundred thousand decisions. */
const roughKeyOf = ({ match, scope_id: scope }: Target): string =>
  `${scope} ${match.entity_id ?? match.name ?? match.executable_sha256}`;

const isSame = (a: Target, b: Target): boolean =>
  a.scope_kind === b.scope_kind && isDeepStrictEqual(a.match, b.match);

const standingRow = (one: OverrideRecord): StandingDecision => ({
  override_id: one.override_id,
  match: one.match,
  approval_status: one.approval_status,
  execution_policy: one.execution_policy,
  reason: one.reason,
  expires_at: isoOrNull(one.expires_at),
  updated_by: one.updated_by,
  updated_at: one.updated_at.toISOString(),
});
