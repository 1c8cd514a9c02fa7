// Gateway credentials of apps: issued, shown, revealed and revoked.
// Start reading at issue.ts, then routes.ts.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { Db } from '../../../platform/db/database.ts';
import { hasActiveKey } from './store.ts';

export { checkedKeyName, issueAppKey, keyDocs, SEALED_KEYS } from './issue.ts';
export { ISSUED_APP_KEYS } from './issued.ts';
export { appKeyRoutes } from './routes.ts';
export { recordKeyUses, selectAppsWithKey } from './store.ts';

/** Returns whether the secret belongs to a key of the tenant that is neither revoked nor expired. */
export const isKeyOfTenant = (db: Db, tenantId: string, secret: string): Promise<boolean> =>
  hasActiveKey(db, tenantId, hashSecret(secret));
