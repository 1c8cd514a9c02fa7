// Values of the rollout fields and the request body made from them. Pure.
import type { RolloutInput } from '@gatewarden/shared/wire/console/rollouts.ts';

/** Numbers as their fields contain them; empty while nothing is typed. */
export interface RingValues {
  /** The key of the line for React. */
  key: number;
  percent: number | string;
  minutes: number | string;
}

export interface RolloutValues {
  rings: RingValues[];
  maxBlocks: number | string;
  maxLost: number | string;
}

export const USUAL_ROLLOUT: RolloutValues = {
  rings: [
    { key: 1, percent: 5, minutes: 60 },
    { key: 2, percent: 25, minutes: 240 },
    { key: 3, percent: 100, minutes: 60 },
  ],
  maxBlocks: 50,
  maxLost: 10,
};

/** Returns the body of a new rollout; null unless all fields are numbers and each ring is larger than the previous ring. */
export function rolloutInput(values: RolloutValues): RolloutInput | null {
  const rings = values.rings.map((ring) => ({
    percent: wholeNumber(ring.percent),
    minutes: wholeNumber(ring.minutes),
  }));
  let before = 0;
  const checked: RolloutInput['rings'] = [];
  for (const { percent, minutes } of rings) {
    if (percent === null || minutes === null) return null;
    if (percent <= before || percent > 100 || minutes < 1) return null;
    before = percent;
    checked.push({ percent, minutes });
  }
  if (checked.length === 0) return null;
  const blocks = wholeNumber(values.maxBlocks);
  const lost = wholeNumber(values.maxLost);
  return {
    rings: checked,
    limits: {
      ...(blocks === null ? {} : { max_blocks_per_hour: blocks }),
      ...(lost === null ? {} : { max_lost_devices_percent: lost }),
    },
  };
}

function wholeNumber(value: number | string): number | null {
  if (value === '') return null;
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : null;
}
