// Reads the identity of the caller from headers: an e-mail address as plain text, or a token (RFC 7519). With `jwt_auth`
// the token is verified with the stored RSA key; nothing is fetched.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { AccessSettings, JwtSettings } from './settings.ts';
import type { CallerIdentity, LlmCall, Verdict } from './types.ts';
import { pass, refuse } from './verdicts.ts';

/** The header with the e-mail address where `identity_header_mode` is set and no header is configured. */
export const DEFAULT_IDENTITY_HEADER = 'x-user-email';
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const CLOCK_TOLERANCE_SECONDS = 60;
const EMAIL = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,255}$/;
const EMAIL_CLAIMS = ['email', 'preferred_username', 'upn', 'unique_name'];
const CLIENT_CLAIMS = ['azp', 'client_id', 'appid', 'cid'];
const NOBODY = { email: null, subject: null, source: 'none' } as const;

/** An identity before smart groups are assigned. */
export type Identity = Omit<CallerIdentity, 'smartGroups'>;

/**
 * Returns the identity of the caller. Rejects with 401 a request without a valid token while `jwt_auth` is
 * enabled. Without `jwt_auth`, a token is decoded but not verified: the app trusts every holder of its key.
 */
export async function identifyCaller(
  access: AccessSettings,
  call: Pick<LlmCall, 'headers' | 'receivedAt'>,
): Promise<Verdict<Identity>> {
  const jwt = access.jwt_auth;
  if (jwt?.enabled === true) return verifyCaller(access, jwt, call);
  for (const value of headerValues(access, call.headers)) {
    const identity =
      access.identity_header_mode === true ? readEmail(value) : readToken(value, access);
    if (identity !== null) return pass(identity);
  }
  return pass(NOBODY);
}

function headerValues(access: AccessSettings, headers: LlmCall['headers']): string[] {
  const configured = access.identity_token_headers ?? [];
  const isPlain = access.identity_header_mode === true && access.jwt_auth?.enabled !== true;
  const fallback = isPlain ? [DEFAULT_IDENTITY_HEADER] : ['authorization'];
  const names = configured.length > 0 ? configured : fallback;
  return names
    .map((name) => headers[name.toLowerCase()]?.trim() ?? '')
    .map((value) => (isPlain ? value : value.replace(/^bearer\s+/i, '')))
    .filter((value) => value !== '');
}

function readEmail(value: string): Identity | null {
  return EMAIL.test(value) ? { email: value.toLowerCase(), subject: null, source: 'header' } : null;
}

function readToken(value: string, access: AccessSettings): Identity | null {
  // An app key in the same header is no token; a failed attempt to decode it costs more than all other steps.
  if (value.split('.', 4).length !== 3) return null;
  try {
    return readClaims(decodeJwt(value), access, 'header');
  } catch {
    return null;
  }
}

function readClaims(claims: JWTPayload, access: AccessSettings, source: Identity['source']) {
  const named = EMAIL_CLAIMS.map((name) => claims[name]).find(
    (value): value is string => typeof value === 'string' && EMAIL.test(value),
  );
  const oid = access.identity_token_oid_fallback === true ? claims.oid : undefined;
  const subject = [oid, claims.sub].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  if (named === undefined && subject === undefined) return null;
  return { email: named?.toLowerCase() ?? null, subject: subject ?? null, source };
}

async function verifyCaller(
  access: AccessSettings,
  jwt: JwtSettings,
  call: Pick<LlmCall, 'headers' | 'receivedAt'>,
): Promise<Verdict<Identity>> {
  const tokens = headerValues(access, call.headers).filter(
    (value) => value.split('.').length === 3,
  );
  if (tokens.length === 0) {
    return refuse(
      401,
      'identity_token_missing',
      'This app requires an identity token. Send a JWT in an identity header.',
    );
  }
  for (const token of tokens) {
    const claims = await verifyToken(token, jwt, call.receivedAt);
    const identity = claims === null ? null : readClaims(claims, access, 'jwt');
    if (identity !== null) return pass(identity);
  }
  return refuse(
    401,
    'identity_token_invalid',
    'The identity token is not valid for this app. Sign in again and repeat the request.',
  );
}

/** Returns the claims of a valid token of an allowed issuer and client, or null. */
async function verifyToken(
  token: string,
  jwt: JwtSettings,
  nowMs: number,
): Promise<JWTPayload | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      importKey(jwt.public_key_pem ?? ''),
      {
        algorithms: ALGORITHMS,
        issuer: [...(jwt.allowed_issuers ?? [])],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iss', 'exp'],
        currentDate: new Date(nowMs),
      },
    );
    if (jwt.kid !== undefined && jwt.kid !== '' && protectedHeader.kid !== jwt.kid) return null;
    return isAllowedClient(payload, jwt.allowed_client_ids ?? []) ? payload : null;
  } catch {
    return null;
  }
}

/** Returns whether the token was issued for, or to, an allowed client: `aud`, or a claim with the id of the client. */
function isAllowedClient(claims: JWTPayload, allowed: readonly string[]): boolean {
  const clients = [claims.aud, ...CLIENT_CLAIMS.map((name) => claims[name])].flat();
  return clients.some((client) => typeof client === 'string' && allowed.includes(client));
}

const importedKeys = new Map<string, KeyObject>();
const IMPORTED_KEYS_MAX = 1_000;

function importKey(pem: string): KeyObject {
  let key = importedKeys.get(pem);
  if (key === undefined) {
    key = createPublicKey(pem);
    if (importedKeys.size >= IMPORTED_KEYS_MAX) importedKeys.clear();
    importedKeys.set(pem, key);
  }
  return key;
}
