// C/overrides/{override_id}/rollout: a staged rollout that reaches its devices ring by ring and stops at its limits.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

const strict = { additionalProperties: false };

export const ROLLOUT_STATES = ['running', 'paused', 'stopped', 'done', 'reverted'] as const;

/** A ring: the percentage of the devices, and the time before the next ring. */
export const RolloutRing = Type.Object(
  {
    percent: Type.Integer({ minimum: 1, maximum: 100 }),
    minutes: Type.Integer({ minimum: 1, maximum: 43_200 }),
  },
  strict,
);

/** Limits that stop the rollout when exceeded. An absent limit is not checked. */
export const RolloutLimits = Type.Object(
  {
    /**
     * Processes that this override ended or kept from starting in the last hour, including processes that an open
     * circuit breaker spared.
     */
    max_blocks_per_hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /**
     * The percentage of the ring's devices without contact for 20 minutes, of the devices that were active at the start
     * of the ring. A ring lasts at least until enough of its devices have polled two minutes after its start, or later.
     */
    max_lost_devices_percent: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  strict,
);

export const RolloutInput = Type.Object(
  {
    /** The rings, with growing percentages. */
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
  /** The index of the current ring, from 0. */
  ring: Type.Integer(),
  ring_started_at: Type.String(),
  /** The end of the ring; null if the rollout is not running. */
  next_step_at: Nullable(Type.String()),
  /** The limit that stopped the rollout, or null. */
  stopped_reason: Nullable(Type.String()),
  started_at: Type.String(),
  started_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type Rollout = Static<typeof Rollout>;
