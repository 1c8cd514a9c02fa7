// Product policies at ingest: an application that a device reports for the first time in the tenant is covered in the
// transaction that records it, so that the device receives the override with its next poll.
import type { Tx } from '../../../platform/db/database.ts';
import type { Arrival, ArrivalPolicies } from '../ingest/index.ts';
import { productIdOf, productKey } from '../product-identity/index.ts';
import { BY_HUB, coverProducts } from './cover-products.ts';
import { isUncovered, type PolicyCache } from './policy-cache.ts';
import { type ProductMember, selectStoredMembers } from './policy-store.ts';

export function createArrivalPolicies(cache: PolicyCache): ArrivalPolicies {
  return {
    async mayCover(tenantId, arrivals) {
      const policies = await cache.of(tenantId);
      if (policies.platforms.size === 0) return false;
      return arrivals.some((arrival) => isUncovered(policies, memberOf(arrival)));
    },
    async cover(tx, tenantId, arrivals) {
      const policies = await cache.of(tenantId);
      const members = arrivals.map(memberOf).filter((member) => isUncovered(policies, member));
      await coverMembers(tx, tenantId, members);
    },
  };
}

/** A stored application keeps the product that it was grouped into, whatever a single device calls it. */
async function coverMembers(
  tx: Tx,
  tenantId: string,
  members: readonly ProductMember[],
): Promise<void> {
  if (members.length === 0) return;
  const stored = await selectStoredMembers(
    tx,
    tenantId,
    members.map((member) => member.entity_id),
  );
  const productOf = new Map(stored.map((member) => [member.entity_id, member.product_id]));
  const arriving = members.filter((member) => !productOf.has(member.entity_id));
  const known = [...productOf.values()].filter((productId) => productId !== null);
  const productIds = [...new Set([...arriving.map((member) => member.product_id), ...known])];
  await coverProducts(tx, tenantId, { ...BY_HUB, now: new Date(), productIds, arriving });
}

function memberOf({ entity, platform }: Arrival): ProductMember {
  const productId = productIdOf(productKey(entity));
  return { entity_id: entity.entity_id, product_id: productId, platform };
}
