// GET C/products and C/products/{product_id}: a row for each product over platforms and sources.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { OverrideMatch } from '../sync/delta.ts';
import {
  APPROVAL_STATUSES,
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  PLATFORMS,
  SEVERITIES,
} from '../vocabulary.ts';
import { FileFormat, ListAnswer, ListQuery } from './common.ts';
import { OverrideScope } from './overrides.ts';

/** The tabs of the inventory. Extensions of browsers and of editors share a tab. */
export const PRODUCT_CATEGORIES = [
  'ai_tool',
  'mcp_server',
  'application',
  'extension',
  'package',
] as const;
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number];

export const RISK_HINTS = [
  /** A runner fetches the package or image without a fixed version. */
  'unpinned',
  /** The server runs at an address outside of the device. */
  'remote_url',
  /** A variable or header whose name is a credential's is configured. */
  'environment_secrets',
  /** Permissions over all pages, or a lifted confirmation or sandbox. */
  'wide_permissions',
  /** Loaded without a store's signature. */
  'unsigned',
] as const;
export type RiskHint = (typeof RISK_HINTS)[number];

/** The platforms on which a device has the product, those that most devices have first. */
const PlatformCounts = Type.Array(
  Type.Object({ platform: OneOf(PLATFORMS), device_count: Type.Integer() }),
);

/** Applications of the product by their tenant-wide approval; a drifted application is pending. */
const StatusCounts = Type.Object({
  pending: Type.Integer(),
  approved: Type.Integer(),
  restricted: Type.Integer(),
  blocked: Type.Integer(),
});

export const ProductRow = Type.Object({
  product_id: Sha256Hex,
  /** The rule that groups it: `alias:claude-code`, or category and identity, `package:npm:lodash`. */
  product_key: Type.String(),
  category: OneOf(PRODUCT_CATEGORIES),
  name: Type.String(),
  vendor: Nullable(Type.String()),
  platforms: PlatformCounts,
  sources: Type.Array(Type.String()),
  /** Counts are at most a few seconds behind the inventory; devices and users count once each. */
  application_count: Type.Integer(),
  device_count: Type.Integer(),
  user_count: Type.Integer(),
  /** The status that all its applications share; `mixed` if they differ. */
  approval_status: OneOf([...APPROVAL_STATUSES, 'mixed']),
  statuses: StatusCounts,
  /** The policy that all its applications share; null if they differ or without an override. */
  execution_policy: Nullable(OneOf(EXECUTION_POLICIES)),
  /** Since when an application of it differs from what was approved. */
  drifted_at: Nullable(Type.String()),
  risk_hints: Type.Array(OneOf(RISK_HINTS)),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
});
export type ProductRow = Static<typeof ProductRow>;

/** A minus sorts in descending order. `unreviewed`: products with a pending application first, then by devices. */
export const PRODUCT_SORTS = [
  'unreviewed',
  'name',
  '-name',
  'device_count',
  '-device_count',
  'user_count',
  '-user_count',
  'first_seen_at',
  '-first_seen_at',
  'last_seen_at',
  '-last_seen_at',
] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

const filters = {
  /** Words: each is part of the name, the vendor or the key. */
  query: Type.Optional(Type.String({ maxLength: 200 })),
  category: Type.Optional(OneOf(PRODUCT_CATEGORIES)),
  /** Only products that a device with this platform has. */
  platform: Type.Optional(OneOf(PLATFORMS)),
  /** Only products with an application of this status. */
  approval_status: Type.Optional(OneOf(APPROVAL_STATUSES)),
  /** Only products of which an application changed since it was approved, or only the others. */
  drifted: Type.Optional(OneOf(['true', 'false'])),
  /** Only products first seen in the last seven days. */
  fresh: Type.Optional(OneOf(['week'])),
  /** Left out: `unreviewed`. */
  sort: Type.Optional(OneOf(PRODUCT_SORTS)),
};

export const ProductsQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false },
);
/** C/products/download: the same filters, all of the list. */
export const ProductsDownloadQuery = Type.Object(
  { format: FileFormat, ...filters },
  { additionalProperties: false },
);

export const ProductsAnswer = Type.Object({
  ...ListAnswer(ProductRow).properties,
  /** The number of products that match the filters, over all pages. */
  total: Type.Integer(),
});
export type ProductsAnswer = Static<typeof ProductsAnswer>;

/** An application of the product: an identity of a kind, a source and a platform. */
export const ProductApplication = Type.Object(
  {
    entity_id: Sha256Hex,
    kind: OneOf(ENTITY_KINDS),
    source: Type.String(),
    platform: OneOf(PLATFORMS),
    name: Type.String(),
    publisher: Nullable(Type.String()),
    device_count: Type.Integer(),
    approval_status: OneOf(APPROVAL_STATUSES),
    execution_policy: Nullable(OneOf(EXECUTION_POLICIES)),
    drifted_at: Nullable(Type.String()),
    risk_hints: Type.Array(OneOf(RISK_HINTS)),
    first_seen_at: Type.String(),
    last_seen_at: Type.String(),
  },
  { title: 'ProductApplication' },
);
export type ProductApplication = Static<typeof ProductApplication>;

/**
 * The source of a policy in force for an application: product policy, default policy, drift, entity id, or match.
 */
export const PRODUCT_POLICY_ORIGINS = [
  'product_policy',
  'default_policy',
  'drift',
  'application',
  'match',
] as const;
export type ProductPolicyOrigin = (typeof PRODUCT_POLICY_ORIGINS)[number];

/** A policy in force, regardless of its scope. */
export const PolicyInForce = Type.Object(
  {
    override_id: Uuid,
    origin: OneOf(PRODUCT_POLICY_ORIGINS),
    product_policy_id: Nullable(Uuid),
    match: OverrideMatch,
    scope: OverrideScope,
    approval_status: OneOf(APPROVAL_STATUSES),
    execution_policy: OneOf(EXECUTION_POLICIES),
    severity: OneOf(SEVERITIES),
    reason: Nullable(Type.String()),
    rollout_percent: Type.Integer(),
    expires_at: Nullable(Type.String()),
    updated_at: Type.String(),
    updated_by: Type.String(),
    /** The requested applications that the policy may decide about. */
    entity_ids: Type.Array(Sha256Hex),
  },
  { title: 'PolicyInForce' },
);
export type PolicyInForce = Static<typeof PolicyInForce>;

/**
 * Policies by precedence: of several that apply on a device, the first decides. `count` counts all, `items` has at most
 * 100.
 */
export const PoliciesInForce = Type.Object({
  count: Type.Integer(),
  items: Type.Array(PolicyInForce),
});
export type PoliciesInForce = Static<typeof PoliciesInForce>;

/** GET C/discovered-apps/{entity_id}/policies: the policies in force for an application. */
export const ApplicationPoliciesAnswer = Type.Object({
  policies: PoliciesInForce,
  request_id: Type.String(),
});
export type ApplicationPoliciesAnswer = Static<typeof ApplicationPoliciesAnswer>;

export const ProductAnswer = Type.Object({
  product: Type.Object({
    ...ProductRow.properties,
    /** The number of devices on which a process of the product runs, by the reports of devices. */
    running_device_count: Type.Integer(),
    /** The 200 applications on most devices. */
    applications: Type.Array(ProductApplication),
    /** The policies in force for any of its applications. */
    policies: PoliciesInForce,
  }),
  request_id: Type.String(),
});
export type ProductAnswer = Static<typeof ProductAnswer>;
