// SQL of products on Home: apps with a policy by category and step, and the newest products.
import type { PolicyStep } from '@gatewarden/shared/policy-scale.ts';
import type { ProductCategory, ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import {
  appPolicyStep,
  type CoveredProduct,
  decidedProducts,
  isCustomPolicy,
} from '../inventory/index.ts';
import { selectProductPage } from './list-store.ts';
import { productRow } from './product-rows.ts';

/** Apps on devices of a category with a tenant-wide policy of this step. */
export interface StepNumbers {
  category: ProductCategory;
  step: PolicyStep;
  is_custom: boolean;
  apps: number;
}

const COLUMNS = {
  driftedAt: sql`f.at`,
  approval: sql`d.approval_status`,
  policy: sql`d.execution_policy`,
};

/** Counts the apps on devices with a tenant-wide policy; an app without any is in no row. */
export function countAppsBySteps(
  db: Db,
  tenantId: string,
  covered: readonly CoveredProduct[],
): Promise<StepNumbers[]> {
  return rows(
    db,
    sql<StepNumbers>`
      SELECT i.category, ${appPolicyStep(COLUMNS)} AS step, ${isCustomPolicy(COLUMNS)} AS is_custom,
        count(*) AS apps
      FROM ${decidedProducts(tenantId, covered)} d
      LEFT JOIN (SELECT entity_id, min(since) AS at FROM product_drifts
        WHERE tenant_id = ${tenantId} GROUP BY entity_id) f ON f.entity_id = d.entity_id
      JOIN products p ON p.tenant_id = ${tenantId} AND p.entity_id = d.entity_id
        AND p.device_count > 0
      JOIN inventory_products i ON i.tenant_id = ${tenantId} AND i.product_id = p.product_id
      GROUP BY 1, 2, 3`,
  );
}

/** Returns the products first seen in the last seven days, newest first, without packages. */
export async function selectNewestProducts(
  db: Db,
  tenantId: string,
  covered: readonly CoveredProduct[],
  limit: number,
): Promise<ProductRow[]> {
  const filter = { fresh: 'week', sort: '-first_seen_at', isPackage: false } as const;
  const page = { after: undefined, limit };
  return (await selectProductPage(db, tenantId, filter, covered, page)).map(productRow);
}
