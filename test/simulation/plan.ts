// Events of a run besides the loops' own work, drawn from the seed: people, machines, faults.
import type { StoredOverride } from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import {
  APPROVAL_STATUSES,
  ENFORCEMENT_CEILINGS,
  EXECUTION_POLICIES,
  SEVERITIES,
} from '@gatewarden/shared/wire/vocabulary.ts';
import type { WEATHERS } from './network.ts';
import { MATCHES } from './programs.ts';
import { DEVICE_ID, type Records } from './records.ts';
import { SeededRandom } from './simulated-environment.ts';

const STEPS = {
  administer: 10,
  setCeiling: 1,
  forget: 0.7,
  raise: 4,
  install: 3,
  launch: 5,
  weather: 3,
  crash: 1.5,
  crashSoon: 3,
  reboot: 0.7,
  damage: 0.4,
  fillDisk: 0.6,
  turnClock: 1,
  move: 0.4,
  restartHub: 1,
  deafenHub: 1,
};
export type StepName = keyof typeof STEPS;

export interface Step {
  at: number;
  name: StepName;
  /** The step's own throws: leaving out another step changes nothing about it. */
  seed: number;
}

const SPAN_MS = 40 * 60_000;

/** The steps of a seed, in order of time. */
export function planOf(seed: number): Step[] {
  const dice = new SeededRandom(seed);
  const count = dice.between(12, 26);
  return Array.from({ length: count }, (_, i) => ({
    at: dice.below(SPAN_MS),
    name: dice.weighted<StepName>(STEPS),
    seed: seed * 1009 + i,
  })).sort((a, b) => a.at - b.at);
}

export const weatherOf = (dice: SeededRandom) =>
  dice.weighted<keyof typeof WEATHERS>({
    fair: 3,
    lossy: 4,
    forgetful: 2,
    overloaded: 1,
    dead: 1,
  });

export const severityOf = (dice: SeededRandom) => dice.of(SEVERITIES);

const OVERRIDES = 5;
const GROUPS = ['018f0000-0000-7000-8000-0000000000a1', '018f0000-0000-7000-8000-0000000000a2'];
const overrideId = (number: number) => `018f0000-0000-7000-8000-0000000000${40 + number}`;

/** An administrator's write, or a few at once. */
export function administer(records: Records, dice: SeededRandom, nowMs: number): void {
  const { tenant } = records;
  for (let writes = dice.between(1, 3); writes > 0; writes--) {
    const act = dice.weighted({ put: 7, remove: 2, join: 2, leave: 1.5, disband: 0.3 });
    const group = dice.of(GROUPS);
    if (act === 'join') tenant.join(group, DEVICE_ID);
    else if (act === 'leave') tenant.leave(group, DEVICE_ID);
    else if (act === 'disband') tenant.disband(group);
    else put(records, dice, nowMs, act === 'remove');
    records.remember();
  }
}

function put(records: Records, dice: SeededRandom, nowMs: number, deleted: boolean): void {
  const { tenant } = records;
  const id = overrideId(dice.below(OVERRIDES));
  const old = tenant.overrides.find((override) => override.override_id === id);
  if (deleted && (old === undefined || old.deleted)) return;
  const soon = () => new Date(nowMs + dice.between(1, 40) * 60_000).toISOString();
  const endsAt = dice.isHit(0.35) ? soon() : null;
  const override: StoredOverride = {
    override_id: id,
    revision: ++tenant.n,
    deleted,
    match: dice.of(MATCHES),
    approval_status: dice.of(APPROVAL_STATUSES),
    // Occasionally a policy that only newer agents know.
    execution_policy: dice.isHit(0.1) ? ('contain' as 'block') : dice.of(EXECUTION_POLICIES),
    severity: dice.of(SEVERITIES),
    reason: null,
    effective_at: endsAt === null && dice.isHit(0.2) ? soon() : null,
    expires_at: endsAt,
    ...scopeOf(dice),
    rollout_percent: dice.of([0, 50, 100, 100, 100]),
  };
  tenant.store(
    deleted && old !== undefined ? { ...old, revision: override.revision, deleted } : override,
  );
}

function scopeOf(dice: SeededRandom): Pick<StoredOverride, 'scope_kind' | 'scope_id'> {
  const scope_kind = dice.of(['tenant', 'group', 'group', 'subscriber', 'device'] as const);
  const ids = {
    tenant: () => '',
    group: () => dice.of(GROUPS),
    subscriber: () => dice.of(['alice', 'bob']),
    device: () => DEVICE_ID,
  };
  return { scope_kind, scope_id: ids[scope_kind]() };
}

export function setCeiling(records: Records, dice: SeededRandom): void {
  const { tenant } = records;
  const ceiling = dice.of(ENFORCEMENT_CEILINGS);
  if (ceiling === tenant.ceiling) return;
  tenant.n++;
  tenant.ceiling = ceiling;
  records.remember();
}
