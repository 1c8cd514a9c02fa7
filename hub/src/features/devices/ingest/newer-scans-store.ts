// SQL of the results of newer scans, for batches that arrive late.

import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { coveredPairs, type NewerScanSummary } from './scan-coverage.ts';

/** The results of scans with a higher number; read only for a batch of an older scan. */
export async function selectNewerScanSummary(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  seq: number,
  forgotten: number,
): Promise<NewerScanSummary> {
  if (seq <= forgotten)
    return { coversAll: false, coveredPairsByScan: [], mentionedIdPrefixes: [], isPruned: true };
  const scans = await row(
    tx,
    sql<{ all: boolean | null }>`
      SELECT bool_or(covers_all) AS all FROM scans
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND seq > ${seq}`,
  );
  const words = await rows(
    tx,
    sql<{ named: Buffer; gone: Buffer | null }>`
      SELECT named, gone FROM batches
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND scan_seq > ${seq}
        AND scan_id IS NOT NULL`,
  );
  return {
    coversAll: scans?.all === true,
    coveredPairsByScan: await selectNewerCoverage(tx, tenantId, deviceId, seq),
    isPruned: false,
    mentionedIdPrefixes: words.flatMap((word) =>
      word.gone === null ? [word.named] : [word.named, word.gone],
    ),
  };
}

/** Returns the coverage of each complete full scan with a higher number. */
async function selectNewerCoverage(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  seq: number,
): Promise<Set<string>[]> {
  const lists = await rows(
    tx,
    sql<{ scan_id: string; coverage: WireCoverage[] }>`
      SELECT b.scan_id, b.coverage FROM batches b
      JOIN scans s ON s.tenant_id = b.tenant_id AND s.device_id = b.device_id
        AND s.scan_id = b.scan_id
      WHERE b.tenant_id = ${tenantId} AND b.device_id = ${deviceId} AND b.scan_seq > ${seq}
        AND b.coverage IS NOT NULL AND s.kind = 'full' AND s.finished_at IS NOT NULL
        AND EXISTS (SELECT FROM coverage c WHERE c.tenant_id = b.tenant_id
          AND c.device_id = b.device_id AND c.full_seq > ${seq})`,
  );
  return [...Map.groupBy(lists, (list) => list.scan_id).values()].map((ofScan) =>
    coveredPairs(ofScan.flatMap((record) => record.coverage)),
  );
}
