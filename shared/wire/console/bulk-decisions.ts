// C/overrides/bulk and its preview: a policy for many applications, stored as an override each. Without a rollout it changes the
// override that an application has for the same scope; an absent field is unchanged there.
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
    /** An idempotency key: a repeated request with the same id creates each override once. */
    bulk_id: Type.Optional(Uuid),
    /** Each override is rolled out in these stages; the preview shows the final stage. */
    rollout: Type.Optional(RolloutInput),
    ...decision,
  },
  { additionalProperties: false },
);
export type BulkInput = Static<typeof BulkInput>;

const Count = Type.Integer({ minimum: 0 });

/**
 * The combined reach of all overrides. `at_least`: some reach more than 100 devices or users, which are counted without
 * names.
 */
export const BulkPreviewAnswer = Type.Object({
  devices: Count,
  people: Count,
  processes: Count,
  /** How many of these programs would be ended that run now. */
  ended: Count,
  /** How many programs only a protection rule exempts. A hub of the previous release omits this field. */
  guarded: Type.Optional(Count),
  /** Enforcement records of the last 14 days that would have been blocks. */
  stopped: Count,
  /** Applications for which another override takes precedence on some device. */
  overruled: Count,
  /** Applications with an override that is changed. A hub of the previous release omits this field. */
  changed: Type.Optional(Count),
  at_least: Type.Boolean(),
  /** The revision that the creation sends back, and the existing overrides, as in a single preview. */
  as_of_revision: Type.Integer(),
  ...otherDecisions,
  request_id: Type.String(),
});
export type BulkPreviewAnswer = Static<typeof BulkPreviewAnswer>;

/** Results in the order of the request; a failed override does not affect the others. */
export const BulkAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      entity_id: Sha256Hex,
      override: Nullable(Override),
      /**
       * The override before the change; equal to `override` if nothing changed, and null for a created override. A hub of
       * the previous release omits this field.
       */
      before: Type.Optional(Nullable(Override)),
      error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
  ),
  request_id: Type.String(),
});
export type BulkAnswer = Static<typeof BulkAnswer>;
