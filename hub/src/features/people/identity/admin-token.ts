// Administrators' JWTs: issued by the embedded provider for scripts, and verified alike for a customer's own provider.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { ClaimNames } from '../../../platform/config/config.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { SIGNING_ALG } from './login-provider.ts';
import { CLOCK_LEEWAY_SECONDS, claimAt } from './person-claims.ts';

const LIFETIME_SECONDS = 3600;
/** The least time between two fetches of the provider's keys for tokens with unknown keys. */
const REFETCH_COOLDOWN_MS = 1_000;
/** Signature algorithms that are accepted; symmetric and unsigned tokens never are. */
const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];

export interface AdminClaims {
  subject: string;
  email: string;
  tenantIds: string[];
  role: Role;
  /** The operator of the service, who may act for every tenant. */
  isOperator: boolean;
  /** Null if the token has no time of issue. */
  issuedAt: Date | null;
  expiresAt: Date;
}

/** Signs a one-hour access token for a tenant. */
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

/** Conditions of a valid token: issuer, audience, keys and names of claims. */
export interface AdminTokenPolicy {
  issuer: string;
  audience: string;
  keys: { local: JWK } | { remote: () => Promise<URL> };
  claims: ClaimNames;
}

/**
 * The claims of a valid token, or why it is invalid in words for the operator. Whoever sent it only learns that it is
 * invalid.
 */
export type Evaluation =
  | { claims: AdminClaims }
  | { fault: string; isProviderUnreachable: boolean };

/**
 * Returns a verifier of signature, issuer, audience, type and lifetime. It throws `invalid_token` and
 * `login_provider_unavailable`.
 */
export function createAdminTokenVerifier(policy: AdminTokenPolicy): AdminTokenVerifier {
  const evaluate = createAdminTokenEvaluator(policy);
  return async (token) => {
    const evaluation = await evaluate(token);
    if ('claims' in evaluation) return evaluation.claims;
    throw new HubError(
      evaluation.isProviderUnreachable ? 'login_provider_unavailable' : 'invalid_token',
    );
  };
}

/** Returns an evaluator that gives the reason with an invalid token. */
export function createAdminTokenEvaluator(
  policy: AdminTokenPolicy,
): (token: string) => Promise<Evaluation> {
  let remote: ReturnType<typeof createRemoteJWKSet> | null = null;
  const keySet = async () => {
    if ('local' in policy.keys) return createLocalJWKSet({ keys: [publicPart(policy.keys.local)] });
    // A token with an unknown key triggers a fetch: a provider rotates its keys at any time.
    remote ??= createRemoteJWKSet(await policy.keys.remote(), {
      cooldownDuration: REFETCH_COOLDOWN_MS,
    });
    return remote;
  };
  return async (token) => {
    try {
      const { payload, protectedHeader } = await verifyWithAnyKey(token, await keySet(), {
        issuer: policy.issuer,
        audience: policy.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        requiredClaims: ['exp'],
      });
      const usageFault = findUsageFault(payload, protectedHeader.typ);
      if (usageFault !== null) return { fault: usageFault, isProviderUnreachable: false };
      const claims = claimsOf(payload, policy.claims);
      return 'fault' in claims ? { ...claims, isProviderUnreachable: false } : { claims };
    } catch (error) {
      // The keys were unavailable, which proves nothing about the token.
      if (isProviderUnreachable(error)) {
        const reason = error instanceof Error ? error.message : String(error);
        return {
          fault: `the login provider's keys are not available: ${reason}`,
          isProviderUnreachable: true,
        };
      }
      return {
        fault: describeFault(error as errors.JOSEError, policy),
        isProviderUnreachable: false,
      };
    }
  };
}

type KeySet = ReturnType<typeof createRemoteJWKSet> | ReturnType<typeof createLocalJWKSet>;

/**
 * Verifies like `jwtVerify`. Without a `kid` in the header, every key of the set that fits the algorithm is tried (RFC
 * 7515, 4.1.4). If none of them verifies, the keys are fetched again, because the provider may have rotated them.
 */
async function verifyWithAnyKey(token: string, keySet: KeySet, options: JWTVerifyOptions) {
  try {
    return await verifyWithKeys(token, keySet, options);
  } catch (error) {
    const mayHaveRotated =
      error instanceof errors.JWSSignatureVerificationFailed &&
      decodeProtectedHeader(token).kid === undefined &&
      'reload' in keySet &&
      !keySet.coolingDown;
    if (!mayHaveRotated) throw error;
    await keySet.reload();
    return verifyWithKeys(token, keySet, options);
  }
}

async function verifyWithKeys(token: string, keySet: KeySet, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keySet, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Returns why the token is no access token or is not valid yet; null if it is an access token of now. */
function findUsageFault(payload: JWTPayload, typ: string | undefined): string | null {
  // An ID token is for the client that requested it, never for the hub.
  if (payload.nonce !== undefined || payload.at_hash !== undefined) {
    return 'it is an ID token (it has a nonce or at_hash): an access token is expected';
  }
  // RFC 9068, 4 allows the type with and without the prefix.
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (type !== undefined && !['at+jwt', 'jwt'].includes(type)) {
    return `its type is ${excerpt(typ)}: "at+jwt", "JWT" or none is expected`;
  }
  // A token from the future comes from a wrong clock, so its expiry is not reliable either.
  const { iat } = payload;
  if (iat !== undefined && iat > Date.now() / 1000 + CLOCK_LEEWAY_SECONDS) {
    return `it was issued in the future (iat ${timeText(iat)}): a clock is wrong`;
  }
  return null;
}

function describeFault(error: errors.JOSEError, { issuer, audience }: AdminTokenPolicy): string {
  if (error instanceof errors.JWTExpired) return `it expired ${timeText(error.payload.exp)}`;
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error;
    if (claim === 'iss')
      return `its issuer is ${excerpt(payload.iss)}: ${excerpt(issuer)} is expected`;
    if (claim === 'aud') {
      return `its audience is ${excerpt(payload.aud)}: ${excerpt(audience)} is expected`;
    }
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return 'the provider publishes no key that it could be signed with (kid, alg)';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'its signature is not that of the key that it names';
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `its algorithm is not accepted: one of ${ALGORITHMS.join(', ')} is expected`;
  }
  return error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid
    ? 'it is no signed JSON Web Token'
    : error.message;
}

const timeText = (seconds: number | undefined) => {
  const at = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(at.getTime()) ? 'at an invalid time' : at.toISOString();
};

const EXCERPT_CHARS = 300;
const excerpt = (value: unknown) => (JSON.stringify(value) ?? 'missing').slice(0, EXCERPT_CHARS);

/**
 * Returns the claims that the hub reads from a token, valid or not, a line each; null if the token cannot be decoded.
 */
export function describeTokenClaims(token: string, names: ClaimNames): string[] | null {
  try {
    const payload = decodeJwt(token);
    const lines = Object.entries(names).map(
      ([name, claim]) =>
        `${name}, looked for as ${excerpt(claim)}: ${excerpt(claimAt(payload, claim))}`,
    );
    const life = `issued ${timeText(payload.iat)}, expires ${timeText(payload.exp)}`;
    return [...lines, `sub: ${excerpt(payload.sub)}`, life];
  } catch {
    return null;
  }
}

/**
 * Returns whether jose or the runtime failed to fetch what it needs. A key that the provider does not publish is the
 * token's fault.
 */
function isProviderUnreachable(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}

/** OpenID Connect allows 255 characters; e-mail addresses are longer. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,512}$/u;

/** A provider may list ids that are no tenant's; PostgreSQL rejects text that is no UUID. */
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function claimsOf(
  payload: Record<string, unknown>,
  names: ClaimNames,
): AdminClaims | { fault: string } {
  const claim = (name: keyof ClaimNames) => claimAt(payload, names[name]);
  const email = claim('email');
  const subject = [payload.sub, payload.userId, email].find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  );
  // A token without a subject, or with a subject that no record can store, could not be attributed in the audit trail.
  if (subject === undefined) return { fault: `it names nobody (sub, userId, ${names.email})` };
  if (!SUBJECT.test(subject)) return { fault: 'its subject cannot be stored in a record' };
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
    issuedAt: typeof payload.iat === 'number' ? new Date(payload.iat * 1000) : null,
    expiresAt: new Date(Number(payload.exp) * 1000),
  };
}

function publicPart(key: JWK): JWK {
  const { d: _private, ...rest } = key;
  return rest;
}
