// A copy of the configuration on disk, so that a node starts while the hub is unreachable. The copy contains credentials
// of providers: AES-256-GCM seals it with a key derived (HKDF) from the node token, which is not on this disk.
// Layout: magic (4 bytes), salt (16), nonce (12), authentication tag (16), ciphertext of gzipped JSON.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ConfigItem } from './documents.ts';

export interface ConfigCopy {
  items: ConfigItem[];
  cursor: string;
  liveNodes: number;
}

const MAGIC = Buffer.from('GWC1');
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES + TAG_BYTES;

export class SealedCopy {
  readonly #folder: string;
  readonly #nodeToken: string;
  #written: Promise<void> = Promise.resolve();

  constructor(folder: string, nodeToken: string) {
    this.#folder = folder;
    this.#nodeToken = nodeToken;
  }

  /** Returns the stored copy, or null if there is none that this node token can open. */
  async read(): Promise<ConfigCopy | null> {
    try {
      return unseal(await readFile(this.#file), this.#nodeToken);
    } catch {
      // A damaged copy, or the copy of another token, is as good as none: the hub delivers everything again.
      return null;
    }
  }

  /** Replaces the copy atomically with mode 0600. Writes follow each other in order. */
  write(copy: ConfigCopy): Promise<void> {
    this.#written = this.#written.then(() => this.#replace(copy)).catch(() => undefined);
    return this.#written;
  }

  /** Deletes the copy, after the hub refused this node. */
  remove(): Promise<void> {
    this.#written = this.#written.then(() => rm(this.#file, { force: true }));
    return this.#written;
  }

  get #file(): string {
    return join(this.#folder, 'configuration.sealed');
  }

  async #replace(copy: ConfigCopy): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const beside = `${this.#file}.new`;
    const handle = await open(beside, 'w', 0o600);
    try {
      await handle.writeFile(seal(copy, this.#nodeToken));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(beside, 0o600);
    await rename(beside, this.#file);
  }
}

function deriveKey(nodeToken: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', nodeToken, salt, 'gatewarden node configuration copy', 32));
}

function seal(copy: ConfigCopy, nodeToken: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(nodeToken, salt), nonce);
  const body = Buffer.concat([cipher.update(gzipSync(JSON.stringify(copy))), cipher.final()]);
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), body]);
}

function unseal(bytes: Buffer, nodeToken: string): ConfigCopy {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error('the copy has another format');
  const nonceAt = MAGIC.length + SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const key = deriveKey(nodeToken, bytes.subarray(MAGIC.length, nonceAt));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceAt, tagAt));
  decipher.setAuthTag(bytes.subarray(tagAt, HEAD_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
  return JSON.parse(gunzipSync(text).toString('utf8')) as ConfigCopy;
}
