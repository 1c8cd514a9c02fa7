// A pause lasts at most as long as the company allows within 24 hours, however it is requested.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginPause,
  endPause,
  isPaused,
  type PauseRecord,
  pauseState,
  readMinutes,
} from './pause-rules.ts';

const MINUTE = 60_000;
const DAY = 1440;
const at = (minutes: number) => Date.UTC(2026, 5, 1) + minutes * MINUTE;

test('rejects a pause where none is allowed', () => {
  expect(pauseState(null, 0, at(0))).toEqual({ allowed_minutes: 0, left_minutes: 0, until: null });
  expect(() => beginPause(null, 0, 1, at(0))).toThrow('a pause is not allowed on this device');
});

test('keeps unused minutes until the 24 hours are over', () => {
  const first = beginPause(null, 30, 20, at(0));
  expect(pauseState(first, 30, at(5)).until).toBe(new Date(at(20)).toISOString());
  const ended = endPause(first, at(5));
  expect(pauseState(ended, 30, at(6))).toMatchObject({ left_minutes: 25, until: null });
  const second = beginPause(ended, 30, 25, at(10));
  expect(() => beginPause(second, 30, 1, at(35))).toThrow('0 minutes of pause are left');
  expect(pauseState(second, 30, at(DAY))).toMatchObject({ left_minutes: 30, until: null });
});

test('ends a running pause when the setting is lowered', () => {
  const paused = beginPause(null, 60, 60, at(0));
  expect(pauseState(paused, 10, at(9)).until).toBe(new Date(at(10)).toISOString());
  expect(pauseState(paused, 10, at(11)).until).toBe(null);
  expect(pauseState(paused, 0, at(0)).until).toBe(null);
});

test('never exceeds the allowance within 24 hours, for any requests and ends', () => {
  const step = fc.record({
    waits: fc.integer({ min: 0, max: 400 }),
    asks: fc.option(fc.integer({ min: 1, max: 120 })),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.array(step, { maxLength: 30 }),
      (allowed, steps) => {
        let record: PauseRecord | null = null;
        let now = 0;
        const minutes: number[] = [];
        for (const { waits, asks } of steps) {
          for (const end = now + waits; now < end; now++) {
            if (isPaused(record, allowed, at(now))) minutes.push(now);
          }
          if (asks === null) record = record === null ? null : endPause(record, at(now));
          else {
            try {
              record = beginPause(record, allowed, asks, at(now));
            } catch {
              // Refused: nothing changes.
            }
          }
        }
        // The 24 hours begin with the first pause in them, so two sets of them may meet.
        for (const from of minutes) {
          expect(
            minutes.filter((minute) => minute >= from && minute < from + DAY).length,
          ).toBeLessThanOrEqual(2 * allowed);
        }
      },
    ),
  );
});

test('rejects an invalid number of minutes in a single line', () => {
  expect(readMinutes('{"minutes":5}')).toBe(5);
  for (const text of ['', 'null', '[]', '{"minutes":0}', '{"minutes":1.5}', '{"minutes":"5"}']) {
    expect(() => readMinutes(text)).toThrow(/^(this is no request|minutes must be)/);
  }
});
