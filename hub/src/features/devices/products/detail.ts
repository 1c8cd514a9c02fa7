// A product by itself: its applications, and the policies in force for them with their origin.
import type {
  ProductAnswer,
  ProductPolicyOrigin,
} from '@gatewarden/shared/wire/console/products.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import {
  joinScope,
  type OverrideRecord,
  overridesInForceFor,
  selectOverridesByIds,
} from '../governance/index.ts';
import type { ProductPagesDeps } from './deps.ts';
import type { ApplicationRecord } from './list-store.ts';
import {
  countRunningDevices,
  selectProductApplications,
  selectProductRecord,
} from './list-store.ts';
import { productApplication, productRow } from './product-rows.ts';

/** On a product's own page. A product with more has the list of applications. */
const APPLICATIONS_SHOWN = 200;
const POLICIES_SHOWN = 100;

/** Rejects with `not_found` where the tenant has no such product. */
export async function loadProduct(
  deps: Pick<ProductPagesDeps, 'db' | 'snapshots' | 'coveredByName'>,
  tenantId: string,
  productId: string,
): Promise<ProductAnswer['product']> {
  const { db } = deps;
  const covered = await deps.coveredByName(tenantId);
  const record = await selectProductRecord(db, tenantId, productId, covered);
  if (record === null) throw new HubError('not_found');
  const applications = await selectProductApplications(
    db,
    tenantId,
    productId,
    covered,
    APPLICATIONS_SHOWN,
  );
  const [running, policies] = await Promise.all([
    countRunningDevices(
      db,
      tenantId,
      applications.map((application) => application.entity_id),
    ),
    policiesFor(deps, tenantId, applications),
  ]);
  return {
    ...productRow(record),
    running_device_count: running,
    applications: applications.map(productApplication),
    policies,
  };
}

async function policiesFor(
  { db, snapshots }: { db: Db; snapshots: ProductPagesDeps['snapshots'] },
  tenantId: string,
  applications: readonly ApplicationRecord[],
): Promise<ProductAnswer['product']['policies']> {
  const snapshot = await snapshots.of(tenantId);
  const inForce = overridesInForceFor(snapshot, applications);
  const ids = [...inForce.keys()];
  const overrides = await selectOverridesByIds(db, tenantId, ids.slice(0, POLICIES_SHOWN));
  return {
    count: ids.length,
    items: overrides.map((override) => ({
      override_id: override.override_id,
      origin: originOf(override),
      product_policy_id: override.product_policy_id,
      match: override.match,
      scope: joinScope(override.scope_kind, override.scope_id),
      approval_status: override.approval_status,
      execution_policy: override.execution_policy,
      severity: override.severity,
      reason: override.reason,
      rollout_percent: override.rollout_percent,
      expires_at: isoOrNull(override.expires_at),
      updated_at: override.updated_at.toISOString(),
      updated_by: override.updated_by,
      entity_ids: [...(inForce.get(override.override_id) ?? [])],
    })),
  };
}

function originOf(override: OverrideRecord): ProductPolicyOrigin {
  if (override.product_policy_id !== null) return 'product_policy';
  if (override.default_kind !== null) return 'default_policy';
  if (override.drift_hold) return 'drift';
  return override.match.entity_id === undefined ? 'match' : 'application';
}
