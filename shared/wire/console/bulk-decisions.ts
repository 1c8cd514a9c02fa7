// C/overrides/bulk and its preview: one decision about many applications, each stored by itself.
import { type Static, Type } from 'typebox';
import { Nullable, Sha256Hex, Uuid } from '../common.ts';
import { Override, OverrideInput, otherDecisions } from './overrides.ts';
import { RolloutInput } from './rollouts.ts';

export const BULK_MAX = 100;

const {
  match: _match,
  override_id: _id,
  rollout_percent: _percent,
  ...decision
} = OverrideInput.properties;

export const BulkInput = Type.Object(
  {
    entity_ids: Type.Array(Sha256Hex, { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
    /** Sent again with the same id, as after a lost answer, each decision is made once. */
    bulk_id: Type.Optional(Uuid),
    /** Each of them is rolled out in these stages, for itself; a preview says what it comes to in the end. */
    rollout: Type.Optional(RolloutInput),
    ...decision,
  },
  { additionalProperties: false },
);
export type BulkInput = Static<typeof BulkInput>;

const Count = Type.Integer({ minimum: 0 });

/** Over all of them: whom they touch together. `at_least`: some touch more than 100, who are counted, not named. */
export const BulkPreviewAnswer = Type.Object({
  devices: Count,
  people: Count,
  processes: Count,
  /** Of those, what would be ended that is not now. */
  ended: Count,
  /** What only a guard rail keeps from it. A hub of the release before does not say it. */
  guarded: Type.Optional(Count),
  /** Decisions of the last 14 days that would have been stops. */
  stopped: Count,
  /** Applications about which something else goes before this on some device. */
  overruled: Count,
  at_least: Type.Boolean(),
  /** As in the preview of one: what the creation takes along, and what is decided already. */
  as_of_revision: Type.Integer(),
  ...otherDecisions,
  request_id: Type.String(),
});
export type BulkPreviewAnswer = Static<typeof BulkPreviewAnswer>;

/** In the order that was asked; one that failed stops none of the others. */
export const BulkAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      entity_id: Sha256Hex,
      override: Nullable(Override),
      error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
  ),
  request_id: Type.String(),
});
export type BulkAnswer = Static<typeof BulkAnswer>;
