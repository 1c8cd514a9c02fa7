// SQL of agent tokens as administrators see them: those that installers carry, not those of single devices.
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { newestFirst } from '../../../platform/db/list-conditions.ts';

export interface AgentTokenRecord {
  token_id: string;
  name: string;
  enrol_only: boolean;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  expired: boolean;
  sort_key: string;
}

const COLUMNS = sql`
  token_id, name, enrol_only, created_at, expires_at, revoked_at,
  coalesce(expires_at <= now(), false) AS expired, created_at::text AS sort_key`;

export function selectAgentTokens(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<AgentTokenRecord[]> {
  return rows(
    db,
    sql<AgentTokenRecord>`
      SELECT ${COLUMNS} FROM agent_tokens
      WHERE tenant_id = ${tenantId} AND device_id IS NULL
        AND ${newestFirst(after, 'created_at', 'token_id')}
      ORDER BY created_at DESC, token_id LIMIT ${limit}`,
  );
}

export function selectAgentToken(
  db: Db,
  tenantId: string,
  tokenId: string,
): Promise<AgentTokenRecord | null> {
  return row(
    db,
    sql<AgentTokenRecord>`
      SELECT ${COLUMNS} FROM agent_tokens
      WHERE tenant_id = ${tenantId} AND token_id = ${tokenId} AND device_id IS NULL`,
  );
}

/** Returns the token of installers with this id, of whatever tenant; null if there is none. */
export async function findAgentToken(db: Db, tokenId: string): Promise<{ name: string } | null> {
  if (!isUuid(tokenId)) return null;
  return row(
    db,
    sql<{ name: string }>`
      SELECT name FROM agent_tokens WHERE token_id = ${tokenId} AND device_id IS NULL`,
  );
}

/** Returns the hashes of all tokens of a tenant that were not revoked, those of devices among them. */
export async function selectTokenHashes(db: Db, tenantId: string): Promise<Buffer[]> {
  const records = await rows(
    db,
    sql<{ token_hash: Buffer }>`
      SELECT token_hash FROM agent_tokens WHERE tenant_id = ${tenantId} AND revoked_at IS NULL`,
  );
  return records.map((token) => token.token_hash);
}
