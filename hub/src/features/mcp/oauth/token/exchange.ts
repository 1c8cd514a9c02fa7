// The token endpoint: exchanges a code for a token in a single transaction, so that no code or token survives a crash twice.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { type AuditEvent, recordAudit, recordAudits } from '../../../../platform/audit.ts';
import { createBatchLoader } from '../../../../platform/db/batch-loader.ts';
import { type Db, type Tx, transact } from '../../../../platform/db/database.ts';
import {
  insertOAuthTokens,
  type NewOAuthToken,
  revokeOAuthToken,
  type TokenCheck,
} from '../../access-tokens/index.ts';
import { hostOf } from '../consent-page.ts';
import type { OAuthError } from '../errors.ts';
import type { Tenancy } from '../grant.ts';
import { type Namespace, SCOPES } from '../namespaces.ts';
import { tokenOfCode, type UsedCode, useCodes } from '../store.ts';
import { checkGrantType } from './check-grant-type.ts';
import { invalidGrant, readTokenForm } from './request.ts';
import { validateExchange } from './validate.ts';

/** `expires_in` of the response (RFC 6749 §5.1); a token stays valid until it is revoked. */
const EXPIRES_IN = 31_536_000;

export interface TokenDeps {
  db: Db;
  origin: string;
  pkce: 'if_sent' | 'off';
  check: TokenCheck;
  membershipsOf(emailFolded: string, on: Db): Promise<Tenancy[]>;
}

/** Exchanges a code (RFC 6749 §4.1.3). Throws OAuthError. A second use of a code revokes its token (RFC 6749 §4.1.2). */
export type Exchange = (
  namespace: Namespace,
  request: { body: unknown; id: string },
) => Promise<object>;

/** A code that a client presents, and the token that the code would give. */
interface PresentedCode {
  codeHash: Buffer;
  tokenId: string;
  secretHash: Buffer;
  requestId: string;
  /** Returns the error of the exchange. The code is used up anyway, so that nobody may try another verifier. */
  validate(used: UsedCode): OAuthError | null;
}

/** The scopes of every token. They are labels of identity instead of permissions. */
const GRANTED_SCOPE = SCOPES.join(' ');

/** Returns the exchange of codes. Codes that arrive during a commit are exchanged together by the next transaction. */
export function createExchange(deps: TokenDeps): Exchange {
  const { db, origin, pkce } = deps;
  const exchange = createBatchLoader((codes: readonly PresentedCode[]) =>
    transact(db, (tx) => exchangeCodes(tx, deps, codes)),
  );
  return async (namespace, { body, id: requestId }) => {
    const form = readTokenForm(body);
    const code = checkGrantType(form);
    const secret = makeSecret('gatewayOAuth');
    const presented: PresentedCode = {
      codeHash: hashSecret(code),
      tokenId: randomUUID(),
      secretHash: hashSecret(secret),
      requestId,
      validate: (used) => validateExchange({ form, used, namespace, origin, pkce }),
    };
    const problem = await exchange(presented);
    if (problem !== null) {
      await revokeTokenOfCode(deps, presented);
      throw problem;
    }
    return {
      access_token: secret,
      token_type: 'Bearer',
      expires_in: EXPIRES_IN,
      scope: GRANTED_SCOPE,
    };
  };
}

/** Returns the error of each exchange, in order; null: a token was issued. */
async function exchangeCodes(
  tx: Tx,
  deps: TokenDeps,
  codes: readonly PresentedCode[],
): Promise<(OAuthError | null)[]> {
  const usedCodes = new Map((await useCodes(tx, codes)).map((used) => [used.token_id, used]));
  const issued: { hash: Buffer; token: NewOAuthToken; requestId: string }[] = [];
  const problems = codes.map(({ tokenId, secretHash, requestId, validate }) => {
    const used = usedCodes.get(tokenId);
    if (used === undefined) return invalidGrant('The code is not valid.');
    const problem = validate(used);
    if (problem === null)
      issued.push({ hash: secretHash, token: tokenOf(used, tokenId), requestId });
    return problem;
  });
  if (issued.length === 0) return problems;
  await insertOAuthTokens(tx, issued);
  const events: AuditEvent[] = [];
  for (const { token, requestId } of issued) {
    for (const item of await selectAuditTenants(tx, deps, token)) {
      events.push({
        ...auditFields(token, item.tenant_id),
        actor: { kind: 'person', id: item.user_id, email: token.email },
        operation: 'mcp_token.issue',
        requestId,
      });
    }
  }
  await recordAudits(tx, events);
  return problems;
}

const tokenOf = (used: UsedCode, tokenId: string): NewOAuthToken => ({
  token_id: tokenId,
  namespace: used.namespace,
  tenant_id: used.tenant_id,
  user_id: used.user_id,
  email: used.email,
  email_folded: foldName(used.email),
  client_name: used.asked.clientName,
  redirect_host: hostOf(used.asked),
});

/** Revokes the token of a code that is used twice, because an attacker may have used it first (RFC 6749 §4.1.2). */
async function revokeTokenOfCode(
  deps: TokenDeps,
  { codeHash, tokenId: ownTokenId, requestId }: PresentedCode,
): Promise<void> {
  const tokenId = await tokenOfCode(deps.db, codeHash);
  if (tokenId === null || tokenId === ownTokenId) return;
  const revoked = await transact(deps.db, async (tx) => {
    const found = await revokeOAuthToken(tx, tokenId, null);
    if (found === null) return null;
    for (const item of await selectAuditTenants(tx, deps, found.token)) {
      const { detail, ...rest } = auditFields(found.token, item.tenant_id);
      await recordAudit(tx, {
        ...rest,
        actor: { kind: 'hub', id: 'mcp-gateway', email: null },
        operation: 'mcp_token.revoke',
        requestId,
        detail: { ...detail, why: 'code_used_twice' },
      });
    }
    await deps.check.invalidateEverywhere(tx, found.hash);
    return found;
  });
  if (revoked !== null) deps.check.invalidate(revoked.hash);
}

/** Returns the tenants whose audit trail records the token. A token of the root identifies the user to all tenants of the user. */
async function selectAuditTenants(
  tx: Db,
  { membershipsOf }: TokenDeps,
  { tenant_id, user_id, email_folded }: NewOAuthToken,
): Promise<Pick<Tenancy, 'tenant_id' | 'user_id'>[]> {
  return tenant_id === null || user_id === null
    ? membershipsOf(email_folded, tx)
    : [{ tenant_id, user_id }];
}

const auditFields = ({ token_id: id, ...token }: NewOAuthToken, tenantId: string) => ({
  tenantId,
  resource: { kind: 'mcp_token', id },
  detail: {
    email: token.email,
    client_name: token.client_name,
    redirect_host: token.redirect_host,
    namespace: token.namespace,
  },
});
