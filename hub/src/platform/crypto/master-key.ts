// The ring of master keys: the first seals, all open. Generated beside an embedded database, else given by the operator.
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
  /** First 8 hex digits of the key's SHA-256: says which key sealed a text, tells nothing about it. */
  id: string;
  bytes: Buffer;
}

/** Current key first. */
export type Ring = () => readonly MasterKey[];

/**
 * Throws ConfigError when there is no key or one is malformed. `isNew` tells whether the database holds no secret yet:
 * only then is a key generated, for a new one would open nothing that is there. A ring from a file follows the file.
 */
export async function loadMasterKeys(
  config: Pick<Config, 'masterKey' | 'dataDir'>,
  isNew: () => Promise<boolean>,
): Promise<Ring> {
  if (config.masterKey === null) {
    const file = generatedFile(config);
    if (!existsSync(file) && !(await isNew())) {
      throw new ConfigError(
        `${file} is missing, and the database holds secrets that only it opens: put it back`,
      );
    }
    parseRing(generatedRing(file), 'master.key');
    return followed(file, 'master.key');
  }
  if ('text' in config.masterKey) {
    const ring = parseRing(config.masterKey.text, 'HUB_MASTER_KEY');
    return () => ring;
  }
  return followed(config.masterKey.file, 'HUB_MASTER_KEY_FILE');
}

/** Reads the file again when it was replaced; what cannot be read then leaves the ring as it was. */
function followed(file: string, origin: string): Ring {
  const stamp = () => {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  };
  let [seen, text] = ['', ''];
  try {
    [seen, text] = [stamp(), readFileSync(file, 'utf8')];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new ConfigError(`${origin}: ${file} ${why}`);
  }
  let ring = parseRing(text, origin);
  return () => {
    try {
      const now = stamp();
      if (now !== seen) {
        ring = parseRing(readFileSync(file, 'utf8'), origin);
        seen = now;
      }
    } catch {
      // The keys that are known go on opening what they sealed.
    }
    return ring;
  };
}

const generatedFile = (config: Pick<Config, 'dataDir'>) => join(config.dataDir, 'master.key');

/**
 * Puts a new key before the others into the generated ring; a hub that runs on it follows. Null where the ring is the
 * operator's own: then the operator puts the new key first.
 */
export function addMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): string | null {
  if (config.masterKey !== null) return null;
  const file = generatedFile(config);
  replaceRing(file, [newKey(), readFileSync(file, 'utf8').trim()]);
  return file;
}

/** Leaves only the current key in the generated ring; null where the ring is the operator's own. */
export function forgetOldKeys(config: Pick<Config, 'masterKey' | 'dataDir'>): string | null {
  if (config.masterKey !== null) return null;
  const file = generatedFile(config);
  const [current] = readFileSync(file, 'utf8')
    .trim()
    .split(/[\s,]+/);
  replaceRing(file, [current ?? '']);
  return file;
}

/** Whole or not at all: a ring that was cut short would open nothing. */
function replaceRing(file: string, keys: readonly string[]): void {
  const { uid, gid } = statSync(file);
  writeFileSync(`${file}.new`, `${keys.join('\n')}\n`, { mode: 0o600, flush: true });
  // Whoever rotates, the hub that runs on it must be able to read it.
  chownSync(`${file}.new`, uid, gid);
  renameSync(`${file}.new`, file);
}

const newKey = () => randomBytes(32).toString('base64');

function generatedRing(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 });
  try {
    // `wx`: two processes that start at once must not each make a key.
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
  if (keys.length === 0) throw new ConfigError(`${origin} holds no key`);
  return keys;
}
