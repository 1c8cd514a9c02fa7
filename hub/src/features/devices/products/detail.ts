// A product by itself: its applications, and the policies in force for them with their origin.
import type { ProductAnswer } from '@gatewarden/shared/wire/console/products.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPoliciesInForce } from '../overrides/index.ts';
import type { ProductPagesDeps } from './deps.ts';
import {
  countRunningDevices,
  selectProductApplications,
  selectProductRecord,
} from './list-store.ts';
import { productApplication, productRow } from './product-rows.ts';

/** On a product's own page. A product with more has the list of applications. */
const APPLICATIONS_SHOWN = 200;

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
    loadPoliciesInForce(deps, tenantId, applications),
  ]);
  return {
    ...productRow(record),
    running_device_count: running,
    applications: applications.map(productApplication),
    policies,
  };
}
