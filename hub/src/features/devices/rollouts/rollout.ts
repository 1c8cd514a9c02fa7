// Staged rollouts: what their next step is. Pure: the clock and what was seen are arguments.
import type { Rollout, RolloutInput } from '@gatewarden/shared/wire/console/rollouts.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

/** A rollout as it is stored. */
export interface StoredRollout
  extends Omit<Rollout, 'ring_started_at' | 'next_step_at' | 'started_at' | 'updated_at'> {
  ring_started_at: Date;
  /** Blocks and lost devices count from here: the start, or the last time that a person resumed it. */
  watched_since: Date;
  /** When the hub looked last, and since when it has looked without a gap. */
  checked_at: Date;
  reachable_since: Date;
  started_at: Date;
  updated_at: Date;
}

/** The hub's observations of the devices in the override's current scope. */
export interface RingObservation {
  blocks: number;
  /** Last seen when, of each device that was there shortly before it was watched, or since. */
  lastSeen: readonly Date[];
}

export type Step =
  | { do: 'wait' }
  | { do: 'advance'; ring: number; percent: number }
  | { do: 'finish' }
  | { do: 'stop'; reason: string };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than a device's longest pause between two tries, so that the hub's own absence makes nobody lost. */
const LOST_AFTER_MS = 20 * MINUTE_MS;
/** Milliseconds in which a healthy device polls. Only reports after it show that the ring did no harm. */
const FIRST_POLL_MS = 2 * MINUTE_MS;
/** Looks are a minute apart; a longer gap means that no hub was running. */
const GAP_MAX_MS = 5 * MINUTE_MS;

/** Evaluates the limits first, then the time and the reports of devices. Advances a single ring at a time, after any pause. */
export function nextStep(rollout: StoredRollout, seen: RingObservation, now: Date): Step {
  const reason = exceededLimit(rollout, seen, now);
  if (reason !== null) return { do: 'stop', reason };
  const ring = rollout.rings[rollout.ring];
  if (ring === undefined) return { do: 'finish' };
  if (now.getTime() < ringEnd(rollout) || isAwaitingDevices(rollout, seen)) return { do: 'wait' };
  const next = rollout.rings[rollout.ring + 1];
  if (next === undefined) return { do: 'finish' };
  return { do: 'advance', ring: rollout.ring + 1, percent: next.percent };
}

function exceededLimit(rollout: StoredRollout, seen: RingObservation, now: Date): string | null {
  const { max_blocks_per_hour: maxBlocks, max_lost_devices_percent: maxLost } = rollout.limits;
  if (maxBlocks !== undefined && seen.blocks > maxBlocks) {
    const blocks = seen.blocks === 1 ? '1 block' : `${seen.blocks} blocks`;
    return `${blocks} in the last hour (limit: ${maxBlocks})`;
  }
  if (maxLost === undefined || seen.lastSeen.length === 0) return null;
  const since = reachableSince(rollout, now);
  if (now.getTime() - since.getTime() < LOST_AFTER_MS) return null;
  const lost = countSilentSince(seen, now.getTime() - LOST_AFTER_MS);
  if (!exceedsPercent(lost, seen, maxLost)) return null;
  return `${lost} of ${seen.lastSeen.length} devices went offline (limit: ${maxLost}%)`;
}

/**
 * Too many devices have not reported since the ring could have reached them: its effect on them is unknown. They are, or
 * in the end they are lost. So a ring that is shorter than what makes a device lost does not void the limit.
 */
function isAwaitingDevices(rollout: StoredRollout, seen: RingObservation): boolean {
  const { max_lost_devices_percent: maxLost } = rollout.limits;
  if (maxLost === undefined) return false;
  return exceedsPercent(
    countSilentSince(seen, rollout.ring_started_at.getTime() + FIRST_POLL_MS),
    seen,
    maxLost,
  );
}

const countSilentSince = ({ lastSeen }: RingObservation, timeMs: number): number =>
  lastSeen.filter((at) => at.getTime() < timeMs).length;

const exceedsPercent = (devices: number, { lastSeen }: RingObservation, percent: number): boolean =>
  devices * 100 > percent * lastSeen.length;

/** Since when devices could reach a hub without a gap, as of this look. */
export function reachableSince(
  rollout: Pick<StoredRollout, 'checked_at' | 'reachable_since'>,
  now: Date,
): Date {
  return now.getTime() - rollout.checked_at.getTime() > GAP_MAX_MS ? now : rollout.reachable_since;
}

/** From when blocks count: the last hour, but not what was before a person let it go on. */
export function blocksSince(rollout: Pick<StoredRollout, 'watched_since'>, now: Date): Date {
  return new Date(Math.max(now.getTime() - HOUR_MS, rollout.watched_since.getTime()));
}

/** Devices last seen before this were not there when the watching began: they cannot have been lost by it. */
export function observedSince(rollout: Pick<StoredRollout, 'watched_since'>): Date {
  return new Date(rollout.watched_since.getTime() - HOUR_MS);
}

function ringEnd(rollout: Pick<StoredRollout, 'rings' | 'ring' | 'ring_started_at'>): number {
  const minutes = rollout.rings[rollout.ring]?.minutes ?? 0;
  return rollout.ring_started_at.getTime() + minutes * MINUTE_MS;
}

/** A new rollout in its first ring. Throws 400 with a pointer, below `at`. */
export function newRollout(
  input: RolloutInput,
  by: { email: string; now: Date },
  at = '',
): StoredRollout {
  input.rings.forEach((ring, i) => {
    if (ring.percent <= (input.rings[i - 1]?.percent ?? 0)) {
      throw new HubError(
        'invalid_request',
        `${at}/rings/${i}/percent must be greater than in the previous ring`,
      );
    }
  });
  return {
    state: 'running',
    rings: input.rings,
    limits: input.limits ?? {},
    ring: 0,
    ring_started_at: by.now,
    watched_since: by.now,
    checked_at: by.now,
    reachable_since: by.now,
    stopped_reason: null,
    started_at: by.now,
    started_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
  };
}

/** The actions of a person on an existing rollout. */
export type RolloutAction = 'pause' | 'resume' | 'revert';

const ACTS: Record<RolloutAction, readonly Rollout['state'][]> = {
  pause: ['running'],
  resume: ['paused', 'stopped'],
  revert: ['running', 'paused', 'stopped', 'done'],
};

/** Advances; another rollout can block it until that one is reverted or complete. */
export function isUnderway(rollout: Pick<StoredRollout, 'state'> | null): boolean {
  return rollout !== null && ['running', 'paused', 'stopped'].includes(rollout.state);
}

/** Applies an action. Throws `rollout_conflict` if the state does not allow it. */
export function applyAction(
  rollout: StoredRollout | null,
  act: RolloutAction,
  by: { email: string; now: Date },
): StoredRollout {
  if (rollout === null) throw new HubError('rollout_conflict', 'This policy has no rollout.');
  if (!ACTS[act].includes(rollout.state)) {
    throw new HubError('rollout_conflict', `The rollout is ${rollout.state}.`);
  }
  const after = { ...rollout, updated_at: by.now, updated_by: by.email };
  if (act === 'pause') return { ...after, state: 'paused' };
  if (act === 'revert') return { ...after, state: 'reverted' };
  return {
    ...after,
    state: 'running',
    stopped_reason: null,
    ring_started_at: by.now,
    watched_since: by.now,
    checked_at: by.now,
    reachable_since: by.now,
  };
}

/** Returns the rollout as text. */
export function rolloutRow(rollout: StoredRollout): Rollout {
  const { watched_since: _watched, checked_at: _at, reachable_since: _since, ...row } = rollout;
  return {
    ...row,
    ring_started_at: row.ring_started_at.toISOString(),
    next_step_at: row.state === 'running' ? new Date(ringEnd(rollout)).toISOString() : null,
    started_at: row.started_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
