// SQL of shared providers.
import type { ModelCost } from '@gatewarden/shared/wire/management/providers.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import type { ProviderRow } from './rules.ts';

const COLUMNS = sql`label, provider_name, enabled, settings, sealed_settings, selected_models,
  model_costs, version, created_at, updated_at`;

export type StoredProvider = Omit<ProviderRow, 'version' | 'created_at' | 'updated_at'>;

/** Stores a provider. Returns null if the label is taken. */
export function insertProvider(
  tx: Tx,
  tenantId: string,
  provider: StoredProvider,
): Promise<ProviderRow | null> {
  return row(
    tx,
    sql<ProviderRow>`
      INSERT INTO providers (tenant_id, label, provider_name, enabled, settings, sealed_settings,
        selected_models, model_costs)
      VALUES (${tenantId}, ${provider.label}, ${provider.provider_name}, ${provider.enabled},
        ${JSON.stringify(provider.settings)}::jsonb, ${provider.sealed_settings},
        ${JSON.stringify(provider.selected_models)}::jsonb, ${JSON.stringify(provider.model_costs)}::jsonb)
      ON CONFLICT (tenant_id, label) DO NOTHING RETURNING ${COLUMNS}`,
  );
}

export interface ProviderPrices {
  label: string;
  provider_name: string;
  model_costs: Record<string, ModelCost | null>;
}

/** Returns the prices of all providers. */
export function selectProviderPrices(db: Db, tenantId: string): Promise<ProviderPrices[]> {
  return rows(
    db,
    sql<ProviderPrices>`
      SELECT label, provider_name, model_costs FROM providers
      WHERE tenant_id = ${tenantId} ORDER BY label`,
  );
}

export function selectProvider(
  db: Db,
  tenantId: string,
  label: string,
): Promise<ProviderRow | null> {
  return row(
    db,
    sql<ProviderRow>`
      SELECT ${COLUMNS} FROM providers WHERE tenant_id = ${tenantId} AND label = ${label}`,
  );
}

export function selectProviders(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(ProviderRow & PageRow)[]> {
  const beyond = after === undefined ? sql`true` : sql`label > ${after[0]}`;
  const found = sql`
    SELECT ${COLUMNS}, octet_length(settings::text) + octet_length(selected_models::text)
      + octet_length(model_costs::text) AS own_bytes
    FROM providers WHERE tenant_id = ${tenantId} AND ${beyond}
    ORDER BY label LIMIT ${limit}`;
  return rows(db, sql<ProviderRow & PageRow>`${limitPageBytes(found, sql`label`)}`);
}

/** Returns the providers with these labels, locked until the end of a transaction that writes. */
export function selectProvidersNamed(
  db: Db,
  tenantId: string,
  labels: readonly string[],
): Promise<ProviderRow[]> {
  return rows(
    db,
    sql<ProviderRow>`
      SELECT ${COLUMNS} FROM providers
      WHERE tenant_id = ${tenantId} AND label = ANY (${labels}::text[])
      ORDER BY label FOR SHARE`,
  );
}

/** Updates a provider. Returns null if another writer was faster. */
export function updateProvider(
  tx: Tx,
  tenantId: string,
  version: number,
  provider: StoredProvider,
): Promise<ProviderRow | null> {
  return row(
    tx,
    sql<ProviderRow>`
      UPDATE providers SET enabled = ${provider.enabled},
        settings = ${JSON.stringify(provider.settings)}::jsonb,
        sealed_settings = ${provider.sealed_settings},
        selected_models = ${JSON.stringify(provider.selected_models)}::jsonb,
        model_costs = ${JSON.stringify(provider.model_costs)}::jsonb,
        version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND label = ${provider.label} AND version = ${version}
      RETURNING ${COLUMNS}`,
  );
}
