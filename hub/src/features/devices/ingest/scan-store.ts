// SQL of batches, scans and coverage: the content of each batch, its scan, and the sources that the scan read.

import type { WireCoverage, WireScan } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx, transact } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { lockDevices, MAX_SCAN } from '../enrollment/index.ts';
import { mergeCoverage } from './scan-coverage.ts';

/** The key of a batch or scan of a device. */
export const pairKey = (deviceId: string, id: string): string => `${deviceId}/${id}`;

export interface StoredBatch {
  endpoint: string;
  body_hash: Buffer;
  accepted: number;
  unchanged: number;
}

/** Batches that were stored before, by device and batch id. */
export async function selectBatches(
  tx: Tx,
  tenantId: string,
  wanted: readonly { deviceId: string; batchId: string }[],
): Promise<Map<string, StoredBatch>> {
  const records = await rows(
    tx,
    sql<StoredBatch & { device_id: string; batch_id: string }>`
      ${PREPARED} SELECT b.device_id, b.batch_id, b.endpoint, b.body_hash, b.accepted, b.unchanged
      FROM unnest(${wanted.map((item) => item.deviceId)}::uuid[],
          ${wanted.map((item) => item.batchId)}::uuid[]) AS w(device_id, batch_id)
      -- LATERAL with a limit: always a look-up by key, whatever the statistics make of the table.
      CROSS JOIN LATERAL (
        SELECT * FROM batches WHERE tenant_id = ${tenantId} AND device_id = w.device_id
          AND batch_id = w.batch_id LIMIT 1) b`,
  );
  return new Map(records.map((batch) => [pairKey(batch.device_id, batch.batch_id), batch]));
}

/** The summary of a batch of entities, stored as long as the batch id. */
export interface BatchMentions {
  scanId: string;
  scanSeq: number;
  scanBatch: number;
  /** The first 8 bytes of the ids that it named as present, and of those that it called removed. */
  mentionedIds: Buffer;
  removedIds: Buffer;
  contents: Buffer;
  coverage: readonly WireCoverage[] | null;
}

export interface NewBatch extends StoredBatch {
  deviceId: string;
  batchId: string;
  mentions: BatchMentions | null;
}

export async function insertBatches(
  tx: Tx,
  tenantId: string,
  batches: readonly NewBatch[],
): Promise<void> {
  if (batches.length === 0) return;
  const column = <T>(of: (batch: NewBatch) => T): T[] => batches.map(of);
  await sql`
    ${PREPARED} INSERT INTO batches
      (tenant_id, device_id, batch_id, endpoint, body_hash, accepted, unchanged, received_at,
       scan_id, scan_seq, scan_batch, named, gone, contents, coverage)
    SELECT ${tenantId}::uuid, b.device_id, b.batch_id, b.endpoint, b.body_hash, b.accepted,
      b.unchanged, now(), b.scan_id, b.scan_seq, b.scan_batch, b.named, b.gone, b.contents,
      b.coverage::jsonb
    FROM unnest(${column((b) => b.deviceId)}::uuid[], ${column((b) => b.batchId)}::uuid[],
      ${column((b) => b.endpoint)}::text[], ${column((b) => b.body_hash)}::bytea[],
      ${column((b) => b.accepted)}::integer[], ${column((b) => b.unchanged)}::integer[],
      ${column((b) => b.mentions?.scanId ?? null)}::uuid[],
      ${column((b) => b.mentions?.scanSeq ?? null)}::bigint[],
      ${column((b) => b.mentions?.scanBatch ?? null)}::integer[],
      ${column((b) => b.mentions?.mentionedIds ?? null)}::bytea[],
      ${column((b) => (b.mentions === null || b.mentions.removedIds.length === 0 ? null : b.mentions.removedIds))}::bytea[],
      ${column((b) => b.mentions?.contents ?? null)}::bytea[],
      ${column((b) => (b.mentions?.coverage == null ? null : JSON.stringify(b.mentions.coverage)))}::text[])
      AS b(device_id, batch_id, endpoint, body_hash, accepted, unchanged, scan_id, scan_seq,
        scan_batch, named, gone, contents, coverage)`.execute(tx);
}

export interface StoredScan {
  seq: number;
  /** The number that the device gave it, if any. */
  sent_seq: number | null;
  kind: string;
  batches: number;
  finished_at: Date | null;
  /** Number of batches received so far, for an open full scan. */
  receivedBatches: number;
  /** Returns the requested scans that exist, by number. */
  receivedBatchNumbers: Set<number>;
}

/**
 * The scan to make where this is the first batch of it; it is added to those that are `known`, by device and scan id.
 * A scan without a number follows everything of its device that arrived before. `highest` is the highest
 * number of a device so far, and learns it.
 */
export function openScan(
  known: Map<string, StoredScan>,
  { deviceId, scan }: { deviceId: string; scan: WireScan },
  highest: {
    of(deviceId: string): number;
    /** Returns the offset of the device's own scan numbers. */
    base(deviceId: string): number;
    learn(deviceId: string, seq: number): void;
  },
): NewScan | null {
  const key = pairKey(deviceId, scan.scan_id.toLowerCase());
  if (known.has(key)) return null;
  const seq = Math.min(
    MAX_SCAN,
    scan.seq === undefined
      ? Math.max(0, highest.of(deviceId)) + 1
      : highest.base(deviceId) + scan.seq,
  );
  const isHighest = seq > highest.of(deviceId);
  highest.learn(deviceId, seq);
  known.set(key, {
    seq,
    sent_seq: scan.seq ?? null,
    kind: scan.kind,
    batches: scan.batches,
    finished_at: null,
    receivedBatches: 0,
    receivedBatchNumbers: new Set(),
  });
  return { device_id: deviceId, scan, seq, isHighest };
}

/** Throws 400 with a pointer if a batch describes its scan differently from the scan's first batch. */
export function checkScan(stored: StoredScan, scan: WireScan): void {
  const isOther = {
    seq: (scan.seq ?? null) !== stored.sent_seq,
    kind: scan.kind !== stored.kind,
    batches: scan.batches !== stored.batches,
  };
  for (const [field, differs] of Object.entries(isOther)) {
    if (!differs) continue;
    throw new HubError(
      'invalid_request',
      `/scan/${field} differs from another batch of this scan_id`,
    );
  }
}

export interface NewScan {
  device_id: string;
  scan: WireScan;
  seq: number;
  /** Above all that its device had before. */
  isHighest: boolean;
}

export async function insertScans(
  tx: Tx,
  tenantId: string,
  made: readonly NewScan[],
): Promise<void> {
  if (made.length === 0) return;
  const records = made.map(({ device_id, scan, seq }) => ({
    ...scan,
    device_id,
    seq,
    sent_seq: scan.seq ?? null,
  }));
  const inserted = sql`
    ${PREPARED} INSERT INTO scans
      (tenant_id, device_id, scan_id, seq, sent_seq, kind, started_at, batches, received_at)
    SELECT ${tenantId}::uuid, r.device_id, r.scan_id, r.seq, r.sent_seq, r.kind, r.started_at,
      r.batches, now()
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(device_id uuid, scan_id uuid,
      seq bigint, sent_seq bigint, kind text, started_at timestamptz, batches integer)`.execute(tx);
  const last = new Map(made.map((scan) => [scan.device_id, scan.seq]));
  for (const { device_id, seq } of made) {
    last.set(device_id, Math.max(seq, last.get(device_id) ?? seq));
  }
  const highest = [...last].map(([device_id, seq]) => ({ device_id, seq }));
  const raised = sql`
    ${PREPARED} UPDATE devices d SET highest_scan = greatest(d.highest_scan, r.seq)
    FROM json_to_recordset(${JSON.stringify(highest)}::json) AS r(device_id uuid, seq bigint)
    WHERE d.tenant_id = ${tenantId} AND d.device_id = r.device_id`.execute(tx);
  await Promise.all([inserted, raised]);
}

/** The scans of these batches that have a row, with how far each has come, by device and scan id. */
export async function selectScans(
  tx: Tx,
  tenantId: string,
  wanted: readonly { deviceId: string; scan: WireScan }[],
): Promise<Map<string, StoredScan>> {
  const records = await rows(
    tx,
    sql<
      Omit<StoredScan, 'receivedBatches' | 'receivedBatchNumbers'> & {
        came: number;
        device_id: string;
        scan_id: string;
        batch: number;
        came_before: boolean;
      }
    >`
      ${PREPARED} SELECT s.device_id, s.scan_id, s.seq, s.sent_seq, s.kind, s.batches, s.finished_at,
        w.batch, b.came, b.came_before
      FROM unnest(${wanted.map((item) => item.deviceId)}::uuid[],
          ${wanted.map((item) => item.scan.scan_id)}::uuid[],
          ${wanted.map((item) => item.scan.batch)}::integer[]) AS w(device_id, scan_id, batch)
      CROSS JOIN LATERAL (
        SELECT * FROM scans WHERE tenant_id = ${tenantId} AND device_id = w.device_id
          AND scan_id = w.scan_id LIMIT 1) s
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT scan_batch)::integer AS came,
          coalesce(bool_or(scan_batch = w.batch), false) AS came_before
        FROM batches WHERE s.kind = 'full' AND s.finished_at IS NULL AND tenant_id = ${tenantId}
          AND device_id = w.device_id AND scan_seq = s.seq AND scan_id = w.scan_id) b`,
  );
  const scans = new Map<string, StoredScan>();
  for (const { device_id, scan_id, batch, came, came_before, ...stored } of records) {
    const key = pairKey(device_id, scan_id);
    const scan = scans.get(key) ?? {
      ...stored,
      receivedBatches: came,
      receivedBatchNumbers: new Set<number>(),
    };
    if (came_before) scan.receivedBatchNumbers.add(batch);
    scans.set(key, scan);
  }
  return scans;
}

/** True where with these batches, by their numbers, all of a full scan came. */
export function isComplete(
  { receivedBatches, receivedBatchNumbers, batches }: StoredScan,
  now: readonly number[],
): boolean {
  return receivedBatches + new Set(now).difference(receivedBatchNumbers).size >= batches;
}

export interface ScanPart {
  scan_batch: number;
  named: Buffer;
  contents: Buffer;
  coverage: WireCoverage[] | null;
}

/** The summaries of a scan's batches, including those of this transaction. */
export function selectScanParts(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  scan: { scanId: string; seq: number },
): Promise<ScanPart[]> {
  return rows(
    tx,
    sql<ScanPart>`
      SELECT scan_batch, named, contents, coverage FROM batches
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND scan_seq = ${scan.seq}
        AND scan_id = ${scan.scanId}
      ORDER BY scan_batch`,
  );
}

export async function finishScan(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  scanId: string,
  coversAll: boolean,
): Promise<void> {
  await sql`
    UPDATE scans SET finished_at = now(), covers_all = ${coversAll}
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND scan_id = ${scanId}`.execute(tx);
}

export interface CoverageRow {
  deviceId: string;
  scanId: string;
  seq: number;
  coverage: readonly WireCoverage[];
}

/**
 * The last report on a (source, owner) counts over scans, and of two scans with the same number the later arrival; within a scan,
 * that it was not read counts more. `written`: in the order of arrival.
 */
export async function upsertCoverage(
  tx: Tx,
  tenantId: string,
  written: readonly CoverageRow[],
): Promise<void> {
  // A group may hold several scans of a device, in any order, and several batches of one.
  const perScan = Map.groupBy(
    written.toSorted((a, b) => a.seq - b.seq),
    ({ deviceId, scanId }) => pairKey(deviceId, scanId),
  );
  const records = new Map(
    [...perScan.values()].flatMap((ofScan) =>
      mergeCoverage(ofScan.flatMap((coverage) => coverage.coverage)).map((item) => [
        `${ofScan[0]?.deviceId}\0${item.source}\0${item.owner ?? ''}`,
        {
          ...item,
          owner: item.owner ?? '',
          device_id: ofScan[0]?.deviceId,
          scan_id: ofScan[0]?.scanId,
          seq: ofScan[0]?.seq,
        },
      ]),
    ),
  );
  if (records.size === 0) return;
  await sql`
    INSERT INTO coverage AS c
      (tenant_id, device_id, source, owner, state, entities, reason, scan_id, scan_seq, at)
    SELECT ${tenantId}::uuid, r.device_id, r.source, r.owner, r.state, r.entities, r.reason,
      r.scan_id, r.seq, now()
    FROM json_to_recordset(${JSON.stringify([...records.values()])}::json)
      AS r(device_id uuid, source text, owner text, state text, entities integer, reason text,
        scan_id uuid, seq bigint)
    ORDER BY r.device_id, r.source, r.owner
    ON CONFLICT (tenant_id, device_id, source, owner) DO UPDATE SET
      state = excluded.state, entities = excluded.entities, reason = excluded.reason,
      scan_id = excluded.scan_id, scan_seq = excluded.scan_seq, at = excluded.at
    WHERE c.scan_seq < excluded.scan_seq OR (c.scan_seq = excluded.scan_seq
      AND (c.scan_id <> excluded.scan_id OR c.state IN ('read', 'absent') OR excluded.state NOT IN ('read', 'absent')))`.execute(
    tx,
  );
}

/** Remembers that a full scan read these to their end. */
export async function markCovered(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  pairs: readonly { source: string; owner: string | null }[],
  seq: number,
): Promise<void> {
  if (pairs.length === 0) return;
  await sql`
    UPDATE coverage c SET full_seq = greatest(c.full_seq, ${seq}::bigint)
    FROM json_to_recordset(${JSON.stringify(pairs)}::json) AS r(source text, owner text)
    WHERE c.tenant_id = ${tenantId} AND c.device_id = ${deviceId}
      AND c.source = r.source AND c.owner = coalesce(r.owner, '')`.execute(tx);
}

const CHUNK_SIZE = 200;

/** Notes up to which scan of each device it will be forgotten what was named: no lower scan can be held against it. */
async function recordPrunedScans(db: Db, before: Date): Promise<void> {
  const forgotten = await rows(
    db,
    sql<{ tenant_id: string; device_id: string; seq: number }>`
      SELECT b.tenant_id, b.device_id, b.seq FROM (
        SELECT tenant_id, device_id, max(scan_seq) AS seq FROM batches
        WHERE received_at < ${before} AND scan_id IS NOT NULL
        GROUP BY tenant_id, device_id) b
      JOIN devices d ON d.tenant_id = b.tenant_id AND d.device_id = b.device_id
      WHERE d.forgotten_scan < b.seq`,
  );
  for (const [tenantId, ofTenant] of Map.groupBy(forgotten, (record) => record.tenant_id)) {
    for (let from = 0; from < ofTenant.length; from += CHUNK_SIZE) {
      const some = ofTenant.slice(from, from + CHUNK_SIZE);
      await transact(db, async (tx) => {
        const ids = some.map((record) => record.device_id);
        // In the order of ingest, or the two would wait for each other.
        await lockDevices(tx, tenantId, ids);
        await sql`
          UPDATE devices d SET forgotten_scan = greatest(d.forgotten_scan, r.seq)
          FROM unnest(${ids}::uuid[], ${some.map((record) => record.seq)}::bigint[])
            AS r(device_id, seq)
          WHERE d.tenant_id = ${tenantId} AND d.device_id = r.device_id`.execute(tx);
      });
    }
  }
}

/** Batch ids, and with them what late scans are held against, are remembered for 7 days. */
export async function pruneBatches(db: Db): Promise<void> {
  const { at } = (await row(db, sql<{ at: Date }>`SELECT now() - interval '7 days' AS at`)) ?? {
    at: new Date(0),
  };
  await recordPrunedScans(db, at);
  await sql`DELETE FROM batches WHERE received_at < ${at}`.execute(db);
  // The newest numbers stay: they order what comes without one.
  await sql`
    DELETE FROM scans s WHERE s.received_at < now() - interval '7 days' AND EXISTS (
      SELECT 1 FROM scans n WHERE n.tenant_id = s.tenant_id AND n.device_id = s.device_id
        AND n.seq > s.seq)`.execute(db);
}
