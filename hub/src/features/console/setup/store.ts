// SQL of the setup checklist: whether a tenant has an object of each kind. Each look-up ends at the first row of an index,
// and names a column, which Citus needs to read an intermediate result.
import type { SetupStep } from '@gatewarden/shared/wire/console/setup-steps.ts';
import { sql } from 'kysely';
import { type Db, row } from '../../../platform/db/database.ts';

/** Returns whether each step is done. A colleague is a second user who may sign in, or an invited user. */
export async function selectSetupState(
  db: Db,
  tenantId: string,
): Promise<Record<SetupStep, boolean>> {
  const hasRow = (table: string) =>
    sql`EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE tenant_id = ${tenantId})`;
  const state = await row(
    db,
    sql<Record<SetupStep, boolean>>`
      SELECT ${hasRow('devices')} AS device,
        EXISTS (SELECT 1 FROM overrides WHERE tenant_id = ${tenantId} AND NOT deleted) AS policy,
        ${hasRow('notification_channels')} AS notification_channel,
        ${hasRow('providers')} AS provider,
        ${hasRow('app_keys')} AS app_key,
        ${hasRow('llm_requests')} AS request,
        ${hasRow('mcp_backends')} AS mcp_server,
        EXISTS (SELECT 1 FROM members WHERE tenant_id = ${tenantId} AND disabled_at IS NULL
          OFFSET 1) OR ${hasRow('user_invitations')} AS colleague`,
  );
  if (state === null) throw new Error('The setup state has no row.');
  return state;
}
