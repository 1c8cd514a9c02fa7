// SQL of the last test of each provider.
import type { ProviderTest } from '@gatewarden/shared/wire/management/providers.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import type { TestResult } from './test-model.ts';

export interface ProviderTestRow extends Pick<ProviderTest, 'kind' | 'model' | 'outcome' | 'code'> {
  label: string;
  /** The provider still has the version that was tested. */
  is_current: boolean;
  latency_ms: number | null;
  completed_at: Date;
}

/** Returns the last tests of the tenant's providers. */
export function selectProviderTests(db: Db, tenantId: string): Promise<ProviderTestRow[]> {
  return rows(
    db,
    sql<ProviderTestRow>`
      SELECT t.label, t.kind, t.model, t.outcome, t.code, t.latency_ms, t.completed_at,
        t.provider_version = p.version AS is_current
      FROM provider_tests t JOIN providers p ON p.tenant_id = t.tenant_id AND p.label = t.label
      WHERE t.tenant_id = ${tenantId} ORDER BY t.label`,
  );
}

/** Stores the test of a provider; a test that completed later stays. */
export async function storeProviderTest(
  tx: Tx,
  tenantId: string,
  provider: { label: string; version: number },
  { kind, model, outcome, code, latency_ms: latencyMs, completed_at: completedAt }: TestResult,
): Promise<void> {
  await sql`
    INSERT INTO provider_tests AS t (tenant_id, label, provider_version, kind, model, outcome, code,
      latency_ms, completed_at)
    VALUES (${tenantId}, ${provider.label}, ${provider.version}, ${kind}, ${model}, ${outcome},
      ${code}, ${latencyMs ?? null}, to_timestamp(${completedAt}))
    ON CONFLICT (tenant_id, label) DO UPDATE SET provider_version = excluded.provider_version,
      kind = excluded.kind, model = excluded.model, outcome = excluded.outcome,
      code = excluded.code, latency_ms = excluded.latency_ms, completed_at = excluded.completed_at
    WHERE t.completed_at <= excluded.completed_at`.execute(tx);
}
