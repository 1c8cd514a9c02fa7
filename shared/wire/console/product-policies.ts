// C/product-policies: policies for a product on all platforms or a single platform. Each owns an override for every
// application of the product.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { APPROVAL_STATUSES, EXECUTION_POLICIES, PLATFORMS, SEVERITIES } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { OverrideInput, OverrideScope, Preview } from './overrides.ts';

const strict = { additionalProperties: false };

const {
  override_id: _id,
  match: _match,
  rollout_percent: _percent,
  ...decided
} = OverrideInput.properties;

export const ProductPolicyInput = Type.Object(
  {
    /**
     * A UUID of version 4 or 7 that no policy of the tenant ever had. Default: the hub generates an id. A repeated
     * request with the same id returns the first response; a different request with the id is a 409.
     */
    policy_id: Type.Optional(Uuid),
    product_id: Sha256Hex,
    /**
     * Null or absent: all platforms. Within a scope, the policy of a platform takes precedence over that of all
     * platforms.
     */
    platform: Type.Optional(Nullable(OneOf(PLATFORMS))),
    ...decided,
  },
  strict,
);
export type ProductPolicyInput = Static<typeof ProductPolicyInput>;

const { as_of_revision: seen, scope: _scope, ...changed } = decided;

/** PATCH: an absent field is unchanged. Product, platform and scope of a policy never change. */
export const ProductPolicyPatch = Type.Object(
  {
    as_of_revision: seen,
    approval_status: Type.Optional(changed.approval_status),
    execution_policy: Type.Optional(changed.execution_policy),
    severity: changed.severity,
    reason: changed.reason,
    effective_at: changed.effective_at,
    expires_at: changed.expires_at,
  },
  strict,
);
export type ProductPolicyPatch = Static<typeof ProductPolicyPatch>;

export const ProductPolicy = Type.Object({
  policy_id: Uuid,
  /** The ETag verbatim, including its quotes: the value of `If-Match`. */
  version: Type.String(),
  product_id: Sha256Hex,
  product_name: Type.String(),
  platform: Nullable(OneOf(PLATFORMS)),
  scope: OverrideScope,
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
  effective_at: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  created_at: Type.String(),
  created_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
  /** The applications for which the policy owns an override. */
  entity_ids: Type.Array(Sha256Hex),
});
export type ProductPolicy = Static<typeof ProductPolicy>;

export const ProductPolicyAnswer = Type.Object({
  policy: ProductPolicy,
  request_id: Type.String(),
});
export type ProductPolicyAnswer = Static<typeof ProductPolicyAnswer>;

export const ProductPoliciesQuery = Type.Object(
  { ...ListQuery, product_id: Type.Optional(Sha256Hex) },
  strict,
);
export const ProductPoliciesAnswer = ListAnswer(ProductPolicy);

export const ProductPolicyDeletedAnswer = Type.Object({
  policy_id: Uuid,
  deleted: Type.Literal(true),
  request_id: Type.String(),
});

const { as_of_revision: _seen, ...previewed } = ProductPolicyInput.properties;

/** A new policy, or the policy that replaces the stored policy `replaces`. */
export const ProductPolicyPreviewInput = Type.Object(
  { ...previewed, replaces: Type.Optional(Uuid) },
  strict,
);
export type ProductPolicyPreviewInput = Static<typeof ProductPolicyPreviewInput>;

/** The maximum number of products in a preview and in a bulk change. */
const PREVIEWED_PRODUCTS = 100;

const { policy_id: _policyId, product_id: _productId, ...shared } = previewed;

/** POST C/product-policies/bulk/preview: the same policy for several products. */
export const ProductPoliciesPreviewInput = Type.Object(
  {
    ...shared,
    product_ids: Type.Array(Sha256Hex, {
      minItems: 1,
      maxItems: PREVIEWED_PRODUCTS,
      uniqueItems: true,
    }),
  },
  strict,
);
export type ProductPoliciesPreviewInput = Static<typeof ProductPoliciesPreviewInput>;

const { override_id: _override, ...touched } = Preview.properties;

/** Devices, users and processes over all applications of the policy, each counted once. */
export const ProductPolicyPreviewAnswer = Type.Object({
  ...touched,
  /** The applications that the policy would cover. */
  entity_ids: Type.Array(Sha256Hex),
  request_id: Type.String(),
});
export type ProductPolicyPreviewAnswer = Static<typeof ProductPolicyPreviewAnswer>;
