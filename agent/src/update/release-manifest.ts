// Whether a release that the hub offers may be installed here: pure, so that it can be tried with thousands of wrong ones. The
// hub is not believed: only what the vendor signed counts.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { compareVersions } from '@gatewarden/shared/names.ts';
import type { ReleaseManifest, UpdateAnswer } from '@gatewarden/shared/wire/sync/updates.ts';
import { UpdateRefused } from '../sync/backoff.ts';
import { isReleaseManifest } from '../sync/hub-responses.ts';

export interface Installed {
  publicKey: KeyObject;
  version: string;
  platform: string;
  arch: string;
  channel: string;
  /** Versions that were tried here and did not work. */
  bad: readonly string[];
  now: Date;
}

/** Returns the verified manifest. Throws UpdateRefused with a line. */
export function acceptManifest(offer: UpdateAnswer, installed: Installed): ReleaseManifest {
  const signature = Buffer.from(offer.signature, 'base64');
  if (!verify(null, Buffer.from(offer.manifest), installed.publicKey, signature)) {
    throw new UpdateRefused('the manifest is not signed by the vendor', true);
  }
  const manifest = parse(offer.manifest);
  const objection = objectionTo(manifest, installed);
  if (objection !== null) throw new UpdateRefused(objection);
  return manifest;
}

function parse(text: string): ReleaseManifest {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // The check below reports it.
  }
  if (!isReleaseManifest(value)) throw new UpdateRefused('the manifest is of an unknown form');
  return value;
}

function objectionTo(manifest: ReleaseManifest, installed: Installed): string | null {
  const { version, platform, arch, channel } = manifest;
  if (platform !== installed.platform || arch !== installed.arch) {
    return `${version} is for ${platform} ${arch}`;
  }
  if (channel !== installed.channel) return `${version} is of the channel ${channel}`;
  if (compareVersions(version, installed.version) <= 0) {
    return `${version} is not newer than ${installed.version}`;
  }
  if (compareVersions(manifest.minimum_version, installed.version) > 0) {
    return `${version} can only be installed over ${manifest.minimum_version} or newer`;
  }
  if (Date.parse(manifest.expires_at) <= installed.now.getTime()) {
    return `the manifest of ${version} expired at ${manifest.expires_at}`;
  }
  return installed.bad.includes(version) ? `${version} did not work here` : null;
}

/** Parses a public key of agent.toml or a package; null where it is no Ed25519 key. */
export function parsePublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({
      key: Buffer.from(text, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
