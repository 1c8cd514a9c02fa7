// Administrators' JWTs: made by the embedded provider for scripts, checked the same way for a customer's own provider.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { HubError } from '../../../platform/http/errors.ts';
import { SIGNING_ALG } from './login-provider.ts';

const LIFETIME_SECONDS = 3600;
const CLOCK_LEEWAY_SECONDS = 60;
/** What may sign a token; symmetric and unsigned ones never. */
const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];

export interface AdminClaims {
  subject: string;
  email: string;
  tenantIds: string[];
  role: Role;
  /** Of the service itself: may act for every tenant. */
  isOperator: boolean;
}

/** Signs a one-hour access token for one tenant. */
export async function issueAdminToken(
  signing: { key: JWK; issuer: string; audience: string },
  claims: { subject: string; email: string; tenantId: string; role: Role },
): Promise<string> {
  return new SignJWT({ tenantIds: [claims.tenantId], role: claims.role, email: claims.email })
    .setProtectedHeader({ alg: SIGNING_ALG, typ: 'at+jwt', kid: signing.key.kid ?? '' })
    .setSubject(claims.subject)
    .setIssuer(signing.issuer)
    .setAudience(signing.audience)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(signing.key, SIGNING_ALG));
}

export type AdminTokenVerifier = (token: string) => Promise<AdminClaims>;

/** Verifies signature, issuer, audience, type and life. Throws `invalid_token`. */
export function createAdminTokenVerifier(options: {
  issuer: string;
  audience: string;
  keys: { local: JWK } | { remote: () => Promise<URL> };
}): AdminTokenVerifier {
  let remote: ReturnType<typeof createRemoteJWKSet> | null = null;
  const keySet = async () => {
    if ('local' in options.keys)
      return createLocalJWKSet({ keys: [publicPart(options.keys.local)] });
    remote ??= createRemoteJWKSet(await options.keys.remote());
    return remote;
  };
  return async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await keySet(), {
        issuer: options.issuer,
        audience: options.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        requiredClaims: ['exp'],
      });
      // An ID token is for the client that asked, never for us.
      const isIdToken = payload.nonce !== undefined || payload.at_hash !== undefined;
      const type = protectedHeader.typ?.toLowerCase();
      if (isIdToken || (type !== undefined && !['at+jwt', 'jwt'].includes(type))) {
        throw new HubError('invalid_token');
      }
      return claimsOf(payload);
    } catch {
      throw new HubError('invalid_token');
    }
  };
}

function claimsOf(payload: Record<string, unknown>): AdminClaims {
  const subject = [payload.sub, payload.userId, payload.email].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  // A token that names nobody could not be held to account.
  if (subject === undefined) throw new HubError('invalid_token');
  const named = [payload.role, payload.roles].flat();
  const role = named.includes('Super Admin')
    ? 'Admin'
    : [...ROLES].reverse().find((r) => named.includes(r));
  const tenantIds = Array.isArray(payload.tenantIds) ? payload.tenantIds : [];
  return {
    subject,
    email: typeof payload.email === 'string' ? payload.email : subject,
    tenantIds: tenantIds
      .filter((id): id is string => typeof id === 'string')
      .map((id) => id.toLowerCase()),
    role: role ?? 'Member',
    isOperator: payload.operator === true,
  };
}

function publicPart(key: JWK): JWK {
  const { d: _private, ...rest } = key;
  return rest;
}
