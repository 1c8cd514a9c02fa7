// The manifest of a release, signed with the vendor's key (Ed25519, PEM). The key stays with the vendor: neither hub nor
// device ever holds it.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';

const DAY_MS = 86_400_000;

export interface Signing {
  key: KeyObject;
  channel: string;
  minimumVersion: string;
  /** For so many days the release may be installed. */
  days: number;
  now?: Date;
}

/** The key of a file, or the one in GATEWARDEN_UPDATE_KEY where the file is `env`. */
export function readSigningKey(file: string, env: NodeJS.ProcessEnv): KeyObject {
  const pem = file === 'env' ? (env.GATEWARDEN_UPDATE_KEY ?? '') : readFileSync(file, 'utf8');
  const key = privateKeyIn(pem);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new Error('the signing key must be a private key of Ed25519 in PEM');
}

function privateKeyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/** The public half as it is built into agents and pinned in agent.toml: SPKI in base64. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Writes `manifest.json` and `manifest.json.sig` into the folder; gives their paths. */
export function signRelease(
  archive: string,
  machine: Pick<ReleaseManifest, 'version' | 'platform' | 'arch'>,
  out: string,
  signing: Signing,
): { manifest: string; signature: string } {
  const made = signing.now ?? new Date();
  const { version, platform, arch } = machine;
  const manifest: ReleaseManifest = {
    format: 1,
    ...{ version, channel: signing.channel, platform, arch },
    file: basename(archive),
    size: statSync(archive).size,
    sha256: createHash('sha256').update(readFileSync(archive)).digest('hex'),
    minimum_version: signing.minimumVersion,
    made_at: made.toISOString(),
    expires_at: new Date(made.getTime() + signing.days * DAY_MS).toISOString(),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const paths = {
    manifest: join(out, 'manifest.json'),
    signature: join(out, 'manifest.json.sig'),
  };
  writeFileSync(paths.manifest, text);
  const signature = sign(null, Buffer.from(text), signing.key).toString('base64');
  writeFileSync(paths.signature, `${signature}\n`);
  return paths;
}
