// Tokens of gateway nodes: made by the operator, looked up on every request.

import { randomUUID } from 'node:crypto';
import { hashSecret, isSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { sql } from 'kysely';
import { recordAudit } from '../../../platform/audit.ts';
import { UsageError } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { tokenStatus } from '../../../platform/http/lists/console-lists.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import {
  endNodeToken,
  insertNodeToken,
  type NodeTokenRecord,
  selectNodeName,
  selectNodeToken,
  selectNodeTokenById,
  selectNodeTokens,
} from './store.ts';

/** Who asks: a node of one tenant, or of all. */
export interface Node {
  tokenId: string;
  name: string;
  tenantId: string | null;
}

/** Makes a token; the secret is given once and stored as a hash. Throws ConfigError for a bad name. */
export async function createNodeToken(
  db: Db,
  wanted: { name: string; tenantId: string | null },
): Promise<{ token_id: string; token: string }> {
  const name = wanted.name.trim();
  if (name === '' || name.length > 200) throw new UsageError('--name must be 1-200 characters');
  const token = makeSecret('node');
  const tokenId = randomUUID();
  await insertNodeToken(db, { ...wanted, name, tokenId, hash: hashSecret(token) });
  return { token_id: tokenId, token };
}

/** Ends a token with its node's next request. False where there is none of this id. */
export async function revokeNodeToken(db: Db, tokenId: string): Promise<boolean> {
  return isUuid(tokenId) && endNodeToken(db, tokenId);
}

/** Returns the tokens of nodes that serve the tenant, without their secrets. */
export async function listNodeTokens(db: Db, tenantId: string) {
  return (await selectNodeTokens(db, tenantId)).map(nodeTokenRow);
}

/** Returns the node token with this id, of whatever tenant; null if there is none. */
export async function findNodeToken(db: Db, tokenId: string) {
  const token = isUuid(tokenId) ? await selectNodeTokenById(db, tokenId) : null;
  return token === null ? null : nodeTokenRow(token);
}

function nodeTokenRow(token: NodeTokenRecord) {
  const { token_id, tenant_id, name } = token;
  return { token_id, tenant_id, name, ...tokenStatus(token) };
}

/** A node's token by its hash; one that serves all tenants is no tenant's to find. */
export const ISSUED_NODE_TOKENS = createIssuedKind(
  'node',
  {
    table: 'node_tokens',
    id: 'token_id',
    hash: 'token_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`null`,
    createdBy: sql`null`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id, tenant_id: tenantId, name }) => {
    await endNodeToken(tx, id);
    if (tenantId === null) return;
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'node_token.revoke',
      resource: { kind: 'node_token', id },
      detail: { name, why: 'leaked' },
    });
  },
);

/** What a tenant's own node is called, also one whose token ended; null where it is none of theirs alone. */
export const nodeNamed = selectNodeName;

/** The node of an `Authorization` header. Throws `invalid_node_token`. */
export async function nodeOf(db: Db, authorization: string | undefined): Promise<Node> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || !isSecret('node', token)) throw new HubError('invalid_node_token');
  const found = await selectNodeToken(db, hashSecret(token));
  if (found === null) throw new HubError('invalid_node_token');
  const { isSuspended, ...node } = found;
  if (isSuspended) throw new HubError('tenant_suspended');
  return node;
}
