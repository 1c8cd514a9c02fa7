// Tokens of a connection: sealed at rest, read from the responses of a login, and revoked.
import * as oidc from 'openid-client';
import type { Sealer } from '../../../../platform/crypto/seal.ts';
import { locationOf } from '../../../../platform/crypto/sealed-columns.ts';
import { type GrantKey, type GrantRow, type NewTokens, SEALED_GRANTS } from './store.ts';

export interface Tokens {
  access: string;
  refresh: string | null;
  /** Milliseconds since 1970; null: unknown. */
  until: number | null;
}

const locationFor = ({ tenantId, backendId, userId }: GrantKey) =>
  locationOf(SEALED_GRANTS, [tenantId, backendId, userId]);

/** Returns the tokens of a connection. */
export function unsealTokens(
  { sealer }: { sealer: Pick<Sealer, 'unseal'> },
  key: GrantKey,
  { sealed_tokens: sealed }: Pick<GrantRow, 'sealed_tokens'>,
): Tokens {
  return JSON.parse(sealer.unseal(sealed, locationFor(key))) as Tokens;
}

/** Returns the tokens of a response (RFC 6749 §5.1, §6). `previousRefresh` stays valid if the response has no refresh token. */
export const tokensIn = (
  response: oidc.TokenEndpointResponse,
  previousRefresh: string | null,
): Tokens => ({
  access: response.access_token,
  refresh: response.refresh_token ?? previousRefresh,
  until: response.expires_in === undefined ? null : Date.now() + response.expires_in * 1000,
});

/** Returns the columns for a response. The refresh is due a little before the expiry, so that requests under way arrive in time. */
export function sealTokens(
  { sealer }: { sealer: Pick<Sealer, 'seal'> },
  key: GrantKey,
  response: oidc.TokenEndpointResponse,
  previous: { refresh: string | null; scope: string | null },
): NewTokens {
  const lifeMs = response.expires_in === undefined ? null : response.expires_in * 1000;
  return {
    sealed_tokens: sealer.seal(
      JSON.stringify(tokensIn(response, previous.refresh) satisfies Tokens),
      locationFor(key),
    ),
    scope: response.scope ?? previous.scope,
    refresh_at:
      lifeMs === null ? null : new Date(Date.now() + lifeMs - Math.min(60_000, lifeMs / 4)),
  };
}

/** Revokes tokens if the login supports it (RFC 7009 §2.1). Returns whether the login revoked them. */
export async function revokeTokens(
  configuration: oidc.Configuration,
  tokens: Tokens,
): Promise<boolean> {
  if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
  try {
    if (tokens.refresh !== null) {
      await oidc.tokenRevocation(configuration, tokens.refresh, {
        token_type_hint: 'refresh_token',
      });
    }
    await oidc.tokenRevocation(configuration, tokens.access, { token_type_hint: 'access_token' });
    return true;
  } catch {
    // The connection is deleted, whatever the login responds.
    return false;
  }
}
