// Administrators' JWTs: made by the embedded provider for scripts, checked the same way for a customer's own provider.

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
  /** Null if the token does not tell. */
  issuedAt: Date | null;
  expiresAt: Date;
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

export interface AdminTokenRules {
  issuer: string;
  audience: string;
  keys: { local: JWK } | { remote: () => Promise<URL> };
  claims: ClaimNames;
}

/** What a token says, or why it says nothing, in words for the operator: who sent it is told only that it is not valid. */
export type Judged = { claims: AdminClaims } | { fault: string; isProviderAway: boolean };

/** Verifies signature, issuer, audience, type and life. Throws `invalid_token`, `login_provider_unavailable`. */
export function createAdminTokenVerifier(rules: AdminTokenRules): AdminTokenVerifier {
  const judge = createAdminTokenJudge(rules);
  return async (token) => {
    const judged = await judge(token);
    if ('claims' in judged) return judged.claims;
    throw new HubError(judged.isProviderAway ? 'login_provider_unavailable' : 'invalid_token');
  };
}

/** The same with the reason. */
export function createAdminTokenJudge(rules: AdminTokenRules): (token: string) => Promise<Judged> {
  let remote: ReturnType<typeof createRemoteJWKSet> | null = null;
  const keySet = async () => {
    if ('local' in rules.keys) return createLocalJWKSet({ keys: [publicPart(rules.keys.local)] });
    // A token with a key that is not known makes us look again: a provider rotates when it likes.
    remote ??= createRemoteJWKSet(await rules.keys.remote(), {
      cooldownDuration: LOOK_AGAIN_MS,
    });
    return remote;
  };
  return async (token) => {
    try {
      const { payload, protectedHeader } = await verifyWithAnyKey(token, await keySet(), {
        issuer: rules.issuer,
        audience: rules.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        requiredClaims: ['exp'],
      });
      const fault = faultOfUse(payload, protectedHeader.typ);
      if (fault !== null) return { fault, isProviderAway: false };
      const claims = claimsOf(payload, rules.claims);
      return 'fault' in claims ? { ...claims, isProviderAway: false } : { claims };
    } catch (error) {
      // Its keys could not be had: that says nothing about the token.
      if (isProviderAway(error)) {
        const why = error instanceof Error ? error.message : String(error);
        return {
          fault: `the login provider's keys could not be had: ${why}`,
          isProviderAway: true,
        };
      }
      return { fault: wordsFor(error as errors.JOSEError, rules), isProviderAway: false };
    }
  };
}

type KeySet = ReturnType<typeof createRemoteJWKSet> | ReturnType<typeof createLocalJWKSet>;

/**
 * As `jwtVerify`. Without a `kid` in the header, every key of the set that fits the algorithm is tried (RFC 7515, 4.1.4);
 * if none of them verifies, a provider that rotated its keys is asked once more.
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

/** What it is for, and since when; null where it is an access token of now. */
function faultOfUse(payload: JWTPayload, typ: string | undefined): string | null {
  // An ID token is for the client that asked, never for us.
  if (payload.nonce !== undefined || payload.at_hash !== undefined) {
    return 'it is an ID token (it has a nonce or at_hash): an access token is wanted';
  }
  // RFC 9068, 4: with or without the prefix.
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (type !== undefined && !['at+jwt', 'jwt'].includes(type)) {
    return `its type is ${shown(typ)}: "at+jwt", "JWT" or none is wanted`;
  }
  // Made by a clock that nobody can trust: its end would be no end either.
  const { iat } = payload;
  if (iat !== undefined && iat > Date.now() / 1000 + CLOCK_LEEWAY_SECONDS) {
    return `it was made in the future (iat ${atTime(iat)}): a clock is wrong`;
  }
  return null;
}

function wordsFor(error: errors.JOSEError, { issuer, audience }: AdminTokenRules): string {
  if (error instanceof errors.JWTExpired) return `it ended ${atTime(error.payload.exp)}`;
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error;
    if (claim === 'iss') return `its issuer is ${shown(payload.iss)}: ${shown(issuer)} is wanted`;
    if (claim === 'aud') {
      return `its audience is ${shown(payload.aud)}: ${shown(audience)} is wanted`;
    }
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return 'the provider publishes no key that it could be signed with (kid, alg)';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'its signature is not that of the key that it names';
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `its algorithm is not taken: one of ${ALGORITHMS.join(', ')} is wanted`;
  }
  return error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid
    ? 'it is no signed JSON Web Token'
    : error.message;
}

const atTime = (seconds: number | undefined) => {
  const at = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(at.getTime()) ? 'at a time that is none' : at.toISOString();
};

const SHOWN_CHARS = 300;
const shown = (value: unknown) => (JSON.stringify(value) ?? 'missing').slice(0, SHOWN_CHARS);

/** What a token says where the hub looks, whether it is valid or not: a line for each claim. Null where it cannot be read. */
export function saidByToken(token: string, names: ClaimNames): string[] | null {
  try {
    const payload = decodeJwt(token);
    const said = Object.entries(names).map(
      ([name, claim]) =>
        `${name}, looked for as ${shown(claim)}: ${shown(claimAt(payload, claim))}`,
    );
    const life = `made ${atTime(payload.iat)}, ends ${atTime(payload.exp)}`;
    return [...said, `sub: ${shown(payload.sub)}`, life];
  } catch {
    return null;
  }
}

/** Where jose or the runtime could not fetch what it needs; a key that the provider does not have is the token's fault. */
function isProviderAway(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}

/** OpenID Connect allows 255 characters; e-mail addresses are longer. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,512}$/u;

/** A provider may list what is no tenant of ours; the database would not even compare it. */
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function claimsOf(
  payload: Record<string, unknown>,
  names: ClaimNames,
): AdminClaims | { fault: string } {
  const claim = (name: keyof ClaimNames) => claimAt(payload, names[name]);
  const email = claim('email');
  const subject = [payload.sub, payload.userId, email].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  // A token that names nobody, or with a name that no record holds, could not be held to account.
  if (subject === undefined) return { fault: `it names nobody (sub, userId, ${names.email})` };
  if (!SUBJECT.test(subject)) return { fault: 'whom it names has no name that a record holds' };
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
