// Encryption of stored secrets: AES-256-GCM with a key id. Additional data binds a sealed text to its location (tenant, row
// and field), so that it cannot be moved.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text cannot be unsealed: wrong key, other location, or damaged. */
export class UnsealError extends Error {}

export interface Sealer {
  /** Seals a text. `location` names tenant, row and field; only the same location unseals the text. */
  seal(plain: string, location: string): string;
  /** Throws UnsealError. */
  unseal(sealed: string, location: string): string;
  /** Returns the prefix of all texts that the current key sealed. */
  currentPrefix(): string;
}

/** Returns a sealer. `ring` is read each time, so that an added key takes effect at once. Throws UnsealError for an empty ring. */
export function createSealer(ring: () => readonly MasterKey[]): Sealer {
  const currentKey = (): MasterKey => {
    const [current] = ring();
    if (current === undefined) throw new UnsealError('no master key');
    return current;
  };
  currentKey();
  return {
    currentPrefix: () => `v1.${currentKey().id}.`,
    seal(plain, location) {
      const current = currentKey();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv);
      cipher.setAAD(Buffer.from(location));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const packed = Buffer.concat([iv, cipher.getAuthTag(), text]);
      return `v1.${current.id}.${packed.toString('base64url')}`;
    },
    unseal(sealed, location) {
      const [version, keyId, packed] = sealed.split('.');
      const key = ring().find(({ id }) => id === keyId);
      if (version !== 'v1' || packed === undefined) throw new UnsealError('not a sealed text');
      if (key === undefined)
        throw new UnsealError(`sealed with master key ${keyId}, not in the ring`);
      const bytes = Buffer.from(packed, 'base64url');
      // The last base64url character has unused bits: several spellings would decode to the same bytes.
      if (bytes.toString('base64url') !== packed) throw new UnsealError('not a sealed text');
      // Node accepts a truncated tag, which is weaker.
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new UnsealError('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(location));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8');
      } catch {
        throw new UnsealError('cannot be unsealed: damaged, or moved from another location');
      }
    },
  };
}
