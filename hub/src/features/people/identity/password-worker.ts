// The worker thread that derives passwords of sign-ins: libuv's four shared threads stay free for files and DNS.
import { type ScryptOptions, scryptSync } from 'node:crypto';

export interface DerivationInput {
  password: string;
  salt: Uint8Array;
  bytes: number;
  cost: ScryptOptions;
}

/** Returns the scrypt key (RFC 7914) of a password. */
export default function deriveKey({ password, salt, bytes, cost }: DerivationInput): Uint8Array {
  return scryptSync(password.normalize('NFC'), salt, bytes, cost);
}
