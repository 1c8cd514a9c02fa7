// Documents of providers for gateway nodes, with their credentials.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { openedProvider } from './secrets.ts';
import { selectProvidersNamed } from './store.ts';

/** Returns documents by label; deleted providers are left out. */
export async function providerDocs(
  db: Db,
  sealer: Sealer,
  tenantId: string,
  labels: readonly string[],
): Promise<Map<string, object>> {
  const found = await selectProvidersNamed(db, tenantId, labels);
  return new Map(
    found.map((row) => {
      const { settings, secrets, ...open } = openedProvider(sealer, tenantId, row);
      return [row.label, { ...open, provider_settings: { ...settings, ...secrets } }];
    }),
  );
}
