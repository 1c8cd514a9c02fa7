import { forgetAgentTokens } from '../features/devices/enrollment/index.ts';
import { endAccess } from '../features/people/identity/index.ts';
import type { Tx } from '../platform/db/database.ts';

/** Removes the tenant's tokens and users from the caches of all hubs; open streams end. */
export async function forgetTenant(tx: Tx, tenantId: string): Promise<void> {
  await forgetAgentTokens(tx, tenantId);
  await endAccess(tx, tenantId);
}
