// Detects whether the new scans of a commit group come from two machines with the same device id.
import type { Tx } from '../../../platform/db/database.ts';
import { observeScanSequence, type ScanSequence } from './scan-sequence.ts';
import {
  type ObservedScanSequence,
  selectScanSequences,
  writeScanSequences,
} from './scan-sequence-store.ts';
import type { NewScan } from './scan-store.ts';

/**
 * Marks devices whose scans are numbered in two series. Returns true if it marked a device. `opened`: new scans in the order of
 * arrival. Costs no query if each number is higher than all before it, which is the normal case.
 */
export async function detectDuplicateDeviceIds(
  tx: Tx,
  tenantId: string,
  opened: readonly NewScan[],
  now: Date,
): Promise<boolean> {
  const odd = new Set(opened.filter((scan) => !scan.isHighest).map((scan) => scan.device_id));
  if (odd.size === 0) return false;
  const known = await selectScanSequences(tx, tenantId, [...odd]);
  const perDevice = Map.groupBy(
    opened.filter((scan) => odd.has(scan.device_id)),
    (scan) => scan.device_id,
  );
  const heard = [...perDevice].flatMap(([deviceId, scans]) => {
    const before = known.get(deviceId);
    return before === undefined ? [] : observeScans(deviceId, before, scans, now);
  });
  if (heard.length > 0) await writeScanSequences(tx, tenantId, heard, now);
  return heard.some((series) => series.duplicateDeviceIdDetected);
}

function observeScans(
  deviceId: string,
  before: ScanSequence,
  scans: readonly NewScan[],
  now: Date,
): ObservedScanSequence[] {
  let series = before;
  let isTwo = false;
  for (const { scan, isHighest } of scans) {
    if (scan.seq === undefined) {
      series = { ...series, highest: null };
      continue;
    }
    const startedAt = new Date(scan.started_at);
    const next = observeScanSequence(series, { seq: scan.seq, startedAt, isHighest }, now);
    series = next;
    isTwo ||= next.isTwo;
  }
  const { lowerSequence } = series;
  return lowerSequence === null || lowerSequence === before.lowerSequence
    ? []
    : [{ deviceId, lower: lowerSequence, duplicateDeviceIdDetected: isTwo }];
}
