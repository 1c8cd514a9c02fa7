// Shared providers: settings, secrets, models and prices.
// Start reading at rules.ts, then routes.ts.
import type { Db } from '../../../platform/db/database.ts';
import type { ProviderFacts } from '../configuration/index.ts';
import { selectProvidersNamed } from './store.ts';

export { requirementsOf } from '@gatewarden/shared/provider-types.ts';
export { providerDocs } from './node-docs.ts';
export { registerProviderTests } from './provider-test-routes.ts';
export { providerRoutes } from './routes.ts';
export { SEALED_SETTINGS } from './secrets.ts';
export { selectProviderPrices } from './store.ts';
export { createModelTester, MODEL_TEST_PROVIDER_TYPES } from './test-model.ts';

/** Returns the tenant's providers with these labels. In a transaction they are locked until it ends. */
export async function providersNamed(
  db: Db,
  tenantId: string,
  labels: readonly string[],
): Promise<Map<string, ProviderFacts>> {
  if (labels.length === 0) return new Map();
  const found = await selectProvidersNamed(db, tenantId, labels);
  return new Map(found.map((provider) => [provider.label, provider]));
}
