// Administrators' JWTs: made by the embedded provider for scripts, checked the same way for a customer's own provider.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { ClaimNames } from '../../../platform/config/config.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { valueAt } from '../../../platform/http/pointer.ts';
import { SIGNING_ALG } from './login-provider.ts';

const LIFETIME_SECONDS = 3600;
const CLOCK_LEEWAY_SECONDS = 60;
/** How often tokens with unknown keys may make us fetch. */
const LOOK_AGAIN_MS = 1_000;
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

/** Verifies signature, issuer, audience, type and life. Throws `invalid_token`, `login_provider_unavailable`. */
export function createAdminTokenVerifier(options: {
  issuer: string;
  audience: string;
  keys: { local: JWK } | { remote: () => Promise<URL> };
  claims: ClaimNames;
}): AdminTokenVerifier {
  let remote: ReturnType<typeof createRemoteJWKSet> | null = null;
  const keySet = async () => {
    if ('local' in options.keys)
      return createLocalJWKSet({ keys: [publicPart(options.keys.local)] });
    // A token with a key that is not known makes us look again: a provider rotates when it likes.
    remote ??= createRemoteJWKSet(await options.keys.remote(), {
      cooldownDuration: LOOK_AGAIN_MS,
    });
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
      // RFC 9068, 4: with or without the prefix.
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
      if (isIdToken || (type !== undefined && !['at+jwt', 'jwt'].includes(type))) {
        throw new HubError('invalid_token');
      }
      // Made by a clock that nobody can trust: its end would be no end either.
      const { iat } = payload;
      if (iat !== undefined && iat > Date.now() / 1000 + CLOCK_LEEWAY_SECONDS) {
        throw new HubError('invalid_token');
      }
      return claimsOf(payload, options.claims);
    } catch (error) {
      // Its keys could not be had: that says nothing about the token.
      if (isProviderAway(error)) throw new HubError('login_provider_unavailable');
      throw new HubError('invalid_token');
    }
  };
}

/** Where jose or the runtime could not fetch what it needs; a key that the provider does not have is the token's fault. */
function isProviderAway(error: unknown): boolean {
  if (error instanceof HubError) return false;
  if (error instanceof errors.JWKSTimeout) return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}

/** OpenID Connect allows 255 characters; e-mail addresses are longer. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,512}$/u;

/** A provider may list what is no tenant of ours; the database would not even compare it. */
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function claimsOf(payload: Record<string, unknown>, names: ClaimNames): AdminClaims {
  const claim = (name: keyof ClaimNames) => claimAt(payload, names[name]);
  const email = claim('email');
  const subject = [payload.sub, payload.userId, email].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  // A token that names nobody, or with a name that no record holds, could not be held to account.
  if (subject === undefined || !SUBJECT.test(subject)) throw new HubError('invalid_token');
  const named = [claim('role'), claim('roles')].flat();
  const role = named.includes('Super Admin')
    ? 'Admin'
    : [...ROLES].reverse().find((r) => named.includes(r));
  const tenantIds = claim('tenantIds');
  return {
    subject,
    email: typeof email === 'string' ? email : subject,
    tenantIds: (Array.isArray(tenantIds) ? tenantIds : [])
      .filter((id): id is string => typeof id === 'string')
      .map((id) => id.toLowerCase())
      .filter((id) => TENANT_ID.test(id)),
    role: role ?? 'Member',
    isOperator: claim('operator') === true,
  };
}

/** By name, which may look like a URL, or by JSON pointer. */
function claimAt(payload: Record<string, unknown>, name: string): unknown {
  return name.startsWith('/') ? valueAt(payload, name) : payload[name];
}

function publicPart(key: JWK): JWK {
  const { d: _private, ...rest } = key;
  return rest;
}
