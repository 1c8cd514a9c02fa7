// Signs the manifest of a release with the vendor's key (Ed25519, PEM). The key stays with the vendor: neither hub nor
// device has it.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';

const DAY_MS = 86_400_000;

export interface Signing {
  key: KeyObject;
  channel: string;
  minimumVersion: string;
  /** The number of days during which the release may be installed. */
  days: number;
  now?: Date;
}

/** Reads a signing key from a file; `env` reads GATEWARDEN_UPDATE_KEY. */
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

/** Returns the public key as agents contain it and agent.toml pins it: SPKI in base64. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Writes `manifest.json` and `manifest.json.sig` into the folder. Returns their paths. */
export function signRelease(
  archive: string,
  machine: Pick<ReleaseManifest, 'version' | 'platform' | 'arch'>,
  out: string,
  signing: Signing,
): { manifest: string; signature: string } {
  const signedAt = signing.now ?? new Date();
  const { version, platform, arch } = machine;
  const manifest: ReleaseManifest = {
    format: 1,
    ...{ version, channel: signing.channel, platform, arch },
    file: basename(archive),
    size: statSync(archive).size,
    sha256: createHash('sha256').update(readFileSync(archive)).digest('hex'),
    minimum_version: signing.minimumVersion,
    made_at: signedAt.toISOString(),
    expires_at: new Date(signedAt.getTime() + signing.days * DAY_MS).toISOString(),
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
