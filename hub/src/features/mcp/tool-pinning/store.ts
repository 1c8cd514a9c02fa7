// SQL of pinned tool definitions.
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';

/** Tools, and the instructions of the server as a whole. */
export type PinKind = 'tool' | 'instructions';

export interface Pin {
  kind: PinKind;
  /** Name of the tool; a constant for instructions. */
  tool: string;
  pinned_digest: Buffer | null;
  pinned: Record<string, unknown> | null;
  seen_digest: Buffer | null;
  seen: Record<string, unknown> | null;
  seen_at: Date | null;
}

export interface Place {
  tenantId: string;
  backendId: string;
}

export function selectPins(db: Db, { tenantId, backendId }: Place): Promise<Pin[]> {
  return rows(
    db,
    sql<Pin>`
      SELECT kind, tool, pinned_digest, pinned, seen_digest, seen, seen_at FROM mcp_tool_pins
      WHERE tenant_id = ${tenantId} AND backend_id = ${backendId} ORDER BY kind, tool COLLATE "C"`,
  );
}

export interface PinCounts {
  backend_id: string;
  /** Tools with an approved definition. */
  approved: number;
  /** Tools that are new or changed since the approval. */
  drifted: number;
}

/** Returns the number of pinned tools of each server that has pins. */
export function countPins(db: Db, tenantId: string): Promise<PinCounts[]> {
  return rows(
    db,
    sql<PinCounts>`
      SELECT backend_id, count(pinned_digest)::integer AS approved,
        count(seen_digest)::integer AS drifted
      FROM mcp_tool_pins WHERE tenant_id = ${tenantId} AND kind = 'tool' GROUP BY backend_id`,
  );
}

export interface Definition {
  kind: PinKind;
  tool: string;
  digest: Buffer;
  definition: Record<string, unknown>;
}

const records = (all: readonly Definition[]) =>
  JSON.stringify(all.map((item) => ({ ...item, digest: item.digest.toString('hex') })));

/** Replaces the pins by these definitions. */
export async function replacePins(
  tx: Tx,
  { tenantId, backendId }: Place,
  all: readonly Definition[],
): Promise<void> {
  await sql`
    DELETE FROM mcp_tool_pins
    WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`.execute(tx);
  await sql`
    INSERT INTO mcp_tool_pins (tenant_id, backend_id, kind, tool, pinned_digest, pinned)
    SELECT ${tenantId}::uuid, ${backendId}::uuid, kind, tool, decode(digest, 'hex'), definition
    FROM json_to_recordset(${records(all)}::json)
      AS r(kind text, tool text, digest text, definition jsonb)`.execute(tx);
}

/** Stores definitions that differ from their pins, and clears the mark of those that are equal again. */
export async function storeSeen(
  tx: Tx,
  { tenantId, backendId }: Place,
  kind: PinKind,
  differing: readonly Definition[],
  same: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO mcp_tool_pins AS p (tenant_id, backend_id, kind, tool, seen_digest, seen, seen_at)
    SELECT ${tenantId}::uuid, ${backendId}::uuid, kind, tool, decode(digest, 'hex'), definition, now()
    FROM json_to_recordset(${records(differing)}::json)
      AS r(kind text, tool text, digest text, definition jsonb)
    ON CONFLICT (tenant_id, backend_id, kind, tool) DO UPDATE SET seen_digest = excluded.seen_digest,
      seen = excluded.seen, seen_at = excluded.seen_at`.execute(tx);
  await sql`
    UPDATE mcp_tool_pins SET seen_digest = NULL, seen = NULL, seen_at = NULL
    WHERE tenant_id = ${tenantId} AND backend_id = ${backendId} AND kind = ${kind}
      AND tool = ANY (${[...same]})`.execute(tx);
}
