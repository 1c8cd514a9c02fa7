// The request body of a rollout, and incomplete input.
import { expect, test } from 'vitest';
import { rolloutInput, USUAL_ROLLOUT } from './rollout-values.ts';

const ring = (percent: number | string, minutes: number | string) => ({ key: 1, percent, minutes });

test('offers a rollout as default', () => {
  expect(rolloutInput(USUAL_ROLLOUT)).toEqual({
    rings: [
      { percent: 5, minutes: 60 },
      { percent: 25, minutes: 240 },
      { percent: 100, minutes: 60 },
    ],
    limits: { max_blocks_per_hour: 50, max_lost_devices_percent: 10 },
  });
});

test('treats an empty limit as no limit', () => {
  expect(rolloutInput({ ...USUAL_ROLLOUT, maxBlocks: '', maxLost: 0 })?.limits).toEqual({
    max_lost_devices_percent: 0,
  });
});

test.each([
  ['no rings', []],
  ['rings that do not grow', [ring(10, 5), ring(10, 5)]],
  ['more than everybody', [ring(101, 5)]],
  ['nobody', [ring(0, 5)]],
  ['no time', [ring(10, 0)]],
  ['an empty field', [ring('', 5)]],
  ['half a percent', [ring(0.5, 5)]],
])('%s are no rollout', (_what, rings) => {
  expect(rolloutInput({ ...USUAL_ROLLOUT, rings })).toBeNull();
});
