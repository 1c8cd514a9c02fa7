// Secrets at rest: AES-256-GCM with key id, bound by additional data to the place they stand in.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text cannot be opened: wrong key, moved to another place, or damaged. */
export class UnsealError extends Error {}

export interface Sealer {
  /** `place` names tenant, row and field; the text opens only with the same. */
  seal(plain: string, place: string): string;
  unseal(sealed: string, place: string): string;
  /** What every text begins with that the current key sealed. */
  currentPrefix(): string;
}

/** `ring` is asked each time: a key that an operator adds counts without a restart. Throws UnsealError for an empty ring. */
export function createSealer(ring: () => readonly MasterKey[]): Sealer {
  const currentKey = (): MasterKey => {
    const [current] = ring();
    if (current === undefined) throw new UnsealError('no master key');
    return current;
  };
  currentKey();
  return {
    currentPrefix: () => `v1.${currentKey().id}.`,
    seal(plain, place) {
      const current = currentKey();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv);
      cipher.setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const packed = Buffer.concat([iv, cipher.getAuthTag(), text]);
      return `v1.${current.id}.${packed.toString('base64url')}`;
    },
    unseal(sealed, place) {
      const [version, keyId, packed] = sealed.split('.');
      const key = ring().find((one) => one.id === keyId);
      if (version !== 'v1' || packed === undefined) throw new UnsealError('not a sealed text');
      if (key === undefined)
        throw new UnsealError(`sealed with master key ${keyId}, not in the ring`);
      const bytes = Buffer.from(packed, 'base64url');
      // Its last letter has bits that say nothing: two spellings of one text would both open.
      if (bytes.toString('base64url') !== packed) throw new UnsealError('not a sealed text');
      // A tag that was cut short would be accepted as a weaker one.
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new UnsealError('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8');
      } catch {
        throw new UnsealError('does not open: damaged, or moved from another place');
      }
    },
  };
}
