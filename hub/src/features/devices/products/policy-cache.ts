// The product policies of each tenant in memory, so that ingest knows without SQL whether a new application may come under
// one. Tenants without such policies cost ingest a look-up in a map.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache as createCache } from '../../../platform/feed/notified-cache.ts';
import { selectCoveredIds, selectPolicies } from './policy-store.ts';

export const POLICY_CACHE = 'product-policies';

interface TenantPolicies {
  /** By product, the platforms of its policies; null means all platforms. */
  platforms: ReadonlyMap<string, readonly (Platform | null)[]>;
  /** Applications for which a policy owns an override. */
  covered: ReadonlySet<string>;
}

export interface PolicyCache {
  of(tenantId: string): Promise<TenantPolicies>;
  /** In the process that changed a policy, before its notice arrives. */
  forget(tenantId: string): void;
}

export function createPolicyCache(db: Db, notifications: Notifications): PolicyCache {
  const cache = createCache<TenantPolicies>({ name: POLICY_CACHE, max: 10_000, notifications });
  return {
    forget: cache.invalidate,
    of: (tenantId) => cache.get(tenantId, () => loadPolicies(db, tenantId)),
  };
}

async function loadPolicies(db: Db, tenantId: string): Promise<TenantPolicies> {
  const policies = await selectPolicies(db, tenantId);
  const byProduct = Map.groupBy(policies, (policy) => policy.product_id);
  const covered = policies.length === 0 ? [] : [...(await selectCoveredIds(db, tenantId)).values()];
  return {
    platforms: new Map(
      [...byProduct].map(([id, ofProduct]) => [id, ofProduct.map((policy) => policy.platform)]),
    ),
    covered: new Set(covered.flat()),
  };
}

/** Returns true where a policy for the application's product and platform does not cover the application yet. */
export function isUncovered(
  policies: TenantPolicies,
  application: { entity_id: string; product_id: string; platform: Platform },
): boolean {
  if (policies.covered.has(application.entity_id)) return false;
  const platforms = policies.platforms.get(application.product_id) ?? [];
  return platforms.includes(null) || platforms.includes(application.platform);
}
