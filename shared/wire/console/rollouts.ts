// C/overrides/{override_id}/rollout: an override that reaches its devices ring by ring, and stops by itself.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

const strict = { additionalProperties: false };

export const ROLLOUT_STATES = ['running', 'paused', 'stopped', 'done', 'reverted'] as const;

/** So many percent of the devices, for so long, before the next ring. */
export const RolloutRing = Type.Object(
  {
    percent: Type.Integer({ minimum: 1, maximum: 100 }),
    minutes: Type.Integer({ minimum: 1, maximum: 43_200 }),
  },
  strict,
);

/** What stops it: more than this. What is left out is not watched. */
export const RolloutLimits = Type.Object(
  {
    /** What this override ended or kept from starting in the last hour, and what an open breaker kept it from ending. */
    max_blocks_per_hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /**
     * Of the ring's devices that were there when it began, those that were not heard of for 20 minutes. A ring lasts at
     * least until no more than these have not been heard of two minutes after it began, or later.
     */
    max_lost_devices_percent: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  strict,
);

export const RolloutInput = Type.Object(
  {
    /** With growing percentages. */
    rings: Type.Array(RolloutRing, { minItems: 1, maxItems: 10 }),
    limits: Type.Optional(RolloutLimits),
  },
  strict,
);
export type RolloutInput = Static<typeof RolloutInput>;

export const Rollout = Type.Object({
  state: OneOf(ROLLOUT_STATES),
  rings: Type.Array(RolloutRing),
  limits: RolloutLimits,
  /** The ring that it stands in, from 0. */
  ring: Type.Integer(),
  ring_started_at: Type.String(),
  /** When the ring ends; null where it does not run. */
  next_step_at: Nullable(Type.String()),
  /** Why it stopped by itself. */
  stopped_reason: Nullable(Type.String()),
  started_at: Type.String(),
  started_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type Rollout = Static<typeof Rollout>;
