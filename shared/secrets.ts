// Prefixed secrets, which are generated, recognized and verified without a query. Format: prefix, 40 base62 characters,
// 6 characters of checksum.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const SECRET_PREFIXES = {
  management: 'gwm_',
  gatewayApp: 'gwk_',
  logExport: 'gwl_',
  agent: 'gwa_',
  node: 'gwn_',
  gatewayOAuth: 'gwt_',
  directApi: 'gwd_',
  scim: 'gws_',
} as const;
export type SecretKind = keyof typeof SECRET_PREFIXES;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** Returns a new secret of this kind with about 238 bits of randomness. */
export function makeSecret(kind: SecretKind): string {
  const body = `${SECRET_PREFIXES[kind]}${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/**
 * Returns whether `text` has the format and the checksum of a secret of this kind, regardless of whether it was issued.
 */
export function isSecret(kind: SecretKind, text: string): boolean {
  const prefix = SECRET_PREFIXES[kind];
  if (text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false;
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns whether `text` has this hash, in constant time. */
export function isHashOf(expected: Buffer, text: string | undefined): boolean {
  const actual = hashSecret(text ?? '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Returns the 32-byte SHA-256 that is stored for look-ups in place of the secret. */
export function hashSecret(secret: string): Buffer {
  return Buffer.from(hashSecretHex(secret), 'hex');
}

/** Returns the same hash as `hashSecret` in lower-case hexadecimal. */
export function hashSecretHex(secret: string): string {
  return hash('sha256', secret);
}

/** Returns uniformly distributed base62 text; bytes that would bias the distribution are discarded. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
