// Stores the agent's two tokens, and the key of an enrollment under way, in the OS keychain; where there is none, in
// a 0600 file of the data folder, which is reported.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { AS_THE_AGENT, codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { readRegularFile, writeFileAtomically } from './atomic-file.ts';

const NAMES = ['agent_token', 'device_token', 'enrolment_key'] as const;
export type TokenName = (typeof NAMES)[number];

/** The stored tokens are unreadable; a write replaces them. */
export class DamagedTokens extends PlainError {}

/** A storage of secrets. */
export interface TokenPlace {
  readonly where: 'keychain' | 'file';
  read(name: TokenName): Promise<string | null>;
  write(name: TokenName, secret: string | null): Promise<void>;
}

/** A keychain that asks somebody who is not there would wait for ever: after this long it counts as absent. */
const KEYCHAIN_PATIENCE_MS = 3000;
const SERVICE = 'gatewarden-agent';

/**
 * Opens the keychain where it works, else the file; tokens in the file move into the keychain as soon as it works.
 */
export async function openTokenStore(dataDir: string, env: NodeJS.ProcessEnv): Promise<TokenPlace> {
  const file = fileTokens(dataDir);
  const keychain = await openKeychain(dataDir, env);
  if (keychain === null) return file;
  try {
    for (const name of NAMES) {
      const secret = await file.read(name);
      if (secret === null) continue;
      await keychain.write(name, secret);
      await file.write(name, null);
    }
  } catch {
    // A keychain that reads and does not write is none.
    return file;
  }
  return keychain;
}

/** Deletes all tokens. */
export async function deleteTokens(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const place = await openTokenStore(dataDir, env);
  for (const name of NAMES) await place.write(name, null);
}

async function openKeychain(dataDir: string, env: NodeJS.ProcessEnv): Promise<TokenPlace | null> {
  if (process.platform === 'linux' && !hasSessionBus(env)) return null;
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entryFor = (name: TokenName) =>
      // The kernel's key ring forgets at reboot, so the library must not fall back to it by itself.
      new AsyncEntry(SERVICE, `${name}:${sha256Hex(dataDir).slice(0, 16)}`, {
        linux: { store: 'secret-service' },
      });
    const place: TokenPlace = {
      where: 'keychain',
      async read(name) {
        const signal = AbortSignal.timeout(KEYCHAIN_PATIENCE_MS);
        return (await withPatience(entryFor(name).getPassword(signal))) ?? null;
      },
      async write(name, secret) {
        const signal = AbortSignal.timeout(KEYCHAIN_PATIENCE_MS);
        const entry = entryFor(name);
        if (secret !== null) await withPatience(entry.setPassword(secret, signal));
        else if ((await place.read(name)) !== null) {
          await withPatience(entry.deleteCredential(signal));
        }
      },
    };
    await place.read('agent_token');
    return place;
  } catch {
    return null;
  }
}

function hasSessionBus(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.DBUS_SESSION_BUS_ADDRESS) || existsSync(`/run/user/${process.getuid?.()}/bus`);
}

async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new PlainError('the keychain does not answer')),
      KEYCHAIN_PATIENCE_MS + 500,
    );
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

type Tokens = Partial<Record<TokenName, string>>;

/** Returns null for an invalid file: a parser's message would quote a token. */
function parseTokens(text: string): Tokens | null {
  try {
    const found: unknown = JSON.parse(text);
    const isOurs =
      typeof found === 'object' &&
      found !== null &&
      !Array.isArray(found) &&
      Object.values(found).every((token) => typeof token === 'string');
    return isOurs ? (found as Tokens) : null;
  } catch {
    return null;
  }
}

/** The documented fallback: `tokens.json`, readable by its owner alone. */
export function fileTokens(dataDir: string): TokenPlace {
  const file = join(dataDir, 'tokens.json');
  /** Content of a file that is removed while the service runs. */
  let last: Tokens = {};
  /** Null where it is damaged. */
  const load = (): Tokens | null => {
    try {
      const tokens = parseTokens(readRegularFile(file));
      last = tokens ?? last;
      return tokens;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { ...last };
      const advice = codeOf(error) === 'EACCES' ? AS_THE_AGENT : 'take it away and enroll again';
      throw new PlainError(`cannot read ${file}: ${messageOf(error)}: ${advice}`);
    }
  };
  return {
    where: 'file',
    async read(name) {
      const tokens = load();
      if (tokens === null) throw new DamagedTokens(`${file} is damaged: enroll again`);
      return tokens[name] ?? null;
    },
    async write(name, secret) {
      const tokens = load() ?? {};
      if (secret === null) {
        if (tokens[name] === undefined) return;
        delete tokens[name];
      } else tokens[name] = secret;
      writeFileAtomically(file, `${JSON.stringify(tokens)}\n`, 0o600);
      last = tokens;
    },
  };
}

/** Writes the file again that was taken away from a service that runs; of a keychain nothing is missing. */
export async function putBackTokens(place: TokenPlace, dataDir: string): Promise<void> {
  if (place.where !== 'file' || existsSync(join(dataDir, 'tokens.json'))) return;
  for (const name of NAMES) {
    const secret = await place.read(name);
    if (secret !== null) await place.write(name, secret);
  }
}
