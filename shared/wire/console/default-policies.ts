// C/default-policies: the policy for all entities of a kind that no override matches.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';
import { ENTITY_KINDS, EXECUTION_POLICIES, SEVERITIES } from '../vocabulary.ts';
import { Touched } from './overrides.ts';

const strict = { additionalProperties: false };

export const DefaultPolicyInput = Type.Object(
  {
    kind: OneOf(ENTITY_KINDS),
    execution_policy: OneOf(EXECUTION_POLICIES),
    /** The severity of caused alerts. Default: `high`, and `critical` for quarantine. */
    severity: Type.Optional(OneOf(SEVERITIES)),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  },
  strict,
);
export type DefaultPolicyInput = Static<typeof DefaultPolicyInput>;

/** PUT: replaces all default policies. A kind that is absent has no default, and its entities run. */
export const DefaultPoliciesInput = Type.Object(
  {
    policies: Type.Array(DefaultPolicyInput, { maxItems: ENTITY_KINDS.length }),
    /** The version that the caller read; a mismatch stores nothing. `If-Match` is equivalent. */
    version: Type.Optional(Type.String({ maxLength: 100 })),
  },
  strict,
);
export type DefaultPoliciesInput = Static<typeof DefaultPoliciesInput>;

export const DefaultPolicy = Type.Object({
  kind: OneOf(ENTITY_KINDS),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
});
export type DefaultPolicy = Static<typeof DefaultPolicy>;

export const DefaultPoliciesAnswer = Type.Object({
  policies: Type.Array(DefaultPolicy),
  /** The ETag verbatim, including its quotes. */
  version: Type.String(),
  request_id: Type.String(),
});
export type DefaultPoliciesAnswer = Static<typeof DefaultPoliciesAnswer>;

/** The reach of each policy, as in the preview of an override. */
export const DefaultPoliciesPreviewAnswer = Type.Object({
  previews: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), ...Touched.properties })),
  request_id: Type.String(),
});
export type DefaultPoliciesPreviewAnswer = Static<typeof DefaultPoliciesPreviewAnswer>;
