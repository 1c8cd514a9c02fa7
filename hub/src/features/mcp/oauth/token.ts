// The token endpoint: exchanges a code for a token in a single transaction, so that no code or token survives a crash twice.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { type AuditEvent, recordAudit, recordAudits } from '../../../platform/audit.ts';
import { createBatchLoader } from '../../../platform/db/batch-loader.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import {
  insertOAuthTokens,
  type NewOAuthToken,
  revokeOAuthToken,
  type TokenCheck,
} from '../access-tokens/index.ts';
import { GRANTED_SCOPE, invalidTarget, isResource, resourcesIn } from './authorization.ts';
import { hostOf } from './consent-page.ts';
import { OAuthError } from './errors.ts';
import type { Tenancy } from './grant.ts';
import { clientIdOf, type Namespace, namespaceId, urlsOf } from './namespaces.ts';
import { tokenOfCode, type UsedCode, useCodes } from './store.ts';

/** `expires_in` of the response (RFC 6749 §5.1); a token stays valid until it is revoked. */
const EXPIRES_IN = 31_536_000;

export interface TokenDeps {
  db: Db;
  origin: string;
  pkce: 'if_sent' | 'off';
  check: TokenCheck;
  membershipsOf(emailFolded: string, on: Db): Promise<Tenancy[]>;
}

/** Throws OAuthError. A code that was used before takes the token with it that it became. */
export type Exchange = (
  namespace: Namespace,
  request: { body: unknown; id: string },
) => Promise<object>;

/** A code that somebody shows, and what it would become. */
interface Shown {
  codeHash: Buffer;
  tokenId: string;
  secretHash: Buffer;
  requestId: string;
  /** Why it becomes nothing, though it is used up all the same: nobody may try again with another verifier. */
  problemWith(used: UsedCode): OAuthError | null;
}

export function createExchange(deps: TokenDeps): Exchange {
  // Each commit waits for the disk: those that are shown meanwhile are exchanged by the next, together.
  const settle = createBatchLoader((all: readonly Shown[]) =>
    transact(deps.db, (tx) => settled(tx, deps, all)),
  );
  return async (namespace, { body, id: requestId }) => {
    const form = formOf(body);
    const { grant_type: grantType, code } = form.fields;
    if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.');
    if (grantType !== 'authorization_code') {
      throw new OAuthError('unsupported_grant_type', 'Only authorization_code is supported.');
    }
    if (code === undefined) throw new OAuthError('invalid_request', 'code is missing.');
    const secret = makeSecret('gatewayOAuth');
    const shown: Shown = {
      codeHash: hashSecret(code),
      tokenId: randomUUID(),
      secretHash: hashSecret(secret),
      requestId,
      problemWith: (used) => problemWith(used, form, namespace, deps),
    };
    const problem = await settle(shown);
    if (problem !== null) {
      await revokeOfCode(deps, shown);
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
async function settled(
  tx: Tx,
  deps: TokenDeps,
  all: readonly Shown[],
): Promise<(OAuthError | null)[]> {
  const found = new Map((await useCodes(tx, all)).map((useCode) => [useCode.token_id, useCode]));
  const made: { hash: Buffer; token: NewOAuthToken; requestId: string }[] = [];
  const problems = all.map(({ tokenId, secretHash, requestId, problemWith: problemOf }) => {
    const used = found.get(tokenId);
    if (used === undefined) return badGrant('The code is not valid.');
    const problem = problemOf(used);
    if (problem === null) made.push({ hash: secretHash, token: tokenOf(used, tokenId), requestId });
    return problem;
  });
  if (made.length === 0) return problems;
  await insertOAuthTokens(tx, made);
  const events: AuditEvent[] = [];
  for (const { token, requestId } of made) {
    for (const item of await companiesOf(tx, deps, token)) {
      events.push({
        ...about(token, item.tenant_id),
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

/** Somebody has the code who should not: whoever came first loses the token. */
async function revokeOfCode(
  deps: TokenDeps,
  { codeHash, tokenId: ours, requestId }: Shown,
): Promise<void> {
  const tokenId = await tokenOfCode(deps.db, codeHash);
  if (tokenId === null || tokenId === ours) return;
  const revoked = await transact(deps.db, async (tx) => {
    const found = await revokeOAuthToken(tx, tokenId, null);
    if (found === null) return null;
    for (const item of await companiesOf(tx, deps, found.token)) {
      const { detail, ...rest } = about(found.token, item.tenant_id);
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
async function companiesOf(
  tx: Db,
  { membershipsOf }: TokenDeps,
  { tenant_id, user_id, email_folded }: NewOAuthToken,
): Promise<Pick<Tenancy, 'tenant_id' | 'user_id'>[]> {
  return tenant_id === null || user_id === null
    ? membershipsOf(email_folded, tx)
    : [{ tenant_id, user_id }];
}

const about = ({ token_id: id, ...token }: NewOAuthToken, tenantId: string) => ({
  tenantId,
  resource: { kind: 'mcp_token', id },
  detail: {
    email: token.email,
    client_name: token.client_name,
    redirect_host: token.redirect_host,
    namespace: token.namespace,
  },
});

interface Form {
  fields: Record<string, string>;
  /** May be repeated (RFC 8707 §2). */
  resources: string[];
}

function formOf(body: unknown): Form {
  if (typeof body !== 'object' || body === null) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const fields: Record<string, string> = {};
  const { resource, ...others } = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `${name.slice(0, 50)} is a duplicate.`);
    }
    if (value !== '') fields[name] = value;
  }
  return { fields, resources: resourcesIn(resource) };
}

const badGrant = (description: string) => new OAuthError('invalid_grant', description);

function problemWith(
  used: UsedCode,
  { fields, resources }: Form,
  namespace: Namespace,
  { origin, pkce }: TokenDeps,
): OAuthError | null {
  if (used.is_expired) return badGrant('The code is not valid.');
  if (used.namespace !== namespaceId(namespace))
    return badGrant('The code is for another endpoint.');
  if (fields.client_id !== undefined && fields.client_id !== clientIdOf(namespace)) {
    return badGrant("client_id doesn't belong to this endpoint.");
  }
  const isProved = used.asked.challenge !== null && pkce !== 'off';
  const { redirect_uri: redirectUri } = fields;
  if (redirectUri === undefined ? !isProved : redirectUri !== used.asked.redirectUri) {
    return badGrant("redirect_uri doesn't match the authorization request.");
  }
  if (!resources.every((resource) => isResource(resource, urlsOf(namespace, origin)))) {
    return invalidTarget(urlsOf(namespace, origin));
  }
  const problem =
    pkce === 'off' ? null : problemWithVerifier(used.asked.challenge, fields.code_verifier);
  return problem === null ? null : badGrant(problem);
}

/** A stored challenge needs its verifier; a verifier without a challenge is somebody's downgrade. */
function problemWithVerifier(
  challenge: string | null,
  verifier: string | undefined,
): string | null {
  if (challenge === null) {
    return verifier === undefined
      ? null
      : 'code_verifier was sent without a previous code_challenge.';
  }
  if (verifier === undefined) return 'code_verifier is missing.';
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return 'code_verifier has an invalid format.';
  const made = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  const isRight = made.length === wanted.length && timingSafeEqual(made, wanted);
  return isRight ? null : "code_verifier doesn't match.";
}
