// Passwords of the embedded login provider: scrypt with its parameters in the stored text.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import { ConfigError } from '../../../platform/config/config.ts';

const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** Throws ConfigError where it is too short or too long. */
export async function newPasswordHash(password: string): Promise<string> {
  const { length } = [...password];
  const { least, most } = PASSWORD_LENGTH;
  if (length < least || length > most) {
    throw new ConfigError(`the password must have ${least} to ${most} characters`);
  }
  return hashPassword(password);
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Takes the same time whether or not there is an account: pass null for an unknown one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt, key] = (stored ?? 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$').split('$');
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'));
  const expected = Buffer.from(key ?? '', 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, 32, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
