// Staged rollouts advance by the clock, stop by themselves, and obey commands by state.
import type { RolloutInput } from '@gatewarden/shared/wire/console/rollouts.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rolloutAdmits } from '../sync/snapshot.ts';
import {
  applyAction,
  blocksSince,
  newRollout,
  nextStep,
  observedSince,
  type RingObservation,
  reachableSince,
  rolloutRow,
  type StoredRollout,
} from './rollout.ts';

const START = new Date('2026-11-21T10:00:00Z');
const minutes = (count: number) => new Date(START.getTime() + count * 60_000);
const RINGS = [
  { percent: 5, minutes: 60 },
  { percent: 50, minutes: 120 },
  { percent: 100, minutes: 30 },
];
const BY = { email: 'ada@example.com', now: START };
const NOTHING: RingObservation = { blocks: 0, lastSeen: [] };
const started = (over: Partial<RolloutInput> = {}) => newRollout({ rings: RINGS, ...over }, BY);

/** As the job leaves it that looked until then. */
const watchedUntil = (rollout: StoredRollout, at: Date): StoredRollout => ({
  ...rollout,
  checked_at: at,
});

describe('rollout clock', () => {
  test('advances a ring when its time is over, and ends after the last', () => {
    const first = started();
    expect(nextStep(first, NOTHING, minutes(59.9))).toEqual({ do: 'wait' });
    expect(nextStep(first, NOTHING, minutes(60))).toEqual({ do: 'advance', ring: 1, percent: 50 });
    // However long nobody looked.
    expect(nextStep(first, NOTHING, minutes(6_000))).toMatchObject({ ring: 1 });
    const last = { ...first, ring: 2, ring_started_at: minutes(180) };
    expect(nextStep(last, NOTHING, minutes(209))).toEqual({ do: 'wait' });
    expect(nextStep(last, NOTHING, minutes(210))).toEqual({ do: 'finish' });
  });

  test('runs any rings to the end, each once and in order', () => {
    const ring = fc.record({
      step: fc.integer({ min: 1, max: 10 }),
      minutes: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 10 }), (steps) => {
        const rings = steps.map((item, i) => ({
          percent: steps.slice(0, i + 1).reduce((sum, { step }) => sum + step, 0),
          minutes: item.minutes,
        }));
        let rollout = newRollout({ rings }, BY);
        const seen = [rings[0]?.percent];
        for (let minute = 0; rollout.state === 'running'; minute++) {
          expect(minute).toBeLessThan(1_000);
          const step = nextStep(rollout, NOTHING, minutes(minute));
          if (step.do === 'finish') rollout = { ...rollout, state: 'done' };
          if (step.do !== 'advance') continue;
          seen.push(step.percent);
          rollout = { ...rollout, ring: step.ring, ring_started_at: minutes(minute) };
        }
        expect(seen).toEqual(rings.map((item) => item.percent));
      }),
    );
  });
});

describe('too many blocks', () => {
  const limited = started({ limits: { max_blocks_per_hour: 3 } });

  test('stops a rollout at too many blocks before it advances', () => {
    expect(nextStep(limited, { ...NOTHING, blocks: 3 }, minutes(60))).toMatchObject({
      do: 'advance',
    });
    expect(nextStep(limited, { ...NOTHING, blocks: 4 }, minutes(60))).toEqual({
      do: 'stop',
      reason: '4 blocks in the last hour (limit: 3)',
    });
  });

  test('counts blocks within the last hour since the last resume', () => {
    expect(blocksSince(limited, minutes(10))).toEqual(START);
    expect(blocksSince(limited, minutes(90))).toEqual(minutes(30));
  });
});

describe('lost devices', () => {
  const limited = started({ limits: { max_lost_devices_percent: 10 } });
  const seen = (lost: number, there: number, now: number): RingObservation => ({
    blocks: 0,
    lastSeen: [
      ...Array.from({ length: lost }, () => minutes(now - 21)),
      ...Array.from({ length: there }, () => minutes(now - 1)),
    ],
  });

  test('stops a rollout with more lost devices than its limit', () => {
    const at = watchedUntil(limited, minutes(39));
    expect(nextStep(at, seen(1, 9, 40), minutes(40))).toEqual({ do: 'wait' });
    expect(nextStep(at, seen(2, 8, 40), minutes(40))).toEqual({
      do: 'stop',
      reason: '2 of 10 devices went offline (limit: 10%)',
    });
  });

  test('counts no lost device before it would have polled again', () => {
    expect(nextStep(watchedUntil(limited, minutes(18)), seen(9, 1, 19), minutes(19))).toEqual({
      do: 'wait',
    });
  });

  test("counts no lost device right after the hub's own restart", () => {
    const before = watchedUntil(limited, minutes(10));
    expect(reachableSince(before, minutes(12))).toEqual(START);
    expect(reachableSince(before, minutes(50))).toEqual(minutes(50));
    expect(nextStep(before, seen(10, 0, 50), minutes(50))).toEqual({ do: 'wait' });
    const back = { ...before, checked_at: minutes(59), reachable_since: minutes(50) };
    expect(nextStep(back, seen(10, 0, 59.5), minutes(59.5))).toEqual({ do: 'wait' });
    const later = { ...back, checked_at: minutes(70), ring_started_at: minutes(50) };
    expect(nextStep(later, seen(10, 0, 71), minutes(71))).toMatchObject({ do: 'stop' });
  });

  test('counts only devices as lost that existed at the start', () => {
    expect(observedSince(limited)).toEqual(minutes(-60));
    expect(nextStep(watchedUntil(limited, minutes(40)), NOTHING, minutes(40))).toEqual({
      do: 'wait',
    });
  });
});

describe('ring shorter than the lost-device timeout', () => {
  const short = started({
    rings: [
      { percent: 50, minutes: 1 },
      { percent: 100, minutes: 1 },
    ],
    limits: { max_lost_devices_percent: 25 },
  });
  const heard = (count: number, at: number): RingObservation => ({
    blocks: 0,
    lastSeen: Array.from({ length: 4 }, (_, i) => minutes(i < count ? at : -1)),
  });

  test('extends a short ring until its devices polled or too many are lost', () => {
    for (const minute of [3, 5, 18]) {
      const at = watchedUntil(short, minutes(minute - 1));
      expect(nextStep(at, heard(2, 2.5), minutes(minute))).toEqual({ do: 'wait' });
      // The poll that delivers the ring does not show its effect yet.
      expect(nextStep(at, heard(4, 1.5), minutes(minute))).toEqual({ do: 'wait' });
    }
    expect(nextStep(short, heard(3, 2.5), minutes(3))).toMatchObject({ do: 'advance', ring: 1 });
    const late = watchedUntil(short, minutes(19));
    expect(nextStep(late, heard(2, 19), minutes(20))).toMatchObject({ do: 'stop' });
  });

  test('ends a short ring by the clock where lost devices are not watched', () => {
    const unwatched = { ...short, limits: { max_blocks_per_hour: 1 } };
    expect(nextStep(unwatched, heard(0, 0), minutes(1))).toMatchObject({ do: 'advance' });
  });

  test('ends the last ring by the clock', () => {
    const last = { ...short, ring: 1, ring_started_at: minutes(1) };
    expect(nextStep(last, heard(4, 2.5), minutes(4))).toEqual({ do: 'wait' });
    expect(nextStep(last, heard(3, 3.5), minutes(4))).toEqual({ do: 'finish' });
  });
});

test('rejects rings that do not grow', () => {
  const rings = [
    { percent: 10, minutes: 1 },
    { percent: 10, minutes: 1 },
  ];
  expect(() => started({ rings })).toThrow(/^\/rings\/1\/percent/);
});

describe('command to a rollout', () => {
  const by = { email: 'bob@example.com', now: minutes(30) };
  const inState = (state: StoredRollout['state']) => ({ ...started(), state });

  test.each([
    ['pause', ['running']],
    ['resume', ['paused', 'stopped']],
    ['revert', ['running', 'paused', 'stopped', 'done']],
  ] as const)('allows %s for a rollout that is %s', (act, allowed) => {
    for (const state of ['running', 'paused', 'stopped', 'done', 'reverted'] as const) {
      const attempt = () => applyAction(inState(state), act, by);
      if (allowed.some((row) => row === state)) expect(attempt().updated_by).toBe(by.email);
      else expect(attempt).toThrow(`The rollout is ${state}.`);
    }
    expect(() => applyAction(null, act, by)).toThrow('no rollout');
  });

  test('restarts the ring on resume, and clears the stop reason', () => {
    const stopped = { ...inState('stopped'), ring: 1, stopped_reason: 'too many' };
    const after = applyAction(stopped, 'resume', by);
    expect(after).toMatchObject({
      state: 'running',
      ring: 1,
      stopped_reason: null,
      ring_started_at: by.now,
      watched_since: by.now,
    });
    expect(blocksSince(after, minutes(40))).toEqual(by.now);
  });

  test("shows the next step's time while the rollout runs", () => {
    expect(rolloutRow(started())).toMatchObject({
      next_step_at: minutes(60).toISOString(),
      ring: 0,
    });
    expect(rolloutRow(inState('paused')).next_step_at).toBeNull();
    expect(rolloutRow(started())).not.toHaveProperty('watched_since');
  });
});

test('keeps admitted devices while the percentage grows', () => {
  const percent = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), percent, percent, (override, laptop, a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(rolloutAdmits(override, laptop, low)).toBe(rolloutAdmits(override, laptop, low));
      if (rolloutAdmits(override, laptop, low)) {
        expect(rolloutAdmits(override, laptop, high)).toBe(true);
      }
      expect(rolloutAdmits(override, laptop, 0)).toBe(false);
      expect(rolloutAdmits(override, laptop, 100)).toBe(true);
    }),
  );
});

test('admits about half of the devices at 50 percent', () => {
  const admitted = Array.from({ length: 2_000 }, (_, i) => rolloutAdmits('a', `device-${i}`, 50));
  const share = admitted.filter(Boolean).length / admitted.length;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
});
