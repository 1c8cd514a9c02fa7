// Tokens of gateway nodes: the operator creates them, and every request of a node is authenticated with one.
// Main types: `Node`, `NodeTokenRecord` (store.ts).
// Invariant: only the hash of a token is stored; a revoked, expired or suspended token is refused with the next request.
// Depends on platform/issued-secrets.ts. Start reading at `authenticateNode`.

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

/** An authenticated gateway node; `tenantId` null: the node serves all tenants. */
export interface Node {
  tokenId: string;
  name: string;
  tenantId: string | null;
}

/** Creates a token and returns it once; only its hash is stored. Throws UsageError for a bad name. */
export async function createNodeToken(
  db: Db,
  options: { name: string; tenantId: string | null },
): Promise<{ token_id: string; token: string }> {
  const name = options.name.trim();
  if (name === '' || name.length > 200) throw new UsageError('--name must be 1-200 characters');
  const token = makeSecret('node');
  const tokenId = randomUUID();
  await insertNodeToken(db, { ...options, name, tokenId, hash: hashSecret(token) });
  return { token_id: tokenId, token };
}

/** Revokes a token: its node's next request is refused. Returns false for an unknown id. */
export async function revokeNodeToken(db: Db, tokenId: string): Promise<boolean> {
  return isUuid(tokenId) && endNodeToken(db, tokenId);
}

/** Returns the tokens of nodes that serve the tenant, without their secrets. */
export async function listNodeTokens(db: Db, tenantId: string) {
  return (await selectNodeTokens(db, tenantId)).map(nodeTokenRow);
}

/** Returns the node token with this id, of any tenant; null if there is none. */
export async function findNodeToken(db: Db, tokenId: string) {
  const token = isUuid(tokenId) ? await selectNodeTokenById(db, tokenId) : null;
  return token === null ? null : nodeTokenRow(token);
}

function nodeTokenRow(token: NodeTokenRecord) {
  const { token_id, tenant_id, name } = token;
  return { token_id, tenant_id, name, ...tokenStatus(token) };
}

/** Finds and revokes leaked node tokens by hash. A token for all tenants belongs to no tenant. */
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

/** Returns the name of a tenant's own node, also after its token ended; null for a node of all tenants. */
export const nodeNamed = selectNodeName;

/** Returns the node of an `Authorization` header. Throws `invalid_node_token` and `tenant_suspended`. */
export async function authenticateNode(db: Db, authorization: string | undefined): Promise<Node> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || !isSecret('node', token)) throw new HubError('invalid_node_token');
  const active = await selectNodeToken(db, hashSecret(token));
  if (active === null) throw new HubError('invalid_node_token');
  const { isSuspended, ...node } = active;
  if (isSuspended) throw new HubError('tenant_suspended');
  return node;
}
