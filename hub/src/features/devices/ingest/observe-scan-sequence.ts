// Looks whether the scans that begin in a group are those of one machine.
import type { Tx } from '../../../platform/db/database.ts';
import { hear, type Series } from './scan-sequence.ts';
import { type HeardSeries, selectSeries, writeSeries } from './scan-sequence-store.ts';
import type { NewScan } from './scan-store.ts';

/**
 * Marks devices whose scans are counted in two series; true where it marked one. `opened`: in the order of arrival, not
 * stored yet. Costs nothing where each has a higher number than all before it, as nearly always.
 */
export async function compareSeries(
  tx: Tx,
  tenantId: string,
  opened: readonly NewScan[],
  now: Date,
): Promise<boolean> {
  const odd = new Set(opened.filter((scan) => !scan.isHighest).map((scan) => scan.device_id));
  if (odd.size === 0) return false;
  const known = await selectSeries(tx, tenantId, [...odd]);
  const perDevice = Map.groupBy(
    opened.filter((scan) => odd.has(scan.device_id)),
    (scan) => scan.device_id,
  );
  const heard = [...perDevice].flatMap(([deviceId, scans]) => {
    const before = known.get(deviceId);
    return before === undefined ? [] : heardOf(deviceId, before, scans, now);
  });
  if (heard.length > 0) await writeSeries(tx, tenantId, heard, now);
  return heard.some((series) => series.isTwo);
}

function heardOf(
  deviceId: string,
  before: Series,
  scans: readonly NewScan[],
  now: Date,
): HeardSeries[] {
  let series = before;
  let isTwo = false;
  for (const { scan, isHighest } of scans) {
    if (scan.seq === undefined) {
      series = { ...series, highest: null };
      continue;
    }
    const startedAt = new Date(scan.started_at);
    const next = hear(series, { seq: scan.seq, startedAt, isHighest }, now);
    series = next;
    isTwo ||= next.isTwo;
  }
  const { lower } = series;
  return lower === null || lower === before.lower ? [] : [{ deviceId, lower, isTwo }];
}
