// GET /ea/v1/updates/manifest: the newest agent version for this device, as its vendor signed it. The hub forwards the
// manifest and cannot create a manifest, because it never has the signing key.
import { type Static, Type } from 'typebox';
import { Instant, OneOf, Sha256Hex } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';
import { RELEASE_MAX_BYTES } from './limits.ts';

/** The version pattern for publishers of releases: hubs and agents reject every other pattern. */
export const RELEASE_VERSION_PATTERN =
  '^(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})$';
export const RELEASE_CHANNEL_PATTERN = '^[a-z][a-z0-9-]{0,31}$';

/** A version of three numbers, which shells and programs sort alike. */
export const ReleaseVersion = Type.String({
  description: 'three numbers with dots between',
  pattern: RELEASE_VERSION_PATTERN,
});

const Channel = Type.String({ pattern: RELEASE_CHANNEL_PATTERN });
const Arch = Type.String({ pattern: '^[a-z0-9_]{1,32}$' });

/** The signed content: the bytes of this object as JSON. */
export const ReleaseManifest = Type.Object({
  format: Type.Literal(1),
  version: ReleaseVersion,
  channel: Channel,
  platform: OneOf(PLATFORMS),
  arch: Arch,
  /** The name of the archive, which is also the name of its top folder. */
  file: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,120}\\.tar\\.gz$' }),
  size: Type.Integer({ minimum: 1, maximum: RELEASE_MAX_BYTES }),
  sha256: Sha256Hex,
  /** The oldest version that can install this release directly. */
  minimum_version: ReleaseVersion,
  made_at: Instant,
  /** The expiry of the manifest. An agent refuses an expired manifest, which prevents replays. */
  expires_at: Instant,
});
export type ReleaseManifest = Static<typeof ReleaseManifest>;

export const UpdateQuery = Type.Object({
  platform: OneOf(PLATFORMS),
  arch: Arch,
  version: ReleaseVersion,
  channel: Type.Optional(Channel),
});
export type UpdateQuery = Static<typeof UpdateQuery>;

/** The manifest as text, byte for byte as signed, and the signature (Ed25519, base64). */
export const UpdateAnswer = Type.Object({
  manifest: Type.String({ minLength: 2, maxLength: 4096 }),
  signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
});
export type UpdateAnswer = Static<typeof UpdateAnswer>;
