// Agent tokens as administrators and the command line make and revoke them.
import { randomUUID } from 'node:crypto';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { sql } from 'kysely';
import { BY_OPERATOR, type By, recordAudit } from '../../../platform/audit.ts';
import { ConfigError, UsageError } from '../../../platform/config/config.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { insertToken, revokeToken } from './store.ts';
import { selectTokenHashes } from './token-store.ts';

export const TOKEN_CACHE = 'agent_token';
interface NewToken {
  tenantId: string;
  tokenId?: string;
  name: string;
  expiresAt: Date | null;
  enrolOnly: boolean;
}

/** Makes an agent token; the secret is given once and stored as a hash. */
export async function issueAgentToken(
  db: Db,
  by: By,
  { tenantId, tokenId = randomUUID(), name, expiresAt, enrolOnly }: NewToken,
): Promise<{ token_id: string; token: string }> {
  const secret = makeSecret('agent');
  await transact(db, async (tx) => {
    await insertToken(tx, {
      token_id: tokenId,
      token_hash: hashSecret(secret),
      tenant_id: tenantId,
      name,
      enrol_only: enrolOnly,
      device_id: null,
      subscriber_id: null,
      expires_at: expiresAt,
    });
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'agent_token.create',
      resource: { kind: 'agent_token', id: tokenId },
      detail: { name, enrol_only: enrolOnly, expires_at: expiresAt },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'agent-tokens' });
  });
  return { token_id: tokenId, token: secret };
}

/** For the command line. Throws ConfigError for a name that is blank or too long. */
export async function createAgentToken(
  db: Db,
  token: NewToken,
): Promise<{ token_id: string; token: string }> {
  const name = token.name.trim();
  if (name === '' || name.length > 200) throw new UsageError('--name must be 1-200 characters');
  return issueAgentToken(db, BY_OPERATOR, { ...token, name });
}

/** Every hub process forgets it within a second. False where there is none. */
export function endAgentToken(db: Db, by: By, tokenId: string): Promise<boolean> {
  return transact(db, (tx) => endTokenIn(tx, by, tokenId, {}));
}

/** The same within a transaction. `detail` goes into the trail. */
async function endTokenIn(tx: Tx, by: By, tokenId: string, detail: object): Promise<boolean> {
  const revoked = await revokeToken(tx, tokenId);
  if (revoked === null) return false;
  await notify(tx, {
    kind: 'forget',
    cache: TOKEN_CACHE,
    keys: [revoked.token_hash.toString('hex')],
  });
  await recordAudit(tx, {
    ...by,
    tenantId: revoked.tenant_id,
    operation: 'agent_token.revoke',
    resource: { kind: 'agent_token', id: tokenId },
    detail,
  });
  await notify(tx, { kind: 'page', tenant: revoked.tenant_id, topic: 'agent-tokens' });
  return true;
}

/** Agent and device tokens by their secret's hash. */
export const ISSUED_AGENT_TOKENS = createIssuedKind(
  'agent',
  {
    table: 'agent_tokens',
    id: 'token_id',
    hash: 'token_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`null`,
    createdBy: sql`null`,
    // Devices renew their own.
    isExpiryNotified: sql`device_id IS NULL`,
  },
  async (tx, by, { id }) => {
    await endTokenIn(tx, by, id, { why: 'leaked' });
  },
);

/** Removes all tokens of a tenant from the caches of all hubs: each is read again with its next request. */
export async function forgetAgentTokens(tx: Tx, tenantId: string): Promise<void> {
  const keys = (await selectTokenHashes(tx, tenantId)).map((hash) => hash.toString('hex'));
  if (keys.length > 0) await notify(tx, { kind: 'forget', cache: TOKEN_CACHE, keys });
}

/** For the command line. Throws ConfigError where there is no such token. */
export async function revokeAgentToken(db: Db, tokenId: string): Promise<void> {
  const ended = /^[0-9a-f-]{36}$/i.test(tokenId) && (await endAgentToken(db, BY_OPERATOR, tokenId));
  if (!ended) throw new ConfigError(`there is no token ${tokenId}`);
}
