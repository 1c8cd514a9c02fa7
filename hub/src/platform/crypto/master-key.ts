// The key ring of master keys: the first key seals, all keys unseal. It is generated with an embedded database, and otherwise
// configured by the operator.
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from '../config/config.ts';

export interface MasterKey {
  /** First 8 hex digits of the key's SHA-256. It identifies the key without revealing it. */
  id: string;
  bytes: Buffer;
}

/** Returns the keys, current key first. */
export type Ring = () => readonly MasterKey[];

/**
 * Returns the key ring. Throws ConfigError without a key or for a malformed key. `isNew` returns whether the database has no
 * secrets: only then a key is generated, because a new key could not unseal existing secrets. A ring from a file is reloaded
 * when the file changes.
 */
export async function loadMasterKeys(
  config: Pick<Config, 'masterKey' | 'dataDir'>,
  isNew: () => Promise<boolean>,
): Promise<Ring> {
  if (config.masterKey === null) {
    const file = generatedFile(config);
    if (!existsSync(file) && !(await isNew())) {
      throw new ConfigError(
        `${file} is missing, and the database has secrets that only this key can decrypt: restore the file`,
      );
    }
    parseRing(generatedRing(file), 'master.key');
    return watchRing(file, 'master.key');
  }
  if ('text' in config.masterKey) {
    const ring = parseRing(config.masterKey.text, 'HUB_MASTER_KEY');
    return () => ring;
  }
  return watchRing(config.masterKey.file, 'HUB_MASTER_KEY_FILE');
}

/** Reloads the file when it was replaced. If it cannot be read then, the ring stays unchanged. */
function watchRing(file: string, origin: string): Ring {
  const stamp = () => {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  };
  let [lastStamp, text] = ['', ''];
  try {
    [lastStamp, text] = [stamp(), readFileSync(file, 'utf8')];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new ConfigError(`${origin}: ${file} ${reason}`);
  }
  let ring = parseRing(text, origin);
  return () => {
    try {
      const now = stamp();
      if (now !== lastStamp) {
        ring = parseRing(readFileSync(file, 'utf8'), origin);
        lastStamp = now;
      }
    } catch {
      // The loaded keys still unseal existing texts.
    }
    return ring;
  };
}

const generatedFile = (config: Pick<Config, 'dataDir'>) => join(config.dataDir, 'master.key');

/**
 * Adds a new current key to the generated ring, which a running hub reloads. Returns the file, or null for an operator's own
 * ring, to which the operator must add the key.
 */
export function addMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): string | null {
  if (config.masterKey !== null) return null;
  const file = generatedFile(config);
  replaceRing(file, [newKey(), readFileSync(file, 'utf8').trim()]);
  return file;
}

/** Removes all keys except the current key from the generated ring. Returns the file, or null for an operator's own ring. */
export function removeOldKeys(config: Pick<Config, 'masterKey' | 'dataDir'>): string | null {
  if (config.masterKey !== null) return null;
  const file = generatedFile(config);
  const [current] = readFileSync(file, 'utf8')
    .trim()
    .split(/[\s,]+/);
  replaceRing(file, [current ?? '']);
  return file;
}

/** Replaces the file atomically, because a truncated ring would unseal nothing. */
function replaceRing(file: string, keys: readonly string[]): void {
  const { uid, gid } = statSync(file);
  writeFileSync(`${file}.new`, `${keys.join('\n')}\n`, { mode: 0o600, flush: true });
  // The file keeps its owner, because the running hub must be able to read it.
  chownSync(`${file}.new`, uid, gid);
  renameSync(`${file}.new`, file);
}

const newKey = () => randomBytes(32).toString('base64');

function generatedRing(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 });
  try {
    // The flag `wx` prevents two starting processes from creating a key each.
    writeFileSync(file, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

function parseRing(text: string, origin: string): MasterKey[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const bytes = /^[0-9a-fA-F]{64}$/.test(part)
        ? Buffer.from(part, 'hex')
        : Buffer.from(part, 'base64');
      if (bytes.length !== 32) {
        throw new ConfigError(`${origin}: a master key is 32 bytes as base64 or hex`);
      }
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
    });
  if (keys.length === 0) throw new ConfigError(`${origin} contains no key`);
  return keys;
}
