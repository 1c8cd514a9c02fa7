// The preview of a policy for a product: the preview of its overrides together.
import { randomUUID } from 'node:crypto';
import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import type { ProductPolicyPreviewInput } from '@gatewarden/shared/wire/console/product-policies.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  checkGroup,
  otherDecisions,
  previewOverrides,
  selectOverridesOfPolicies,
  splitScope,
} from '../governance/index.ts';
import type { ProductPolicyDeps } from './deps.ts';
import { newPolicy, targetsOf } from './policy-rules.ts';
import { selectMembers, selectPolicies, selectProductName } from './policy-store.ts';

type PolicyPreview = Omit<Preview, 'override_id'> & { entity_ids: string[] };

/** Rejects with `not_found` for an unknown product, with 400 as the creation would. */
export async function previewPolicy(
  deps: Pick<ProductPolicyDeps, 'db' | 'snapshots' | 'mappingsOf'>,
  tenantId: string,
  body: ProductPolicyPreviewInput,
): Promise<PolicyPreview> {
  const { db } = deps;
  const {
    replaces,
    policy_id: _id,
    product_id: productId,
    platform: _platform,
    ...decision
  } = body;
  const productName = await selectProductName(db, tenantId, productId);
  if (productName === null) throw new HubError('not_found');
  await checkGroup(db, tenantId, splitScope(body.scope));
  const now = new Date();
  const by = { policyId: replaces?.toLowerCase() ?? randomUUID(), productName, email: '', now };
  const draft = {
    ...newPolicy(body, by, { mayHaveEnded: replaces !== undefined }),
    ...{ version: 1, deleted: false, sort_key: '' },
  };
  const policies = await selectPolicies(db, tenantId, [productId]);
  const others = policies.filter((policy) => policy.policy_id !== draft.policy_id);
  const targets = targetsOf([...others, draft], await selectMembers(db, tenantId, [productId]));
  const entityIds = targets
    .filter((target) => target.policy === draft)
    .map((target) => target.entityId);
  const snapshot = await deps.snapshots.of(tenantId);
  const context = {
    ...{ db, tenantId, snapshot, now, overrideId: randomUUID() },
    mappings: await deps.mappingsOf(tenantId),
    // Within the scope its overrides take the place of those that another policy of the product owns.
    replaces: await replacedBy(deps, tenantId, { draft, policies, entityIds }),
  };
  const matches = entityIds.map((entity_id) => ({ entity_id }));
  const { override_id: _override, ...touched } = await previewOverrides(context, decision, matches);
  const { scope_kind, scope_id } = draft;
  return {
    ...touched,
    entity_ids: entityIds,
    as_of_revision: snapshot.n,
    ...(await otherDecisions(
      context,
      matches.map((match) => ({ scope_kind, scope_id, match })),
    )),
  };
}

async function replacedBy(
  { db }: Pick<ProductPolicyDeps, 'db'>,
  tenantId: string,
  change: {
    draft: { scope_kind: string; scope_id: string };
    policies: readonly { policy_id: string; scope_kind: string; scope_id: string }[];
    entityIds: readonly string[];
  },
): Promise<Set<string>> {
  const { draft, policies, entityIds } = change;
  const ofScope = policies.filter(
    (policy) => policy.scope_kind === draft.scope_kind && policy.scope_id === draft.scope_id,
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
