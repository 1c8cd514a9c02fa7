// SQL of the health of MCP servers.
import type { ServerHealthState } from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';

export interface HealthRow {
  backend_id: string;
  state: Exclude<ServerHealthState, 'unknown'>;
  checked_at: Date;
  last_error: string | null;
  last_error_at: Date | null;
  /** Null: no list was read by a test or a review. */
  tool_count: number | null;
}

export interface Contact {
  state: HealthRow['state'];
  /** Null: the contact succeeded. */
  error: string | null;
  toolCount: number | null;
}

/** Returns the health of the tenant's servers that were contacted. */
export function selectHealth(db: Db, tenantId: string): Promise<HealthRow[]> {
  return rows(
    db,
    sql<HealthRow>`
      SELECT backend_id, state, checked_at, last_error, last_error_at, tool_count
      FROM mcp_server_health WHERE tenant_id = ${tenantId}`,
  );
}

/** Stores a contact with a server that exists; the last error and the number of tools stay until there are newer ones. */
export async function storeContact(
  db: Db,
  tenantId: string,
  backendId: string,
  { state, error, toolCount }: Contact,
): Promise<void> {
  await sql`
    INSERT INTO mcp_server_health AS h (tenant_id, backend_id, state, checked_at, last_error,
      last_error_at, tool_count)
    SELECT tenant_id, backend_id, ${state}, now(), ${error}::text,
      CASE WHEN ${error}::text IS NULL THEN NULL ELSE now() END, ${toolCount}::integer
    FROM mcp_backends WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}
    ON CONFLICT (tenant_id, backend_id) DO UPDATE SET state = excluded.state,
      checked_at = excluded.checked_at,
      last_error = coalesce(excluded.last_error, h.last_error),
      last_error_at = coalesce(excluded.last_error_at, h.last_error_at),
      tool_count = coalesce(excluded.tool_count, h.tool_count)`.execute(db);
}

/** Deletes the health of a server. */
export async function deleteHealthOf(tx: Tx, tenantId: string, backendId: string): Promise<void> {
  await sql`
    DELETE FROM mcp_server_health
    WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`.execute(tx);
}
