// The exchange of a code for a token: everything of it in one transaction, so that a crash leaves nothing usable twice.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { insertOAuthToken, revokeOAuthToken, type TokenCheck } from '../tokens/index.ts';
import { GRANTED_SCOPE, isResource } from './authorization.ts';
import { hostOf } from './consent-page.ts';
import { OAuthError } from './errors.ts';
import { clientIdOf, idOf, type Namespace, urlsOf } from './namespaces.ts';
import { tokenOfCode, type UsedCode, useCode } from './store.ts';

/** What is reported; a token stays valid until it is revoked. */
const EXPIRES_IN = 31_536_000;

export interface TokenDeps {
  db: Db;
  origin: string;
  pkce: 'if_sent' | 'off';
  check: TokenCheck;
}

/** Throws OAuthError. A code that was used before takes the token with it that it became. */
export async function exchange(
  deps: TokenDeps,
  namespace: Namespace,
  body: unknown,
): Promise<object> {
  const form = formOf(body);
  if (form.grant_type === undefined)
    throw new OAuthError('invalid_request', 'grant_type is missing.');
  if (form.grant_type !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'Only authorization_code is offered.');
  }
  if (form.code === undefined) throw new OAuthError('invalid_request', 'code is missing.');
  const codeHash = hashSecret(form.code);
  const tokenId = randomUUID();
  const secret = makeSecret('gatewayOAuth');
  const problem = await transact(deps.db, async (tx) => {
    const used = await useCode(tx, codeHash, tokenId);
    if (used === null) return 'The code is not valid.';
    const wrong = problemWith(used, form, namespace, deps);
    // The code is used up all the same: nobody may try again with another verifier.
    if (wrong !== null) return wrong;
    await insertOAuthToken(tx, hashSecret(secret), {
      token_id: tokenId,
      namespace: used.namespace,
      tenant_id: used.tenant_id,
      user_id: used.user_id,
      email: used.email,
      email_folded: foldName(used.email),
      client_name: used.asked.clientName,
      redirect_host: hostOf(used.asked),
    });
    return null;
  });
  if (problem !== null) {
    await revokeOfCode(deps, codeHash, tokenId);
    throw new OAuthError('invalid_grant', problem);
  }
  return {
    access_token: secret,
    token_type: 'Bearer',
    expires_in: EXPIRES_IN,
    scope: GRANTED_SCOPE,
  };
}

/** Somebody has the code who should not: whoever came first loses the token. */
async function revokeOfCode(deps: TokenDeps, codeHash: Buffer, ours: string): Promise<void> {
  const tokenId = await tokenOfCode(deps.db, codeHash);
  if (tokenId === null || tokenId === ours) return;
  const revoked = await transact(deps.db, async (tx) => {
    const found = await revokeOAuthToken(tx, tokenId, null);
    if (found !== null) await deps.check.forgetEverywhere(tx, found.hash);
    return found;
  });
  if (revoked !== null) deps.check.forget(revoked.hash);
}

function formOf(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const form: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `${name.slice(0, 50)} stands there twice.`);
    }
    if (value !== '') form[name] = value;
  }
  return form;
}

function problemWith(
  used: UsedCode,
  form: Record<string, string>,
  namespace: Namespace,
  { origin, pkce }: TokenDeps,
): string | null {
  if (used.is_expired) return 'The code is not valid.';
  if (used.namespace !== idOf(namespace)) return 'The code is for another endpoint.';
  if (form.client_id !== undefined && form.client_id !== clientIdOf(namespace)) {
    return 'client_id is not the client of this endpoint.';
  }
  const isProved = used.asked.challenge !== null && pkce !== 'off';
  if (form.redirect_uri === undefined ? !isProved : form.redirect_uri !== used.asked.redirectUri) {
    return 'redirect_uri is not the one that was asked for.';
  }
  if (form.resource !== undefined && !isResource(form.resource, urlsOf(namespace, origin))) {
    return 'resource is not the resource of this endpoint.';
  }
  return pkce === 'off' ? null : problemWithVerifier(used.asked.challenge, form.code_verifier);
}

/** A stored challenge needs its verifier; a verifier without a challenge is somebody's downgrade. */
function problemWithVerifier(
  challenge: string | null,
  verifier: string | undefined,
): string | null {
  if (challenge === null) {
    return verifier === undefined ? null : 'code_verifier was sent, but no code_challenge before.';
  }
  if (verifier === undefined) return 'code_verifier is missing.';
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return 'code_verifier has not the right form.';
  const made = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  const isRight = made.length === wanted.length && timingSafeEqual(made, wanted);
  return isRight ? null : 'code_verifier does not fit.';
}
