// Removes what the sample data added to a tenant.
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { deleteTenantContent } from '../../../platform/db/tenant-rows.ts';
import { announceTenantConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { SAMPLE_USER_GROUPS } from './catalog.ts';
import { deleteSampleAccess, selectDeviceIds } from './store.ts';

/** The name of the tokens with which sample data is loaded; they are revoked after it. */
export const SAMPLE_TOKEN_NAME = 'Sample data';

/** Tables that stay: positions of agents and nodes in their feeds, the audit trail, and settings of the tenant. */
const KEPT = [
  ...['feeds', 'feed_marks', 'collection_versions', 'audit_events', 'audit_checkpoints'],
  ...['llm_prices', 'log_settings', 'mcp_settings', 'management_settings', 'tenants'],
  ...[
    'people_groups',
    'people_group_members',
    'members',
    'user_invitations',
    'session_tenants',
    'scim_tokens',
  ],
  ...['agent_tokens', 'node_tokens', 'management_keys', 'log_export_keys'],
] as const;

/**
 * Deletes devices, inventory, policies, alerts, logs and gateway configuration of a tenant, also what was added beside the
 * sample data. Users, their groups, tokens, settings and the audit trail stay, but not the groups and tokens of the sample data.
 * Returns the number of rows.
 */
export function removeSampleData(
  db: Db,
  tenantId: string,
  invalidate: (tx: Tx, tenantId: string) => Promise<void>,
): Promise<number> {
  return transact(db, async (tx) => {
    const devices = await selectDeviceIds(tx, tenantId);
    const rows = await deleteTenantContent(tx, tenantId, KEPT);
    const keys = devices.map((deviceId) => `${tenantId}/${deviceId}`);
    if (keys.length > 0) await notify(tx, { kind: 'forget', cache: 'device', keys });
    // The caches of the tokens are invalidated before their rows are gone.
    await invalidate(tx, tenantId);
    const access = { groups: SAMPLE_USER_GROUPS, tokenName: SAMPLE_TOKEN_NAME };
    const accessRows = await deleteSampleAccess(tx, tenantId, access);
    await announceTenantConfiguration(tx, tenantId);
    return rows + accessRows;
  });
}
