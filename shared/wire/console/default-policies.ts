// C/default-policies: what holds for everything of a kind that nobody decided about.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';
import { ENTITY_KINDS, EXECUTION_POLICIES, SEVERITIES } from '../vocabulary.ts';
import { Touched } from './overrides.ts';

const strict = { additionalProperties: false };

export const DefaultPolicyInput = Type.Object(
  {
    kind: OneOf(ENTITY_KINDS),
    execution_policy: OneOf(EXECUTION_POLICIES),
    /** Of the alerts it causes; left out: `high`, and `critical` for quarantine. */
    severity: Type.Optional(OneOf(SEVERITIES)),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  },
  strict,
);
export type DefaultPolicyInput = Static<typeof DefaultPolicyInput>;

/** PUT: all of them; a kind that is left out has no default, and what is of it runs. */
export const DefaultPoliciesInput = Type.Object(
  {
    policies: Type.Array(DefaultPolicyInput, { maxItems: ENTITY_KINDS.length }),
    /** As it was read: then nothing is stored where somebody else was faster. `If-Match` says the same. */
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
  /** The ETag verbatim, with its quotes. */
  version: Type.String(),
  request_id: Type.String(),
});
export type DefaultPoliciesAnswer = Static<typeof DefaultPoliciesAnswer>;

/** For each of the policies, as the preview of an override: whom it would touch. */
export const DefaultPoliciesPreviewAnswer = Type.Object({
  previews: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), ...Touched.properties })),
  request_id: Type.String(),
});
export type DefaultPoliciesPreviewAnswer = Static<typeof DefaultPoliciesPreviewAnswer>;
