// Agent tokens as the command line makes and revokes them.
import { randomUUID } from 'node:crypto';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { insertToken, revokeToken } from './store.ts';

export const TOKEN_CACHE = 'agent_token';
const OPERATOR = { kind: 'operator', id: 'command-line', email: null } as const;

/** Makes an agent token; the secret is given once and stored as a hash. */
export async function createAgentToken(
  db: Db,
  token: { tenantId: string; name: string; expiresAt: Date | null; enrolOnly: boolean },
): Promise<{ token_id: string; token: string }> {
  const name = token.name.trim();
  if (name === '' || name.length > 200) throw new ConfigError('--name must be 1-200 characters');
  const secret = makeSecret('agent');
  const tokenId = randomUUID();
  await transact(db, async (tx) => {
    await insertToken(tx, {
      token_id: tokenId,
      token_hash: hashSecret(secret),
      tenant_id: token.tenantId,
      name,
      enrol_only: token.enrolOnly,
      device_id: null,
      subscriber_id: null,
      expires_at: token.expiresAt,
    });
    await recordAudit(tx, {
      tenantId: token.tenantId,
      actor: OPERATOR,
      operation: 'agent_token.create',
      resource: { kind: 'agent_token', id: tokenId },
      requestId: null,
      detail: { name, enrol_only: token.enrolOnly, expires_at: token.expiresAt },
    });
  });
  return { token_id: tokenId, token: secret };
}

/** Every hub process forgets it within a second. */
export async function revokeAgentToken(db: Db, tokenId: string): Promise<void> {
  await transact(db, async (tx) => {
    const revoked = /^[0-9a-f-]{36}$/i.test(tokenId) ? await revokeToken(tx, tokenId) : null;
    if (revoked === null) throw new ConfigError(`there is no agent token ${tokenId}`);
    await notify(tx, {
      kind: 'forget',
      cache: TOKEN_CACHE,
      keys: [revoked.token_hash.toString('hex')],
    });
    await recordAudit(tx, {
      tenantId: revoked.tenant_id,
      actor: OPERATOR,
      operation: 'agent_token.revoke',
      resource: { kind: 'agent_token', id: tokenId },
      requestId: null,
      detail: {},
    });
  });
}
