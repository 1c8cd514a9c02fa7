// All SQL of agent releases: what the vendor signed, its bytes in pieces, and who may have it.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

/** The size of a row in bytes. A row is sent and released before the next row is read. */
export const PIECE_BYTES = 256 * 1024;

export interface Release {
  release_id: string;
  version: string;
  channel: string;
  platform: Platform;
  arch: string;
  minimum_version: string;
  file_name: string;
  size: number;
  sha256: string;
  manifest: string;
  signature: string;
  made_at: Date;
  expires_at: Date;
  added_at: Date;
  ring_percent: number;
  withdrawn_at: Date | null;
}

const COLUMNS = sql`
  release_id, version, channel, platform, arch, minimum_version, file_name, size::float8 AS size,
  sha256, manifest, signature, made_at, expires_at, added_at, ring_percent, withdrawn_at`;

export async function insertRelease(
  tx: Tx,
  record: Omit<Release, 'added_at' | 'withdrawn_at'>,
): Promise<void> {
  await sql`
    INSERT INTO agent_releases
      (release_id, version, channel, platform, arch, minimum_version, file_name, size, sha256,
       manifest, signature, made_at, expires_at, added_at, ring_percent)
    VALUES (${record.release_id}, ${record.version}, ${record.channel}, ${record.platform}, ${record.arch},
      ${record.minimum_version}, ${record.file_name}, ${record.size}, ${record.sha256}, ${record.manifest},
      ${record.signature}, ${record.made_at}, ${record.expires_at}, now(), ${record.ring_percent})`.execute(
    tx,
  );
}

export async function insertPiece(
  tx: Tx,
  releaseId: string,
  piece: number,
  bytes: Buffer,
): Promise<void> {
  await sql`
    INSERT INTO agent_release_pieces (release_id, piece, bytes)
    VALUES (${releaseId}, ${piece}, ${bytes})`.execute(tx);
}

/** Serialises who adds: the number of releases is bounded. */
export async function lockReleases(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('agent_releases'))`.execute(tx);
}

export function selectReleases(db: Db): Promise<Release[]> {
  return rows(
    db,
    sql<Release>`SELECT ${COLUMNS} FROM agent_releases ORDER BY added_at DESC, release_id`,
  );
}

/** Returns the releases that are not withdrawn, for a platform and architecture. */
export function selectOffered(
  db: Db,
  machine: { platform: string; arch: string; channel: string },
): Promise<Release[]> {
  return rows(
    db,
    sql<Release>`
      SELECT ${COLUMNS} FROM agent_releases
      WHERE platform = ${machine.platform} AND arch = ${machine.arch}
        AND channel = ${machine.channel} AND withdrawn_at IS NULL`,
  );
}

/** Returns the releases with this file that are not withdrawn. */
export function selectWithFile(db: Db, sha256: string): Promise<Release[]> {
  return rows(
    db,
    sql<Release>`
      SELECT ${COLUMNS} FROM agent_releases WHERE sha256 = ${sha256} AND withdrawn_at IS NULL`,
  );
}

export function selectPiece(
  db: Db,
  releaseId: string,
  piece: number,
): Promise<{ bytes: Buffer } | null> {
  return row(
    db,
    sql<{ bytes: Buffer }>`
      SELECT bytes FROM agent_release_pieces
      WHERE release_id = ${releaseId} AND piece = ${piece}`,
  );
}

/** Returns the releases that groups of this tenant receive early. */
export function selectReleaseGroups(
  db: Db,
  tenantId: string,
): Promise<{ release_id: string; group_id: string }[]> {
  return rows(
    db,
    sql<{ release_id: string; group_id: string }>`
      SELECT release_id, group_id FROM agent_release_groups WHERE tenant_id = ${tenantId}`,
  );
}

export async function insertReleaseGroup(
  tx: Tx,
  tenantId: string,
  releaseId: string,
  groupId: string,
): Promise<void> {
  await sql`
    INSERT INTO agent_release_groups (tenant_id, release_id, group_id)
    VALUES (${tenantId}, ${releaseId}, ${groupId})
    ON CONFLICT (tenant_id, release_id, group_id) DO NOTHING`.execute(tx);
}

/** Null where there is none, or it was withdrawn. */
export function updateRing(
  tx: Tx,
  releaseId: string,
  percent: number,
): Promise<{ version: string } | null> {
  return row(
    tx,
    sql<{ version: string }>`
      UPDATE agent_releases SET ring_percent = ${percent}
      WHERE release_id = ${releaseId} AND withdrawn_at IS NULL RETURNING version`,
  );
}

/** Offered to nobody from now on; the bytes go at once, the entry stays. Null where there is none to withdraw. */
export async function withdraw(tx: Tx, releaseId: string): Promise<{ version: string } | null> {
  const record = await row(
    tx,
    sql<{ version: string }>`
      UPDATE agent_releases SET withdrawn_at = ${new Date()}::timestamptz
      WHERE release_id = ${releaseId} AND withdrawn_at IS NULL RETURNING version`,
  );
  if (record === null) return null;
  await sql`DELETE FROM agent_release_pieces WHERE release_id = ${releaseId}`.execute(tx);
  return record;
}
