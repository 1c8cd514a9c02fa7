// The detector separates scans of a single machine, restored and reordered in any way, from scans of two machines.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { observeScanSequence, type ScanSequence } from './scan-sequence.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

interface Begun {
  seq: number;
  /** Minutes of the machine's clock. */
  at: number;
}

/** True where these, in the order of arrival, are noticed to be of two machines. */
function areTwo(scans: readonly Begun[], arrivesAt = (_index: number) => NOW): boolean {
  let series: ScanSequence = { highest: null, lowerSequence: null };
  let highest = -1;
  return scans.some(({ seq, at }, i) => {
    const isHighest = seq > highest;
    highest = Math.max(highest, seq);
    const startedAt = new Date(at * 60_000);
    const { isTwo, ...next } = observeScanSequence(
      series,
      { seq, startedAt, isHighest },
      arrivesAt(i),
    );
    series = next;
    return isTwo;
  });
}

/** The numbers as they come, each begun after the one before. */
const inTurn = (...numbers: number[]): Begun[] => numbers.map((seq, at) => ({ seq, at }));

describe('single machine', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 8 });
  /** Counts up from 100, is put back to any number, and counts up from there; some are never heard of. */
  const putBackOnce = fc
    .record({ before: steps, to: fc.integer({ min: 80, max: 130 }), after: steps })
    .map(({ before, to, after }) => {
      const counted = (from: number, by: number[]) =>
        by.map((_, i) => by.slice(0, i + 1).reduce((sum, step) => sum + step, from));
      return inTurn(...counted(100, before), ...counted(to, after));
    });

  it('reports no second machine after a restore, in any order of scans', () => {
    const shuffled = putBackOnce.chain((scans) =>
      fc.shuffledSubarray(scans, { minLength: scans.length }),
    );
    fc.assert(
      fc.property(shuffled, (scans) => !areTwo(scans)),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('reports no second machine after a restore, with any clock', () => {
    const clocks = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(
        putBackOnce,
        clocks,
        (scans, clock) => !areTwo(scans.map(({ seq }, i) => ({ seq, at: clock[i] ?? 0 }))),
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('reports no second machine after repeated restores to the same state', () => {
    const runs = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(runs, (lengths) => {
        const numbers = lengths.flatMap((length) => Array.from({ length }, (_, i) => 100 + i));
        return !areTwo(inTurn(...numbers));
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('cannot distinguish a second restore beyond the first state from two machines', () => {
    expect(areTwo(inTurn(3, 1, 2, 3, 4, 3))).toBe(false);
    expect(areTwo(inTurn(3, 1, 2, 3, 4, 5, 5))).toBe(true);
  });
});

describe('two machines', () => {
  it('detects two alternating machines at the third scan of each, at any numbers', () => {
    const start = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(start, start, (a, b) => areTwo(inTurn(a, b, a + 1, b + 1, a + 2, b + 2))),
    );
  });

  it('detects two machines with unequal numbers of scans', () => {
    expect(areTwo(inTurn(10, 10, 11, 12, 13, 11))).toBe(true);
    expect(areTwo(inTurn(50, 1, 2, 3, 51, 4))).toBe(true);
  });

  it('ignores a second machine that stays silent for two days', () => {
    const times = (gapMs: number) => (i: number) => new Date(NOW.getTime() + (i < 3 ? 0 : gapMs));
    const scans = inTurn(50, 1, 51, 2);
    expect(areTwo(scans, times(47 * HOUR_MS))).toBe(true);
    expect(areTwo(scans, times(49 * HOUR_MS))).toBe(false);
  });

  it('detects three machines', () => {
    expect(areTwo(inTurn(100, 100, 100, 101, 101))).toBe(true);
  });
});
