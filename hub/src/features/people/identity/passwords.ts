// Passwords of the embedded login provider: scrypt with its parameters in the stored text. Sign-ins, which anybody may
// attempt, are derived in a worker thread behind a bounded queue.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import type { Piscina } from 'piscina';
import { UsageError } from '../../../platform/config/config.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { DerivationInput } from './password-worker.ts';

const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;

/** A derivation takes about a tenth of a second, so this many waiting attempts are served within about a second. */
const WAITING_MAX = 8;
/** Queue slots reserved for browsers known for the account: a flood of attempts leaves room for users. */
const RESERVED_FOR_KNOWN = 12;
const IDLE_TIMEOUT_MS = 30_000;
/** The worker yields to the event loop and to a database on the same machine. */
const NICE_INCREMENT = 5;

/** Hashes a new password. Throws UsageError if it is too short or too long. */
export async function newPasswordHash(password: string): Promise<string> {
  checkPassword(password);
  return hashPassword(password);
}

/** Throws UsageError if a new password is too short or too long. */
export function checkPassword(password: string): void {
  const { length } = [...password];
  const { least, most } = PASSWORD_LENGTH;
  if (length < least || length > most) {
    throw new UsageError(`the password must have ${least} to ${most} characters`);
  }
}

/** Hashes a password of a signed-in user, or of the operator: nobody else can cause this work. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

export interface PasswordVerifier {
  /** Throws `too_many_requests` if the queue is full. */
  requireCapacity(isKnownBrowser: boolean): void;
  /**
   * Compares a password with a stored hash, in the same time whether or not there is an account (pass null). Work whose
   * `signal` is aborted before it starts is dropped, and the promise rejects with an AbortError.
   */
  verify(
    attempt: { password: string; stored: string | null; isKnownBrowser: boolean },
    signal: AbortSignal,
  ): Promise<boolean>;
}

interface WaitingAttempt {
  input: DerivationInput;
  isKnownBrowser: boolean;
  resolve(key: Promise<Uint8Array>): void;
}

/** Returns a verifier; its worker starts with the first sign-in and ends when it is idle. */
export function createPasswordVerifier(): PasswordVerifier {
  let pool: Promise<Piscina<DerivationInput, Uint8Array>> | null = null;
  let waiting: WaitingAttempt[] = [];
  let isRunning = false;
  const requireCapacity = (isKnownBrowser: boolean) => {
    if (waiting.length >= WAITING_MAX + (isKnownBrowser ? RESERVED_FOR_KNOWN : 0)) {
      throw new HubError('too_many_requests', undefined, { retryAfterSeconds: 2 });
    }
  };
  // A single attempt runs at a time, known browsers first. Piscina's own queue keeps no order among tasks that can be
  // aborted.
  const runNext = async () => {
    const next = waiting.find(({ isKnownBrowser }) => isKnownBrowser) ?? waiting[0];
    if (next === undefined || isRunning) return;
    waiting = waiting.filter((attempt) => attempt !== next);
    isRunning = true;
    pool ??= openPool();
    const key = pool.then((opened) => opened.run(next.input));
    next.resolve(key);
    await key.catch(() => undefined);
    isRunning = false;
    void runNext();
  };
  const derive = (input: DerivationInput, isKnownBrowser: boolean, signal: AbortSignal) =>
    new Promise<Uint8Array>((resolve, reject) => {
      signal.throwIfAborted();
      const attempt: WaitingAttempt = { input, isKnownBrowser, resolve };
      waiting.push(attempt);
      signal.addEventListener('abort', () => {
        waiting = waiting.filter((queued) => queued !== attempt);
        reject(signal.reason);
      });
      void runNext();
    });
  return {
    requireCapacity,
    async verify({ password, stored, isKnownBrowser }, signal) {
      requireCapacity(isKnownBrowser);
      const [, salt = '', key = ''] = (stored ?? 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$').split('$');
      const input = {
        password,
        salt: Buffer.from(salt, 'base64url'),
        bytes: KEY_BYTES,
        cost: COST,
      };
      const derived = await derive(input, isKnownBrowser, signal);
      const expected = Buffer.from(key, 'base64url');
      return expected.length === derived.length && timingSafeEqual(expected, derived);
    },
  };
}

async function openPool(): Promise<Piscina<DerivationInput, Uint8Array>> {
  const { Piscina: Pool } = await import('piscina');
  return new Pool<DerivationInput, Uint8Array>({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIMEOUT_MS,
    niceIncrement: NICE_INCREMENT,
  });
}
