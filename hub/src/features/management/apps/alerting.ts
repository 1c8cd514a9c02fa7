// Facts about apps that their alerts need.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { webhooksOf } from '../configuration/index.ts';
import { selectAlertingApps, selectAppDocs } from './store.ts';
import { draftOf } from './write.ts';

export const alertingApps = selectAlertingApps;

/** Returns the webhook; null if the app no longer has it. Throws UnsealError. */
export async function webhookOf(
  db: Db,
  sealer: Sealer,
  tenantId: string,
  appId: string,
  webhookId: string,
): Promise<{ url: string; type: 'vendorL' | 'generic' } | null> {
  const [row] = await selectAppDocs(db, tenantId, [appId]);
  if (row === undefined) return null;
  const { config, urls } = draftOf(sealer, tenantId, row);
  const webhook = webhooksOf(config).find(({ id }) => id === webhookId);
  const url = urls[webhookId];
  if (webhook === undefined || url === undefined) return null;
  return { url, type: webhook.type === 'vendorL' ? 'vendorL' : 'generic' };
}
