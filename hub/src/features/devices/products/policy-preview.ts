// The preview of a policy for products: the preview of its overrides together.
import { randomUUID } from 'node:crypto';
import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import type {
  ProductPoliciesPreviewInput,
  ProductPolicyPreviewInput,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  checkGroup,
  selectExistingOverrides,
  selectOverridesOfPolicies,
  splitScope,
} from '../overrides/index.ts';
import { previewOverrides } from '../preview/index.ts';
import type { ProductPolicyDeps } from './deps.ts';
import { newPolicy, type PolicyRecord, targetsOf } from './policy-rules.ts';
import { selectMembers, selectPolicies, selectProductNames } from './policy-store.ts';

type PreviewDeps = Pick<ProductPolicyDeps, 'db' | 'snapshots' | 'mappingsOf'>;
type PolicyPreview = Omit<Preview, 'override_id'> & { entity_ids: string[] };

/** Rejects with `not_found` for an unknown product, with 400 as the creation would. */
export function previewPolicy(
  deps: PreviewDeps,
  tenantId: string,
  { policy_id: _id, product_id: productId, ...body }: ProductPolicyPreviewInput,
): Promise<PolicyPreview> {
  return previewPolicies(deps, tenantId, { ...body, product_ids: [productId] });
}

/**
 * Previews the same policy for several products together: each device, user and process counts once. A policy that a product
 * has for this platform and scope is replaced. Rejects with `not_found` where a product is unknown, with 400 as the creation
 * would.
 */
export async function previewPolicies(
  deps: PreviewDeps,
  tenantId: string,
  body: ProductPoliciesPreviewInput & { replaces?: string },
): Promise<PolicyPreview> {
  const { db } = deps;
  const { replaces, product_ids: productIds, platform: _platform, ...decision } = body;
  const names = await selectProductNames(db, tenantId, productIds);
  if (names.size < productIds.length) throw new HubError('not_found');
  await checkGroup(db, tenantId, splitScope(body.scope));
  const now = new Date();
  const drafts = productIds.map((productId) => {
    const productName = names.get(productId) ?? '';
    const by = { policyId: replaces?.toLowerCase() ?? randomUUID(), productName, email: '', now };
    const policy = newPolicy({ ...body, product_id: productId }, by, {
      mayHaveEnded: replaces !== undefined,
    });
    return { ...policy, version: 1, deleted: false, sort_key: '' };
  });
  const policies = await selectPolicies(db, tenantId, productIds);
  const entityIds = await coveredBy(deps, tenantId, drafts, policies);
  const snapshot = await deps.snapshots.get(tenantId);
  const context = {
    ...{ db, tenantId, snapshot, now, overrideId: randomUUID() },
    mappings: await deps.mappingsOf(tenantId),
    // Within the scope its overrides take the place of those that another policy of the product owns.
    replaces: await replacedBy(deps, tenantId, {
      scope: splitScope(body.scope),
      policies,
      entityIds,
    }),
  };
  const matches = entityIds.map((entity_id) => ({ entity_id }));
  const { override_id: _override, ...touched } = await previewOverrides(context, decision, matches);
  const targets = matches.map((match) => ({ ...splitScope(body.scope), match }));
  return {
    ...touched,
    entity_ids: entityIds,
    as_of_revision: snapshot.n,
    ...(await selectExistingOverrides(context, targets)),
  };
}

/** Returns the applications that the drafts would cover beside the other policies of their products. */
async function coveredBy(
  { db }: PreviewDeps,
  tenantId: string,
  drafts: readonly PolicyRecord[],
  policies: readonly PolicyRecord[],
): Promise<string[]> {
  const productIds = drafts.map((draft) => draft.product_id);
  const members = await selectMembers(db, tenantId, productIds);
  const membersOf = Map.groupBy(members, (member) => member.product_id);
  return drafts.flatMap((draft) => {
    const others = policies.filter(
      (policy) => policy.product_id === draft.product_id && !isReplaced(policy, draft),
    );
    return targetsOf([...others, draft], membersOf.get(draft.product_id) ?? [])
      .filter((target) => target.policy === draft)
      .map((target) => target.entityId);
  });
}

/** True where the draft takes the place of the policy: it is the policy itself, or is for the same platform and scope. */
const isReplaced = (policy: PolicyRecord, draft: PolicyRecord): boolean =>
  policy.policy_id === draft.policy_id ||
  (policy.platform === draft.platform &&
    policy.scope_kind === draft.scope_kind &&
    policy.scope_id === draft.scope_id);

async function replacedBy(
  { db }: PreviewDeps,
  tenantId: string,
  change: {
    scope: { scope_kind: string; scope_id: string };
    policies: readonly PolicyRecord[];
    entityIds: readonly string[];
  },
): Promise<Set<string>> {
  const { scope, policies, entityIds } = change;
  const ofScope = policies.filter(
    (policy) => policy.scope_kind === scope.scope_kind && policy.scope_id === scope.scope_id,
  );
  const owned = await selectOverridesOfPolicies(
    db,
    tenantId,
    ofScope.map((policy) => policy.policy_id),
  );
  const covered = new Set(entityIds);
  return new Set(
    owned
      .filter((override) => covered.has(override.match.entity_id ?? ''))
      .map((override) => override.override_id),
  );
}
