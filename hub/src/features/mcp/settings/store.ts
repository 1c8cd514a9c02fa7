// All SQL of what a tenant decides about MCP clients.
import type { McpClientName } from '@gatewarden/shared/mcp-clients.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface McpSettings {
  allowed_email_domains: string[];
  company_domain_aliases: string[];
  redirect_https: string[];
  redirect_schemes: string[];
  redirect_clients: McpClientName[];
  allowed_origins: string[];
  version: number;
}

export function selectSettings(db: Db, tenantId: string): Promise<McpSettings | null> {
  return row(
    db,
    sql<McpSettings>`
      SELECT allowed_email_domains, company_domain_aliases, redirect_https, redirect_schemes,
        redirect_clients, allowed_origins, version
      FROM mcp_settings WHERE tenant_id = ${tenantId}`,
  );
}

/** Null where another writer was faster. */
export function storeSettings(
  tx: Tx,
  tenantId: string,
  before: number,
  mcpSettings: Omit<McpSettings, 'version'>,
): Promise<McpSettings | null> {
  const list = (values: readonly string[]) => sql`${JSON.stringify(values)}::jsonb`;
  return row(
    tx,
    sql<McpSettings>`
      INSERT INTO mcp_settings AS s (tenant_id, allowed_email_domains, company_domain_aliases,
        redirect_https, redirect_schemes, redirect_clients, allowed_origins, version, updated_at)
      VALUES (${tenantId}, ${list(mcpSettings.allowed_email_domains)}, ${list(mcpSettings.company_domain_aliases)},
        ${list(mcpSettings.redirect_https)}, ${list(mcpSettings.redirect_schemes)}, ${list(mcpSettings.redirect_clients)},
        ${list(mcpSettings.allowed_origins)},
        ${before + 1}, now())
      ON CONFLICT (tenant_id) DO UPDATE SET
        allowed_email_domains = excluded.allowed_email_domains,
        company_domain_aliases = excluded.company_domain_aliases,
        redirect_https = excluded.redirect_https, redirect_schemes = excluded.redirect_schemes,
        redirect_clients = excluded.redirect_clients,
        allowed_origins = excluded.allowed_origins, version = excluded.version,
        updated_at = excluded.updated_at
      WHERE s.version = ${before}
      RETURNING allowed_email_domains, company_domain_aliases, redirect_https, redirect_schemes,
        redirect_clients, allowed_origins, version`,
  );
}

export type AllowedClients = Pick<
  McpSettings,
  'redirect_https' | 'redirect_schemes' | 'redirect_clients' | 'allowed_origins'
>;

/**
 * Returns what each tenant allows clients, of the tenants that allow anything. Over all tenants, for requests from before
 * it is known whose they are.
 */
export function selectAllowedClients(db: Db): Promise<AllowedClients[]> {
  return rows(
    db,
    sql<AllowedClients>`
      SELECT redirect_https, redirect_schemes, redirect_clients, allowed_origins FROM mcp_settings
      WHERE redirect_https <> '[]' OR redirect_schemes <> '[]' OR redirect_clients <> '[]'
        OR allowed_origins <> '[]'`,
  );
}
