// The ring of master keys: the first seals, all open. Generated beside an embedded database, else given by the operator.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config/config.ts';

export interface MasterKey {
  /** First 8 hex digits of the key's SHA-256: says which key sealed a text, tells nothing about it. */
  id: string;
  bytes: Buffer;
}

/**
 * Current key first. Throws ConfigError when there is none or one is malformed. `isNew` tells whether the database holds
 * no secret yet: only then is a key generated, for a new one would open nothing that is there.
 */
export async function loadMasterKeys(
  config: Pick<Config, 'masterKey' | 'dataDir'>,
  isNew: () => Promise<boolean>,
): Promise<MasterKey[]> {
  if (config.masterKey === null) {
    const file = join(config.dataDir, 'master.key');
    if (!existsSync(file) && !(await isNew())) {
      throw new ConfigError(
        `${file} is missing, and the database holds secrets that only it opens: put it back`,
      );
    }
    return parseRing(generatedRing(config.dataDir), 'master.key');
  }
  if ('text' in config.masterKey) return parseRing(config.masterKey.text, 'HUB_MASTER_KEY');
  if (!existsSync(config.masterKey.file)) {
    throw new ConfigError(`HUB_MASTER_KEY_FILE: ${config.masterKey.file} does not exist`);
  }
  return parseRing(readFileSync(config.masterKey.file, 'utf8'), 'HUB_MASTER_KEY_FILE');
}

function generatedRing(dataDir: string): string {
  const file = join(dataDir, 'master.key');
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  try {
    // `wx`: two processes that start at once must not each make a key.
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
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
