// SQL of the prices that organizations set.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';
import type { PriceOverrides } from './find-price.ts';

export interface StoredPrices {
  overrides: PriceOverrides;
  version: number;
}

/** Returns the prices of a tenant; without a row they are version 1 without prices. */
export async function selectPrices(db: Db, tenantId: string): Promise<StoredPrices> {
  const stored = await row(
    db,
    sql<StoredPrices>`
      SELECT overrides, version FROM llm_prices WHERE tenant_id = ${tenantId}`,
  );
  return stored ?? { overrides: {}, version: 1 };
}

/** Returns the prices that the tenant set, by model. */
export const selectPriceOverrides = async (db: Db, tenantId: string): Promise<PriceOverrides> =>
  (await selectPrices(db, tenantId)).overrides;

/** Stores the prices as the next version. Returns null if another writer was faster. */
export function storePrices(
  tx: Tx,
  tenantId: string,
  version: number,
  overrides: PriceOverrides,
): Promise<StoredPrices | null> {
  return row(
    tx,
    sql<StoredPrices>`
      INSERT INTO llm_prices AS p (tenant_id, overrides, version)
      VALUES (${tenantId}, ${JSON.stringify(overrides)}::jsonb, 2)
      ON CONFLICT (tenant_id) DO UPDATE
        SET overrides = excluded.overrides, version = p.version + 1
        WHERE p.version = ${version}
      RETURNING overrides, version`,
  );
}
