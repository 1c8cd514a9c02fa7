// GET /ea/v1/updates/manifest: the newest version of the agent that this device may have, as its vendor signed it. The hub
// passes it on and cannot make one: the key is never there.
import { type Static, Type } from 'typebox';
import { Instant, OneOf, Sha256Hex } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';
import { RELEASE_MAX_BYTES } from './limits.ts';

/** For who makes a release: what is of another form is taken by no hub and no agent. */
export const RELEASE_VERSION_PATTERN =
  '^(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})$';
export const RELEASE_CHANNEL_PATTERN = '^[a-z][a-z0-9-]{0,31}$';

/** Three numbers and nothing else: shells and programs order them alike. */
export const ReleaseVersion = Type.String({
  description: 'three numbers with dots between',
  pattern: RELEASE_VERSION_PATTERN,
});

const Channel = Type.String({ pattern: RELEASE_CHANNEL_PATTERN });
const Arch = Type.String({ pattern: '^[a-z0-9_]{1,32}$' });

/** What is signed: the bytes of this as JSON. */
export const ReleaseManifest = Type.Object({
  format: Type.Literal(1),
  version: ReleaseVersion,
  channel: Channel,
  platform: OneOf(PLATFORMS),
  arch: Arch,
  /** The archive's name, which is also the folder in it. */
  file: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,120}\\.tar\\.gz$' }),
  size: Type.Integer({ minimum: 1, maximum: RELEASE_MAX_BYTES }),
  sha256: Sha256Hex,
  /** Older ones need another version in between. */
  minimum_version: ReleaseVersion,
  made_at: Instant,
  /** After this nobody installs it any more: an old manifest cannot be played again for ever. */
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

/** The manifest as text, byte for byte what was signed, and the signature (Ed25519, base64). */
export const UpdateAnswer = Type.Object({
  manifest: Type.String({ minLength: 2, maxLength: 4096 }),
  signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
});
export type UpdateAnswer = Static<typeof UpdateAnswer>;
