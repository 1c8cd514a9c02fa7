// SQL of what is like an application: by its name, by what it launches, by who publishes it.

import type { SimilarApplication } from '@gatewarden/shared/wire/console/applications.ts';
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { outsideTenants } from '../../../platform/db/tenant-connections.ts';
import { applicationStatus, OPEN_DRIFT } from './application-status-store.ts';
import { type CoveredProduct, decidedProducts } from './covered-products-store.ts';

/** Looked at of each likeness; the likest are shown. */
const OF_EACH = 50;
const SHOWN = 20;

/**
 * Plain packages are not alike by their publisher: a distribution publishes thousands. The most reasons first, then
 * what most devices have.
 */
export function selectSimilar(
  db: Db,
  tenantId: string,
  entityId: string,
  covered: readonly CoveredProduct[],
): Promise<SimilarApplication[]> {
  const ask = () =>
    rows(
      db,
      sql<SimilarApplication>`
      WITH self AS (
        SELECT entity_id, kind, name_folded, publisher FROM products
        WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
      ), launches AS (
        SELECT DISTINCT launch_hash FROM entities
        WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
          AND removed_at IS NULL AND launch_hash IS NOT NULL LIMIT ${OF_EACH}
      ), alike AS (
        (SELECT p.entity_id, 'same_name' AS why FROM self JOIN products p
          ON p.tenant_id = ${tenantId} AND p.name_folded = self.name_folded LIMIT ${OF_EACH})
        UNION ALL
        (SELECT DISTINCT e.entity_id, 'same_launch' FROM launches JOIN entities e
          ON e.tenant_id = ${tenantId} AND e.launch_hash = launches.launch_hash
            AND e.removed_at IS NULL LIMIT ${OF_EACH})
        UNION ALL
        (SELECT p.entity_id, 'same_publisher' FROM self JOIN products p
          ON p.tenant_id = ${tenantId} AND p.kind <> 'package' AND p.kind = self.kind
            AND lower(p.publisher) = lower(self.publisher)
          ORDER BY p.device_count DESC LIMIT ${OF_EACH})
      )
      SELECT encode(p.entity_id, 'hex') AS entity_id, p.kind, p.source, p.platform, p.name,
        p.publisher, p.device_count, coalesce(${applicationStatus(sql`f.at`, sql`d.approval_status`)}, 'pending') AS approval_status, a.why
      FROM (SELECT entity_id, array_agg(DISTINCT why ORDER BY why) AS why FROM alike
        GROUP BY entity_id) a
      JOIN products p ON p.tenant_id = ${tenantId} AND p.entity_id = a.entity_id
      LEFT JOIN ${decidedProducts(tenantId, covered)} d ON d.tenant_id = p.tenant_id AND d.entity_id = p.entity_id
      LEFT JOIN ${OPEN_DRIFT} ON true
      WHERE p.entity_id <> decode(${entityId}, 'hex') AND p.device_count > 0
      ORDER BY cardinality(a.why) DESC, p.device_count DESC, p.entity_id LIMIT ${SHOWN}`,
    );
  // From behind row security PostgreSQL would not use the index of publishers.
  return outsideTenants(ask);
}
