// Catalogs that an operator imports: smart groups, custom definitions, detection categories, policy authority.
import { type Category, mergeCategories } from '@gatewarden/shared/detection-categories.ts';
import type { PolicyAuthority } from '@gatewarden/shared/wire/management/apps.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { selectCategories, selectIds } from './store.ts';

export { catalogRoutes } from './routes.ts';
export { catalogDocs, selectPolicyAuthority } from './store.ts';

export const POLICY_CACHE = 'policy-authority';
/** Returns a tenant's policy authority, cached. */
export type PolicyOf = (tenantId: string) => Promise<PolicyAuthority>;

/** Invalidates the cached policy authority in every hub process after an import. */
export async function forgetPolicy(tx: Tx, tenantId: string): Promise<void> {
  await notify(tx, { kind: 'forget', cache: POLICY_CACHE, keys: [tenantId] });
}

export interface CatalogReferences {
  categories: readonly Category[];
  definitions: ReadonlySet<string>;
  smartGroups: ReadonlySet<string>;
}

const NONE: CatalogReferences = {
  categories: [],
  definitions: new Set(),
  smartGroups: new Set(),
};
/** Sections of a configuration that refer to a catalog. */
const REFERRING = ['detection', 'smart_group_policies', 'self_service'];

/** Loads the catalog entries that a configuration with these sections may refer to; other sections load nothing. */
export async function catalogReferences(
  db: Db,
  tenantId: string,
  sections: readonly string[],
): Promise<CatalogReferences> {
  if (!sections.some((name) => REFERRING.includes(name))) return NONE;
  return {
    categories: await listCategories(db, tenantId),
    definitions: await selectIds(db, 'custom-definitions', tenantId),
    smartGroups: await selectIds(db, 'smart-groups', tenantId),
  };
}

/** Returns the detection categories of a tenant, built-in and imported. */
export async function listCategories(db: Db, tenantId: string): Promise<readonly Category[]> {
  return mergeCategories(await selectCategories(db, tenantId));
}
