// POST /ea/v1/sync/discovered-apps: a batch of discovered entities.
import { type Static, Type } from 'typebox';
import {
  Instant,
  Nullable,
  OneOf,
  OptionalNullable,
  Path,
  Sha256Hex,
  ShortText,
  Uuid,
} from '../common.ts';
import { ENTITY_KINDS, SCAN_KINDS } from '../vocabulary.ts';
import { WireDevice } from './device.ts';

/** The location and the owner of an installation of a product on a device. */
export const WireInstance = Type.Object({
  owner: OptionalNullable(Type.String({ maxLength: 256 })),
  path: OptionalNullable(Path),
  version: OptionalNullable(Type.String({ maxLength: 512 })),
  name: OptionalNullable(Type.String({ maxLength: 512 })),
  permissions: OptionalNullable(Type.Array(Type.String({ maxLength: 512 }), { maxItems: 256 })),
  launch_hash: OptionalNullable(Sha256Hex),
});

export type WireInstance = Static<typeof WireInstance>;

/**
 * The path of an executable, which the correlator compares with running programs. A relative path would never match, or
 * match another program.
 */
const ExecutablePath = Type.String({
  description: 'an absolute path, or a path below a home such as ~/',
  maxLength: 4096,
  pattern: '^(/|~[/\\\\]|\\\\\\\\|[A-Za-z]:[/\\\\])',
});

export const WireEntity = Type.Object({
  entity_id: Sha256Hex,
  kind: OneOf(ENTITY_KINDS),
  source: Type.String({ minLength: 1, maxLength: 64 }),
  name: ShortText,
  version: OptionalNullable(Type.String({ maxLength: 512 })),
  publisher: OptionalNullable(Type.String({ maxLength: 512 })),
  install_path: OptionalNullable(Path),
  executables: Type.Optional(Type.Array(ExecutablePath, { maxItems: 64 })),
  instances: Type.Optional(Type.Array(WireInstance, { maxItems: 32 })),
  installed_at: OptionalNullable(Instant),
  launch_hash: OptionalNullable(Sha256Hex),
  details: OptionalNullable(Type.Object({}, { additionalProperties: true })),
  removed: Type.Optional(Type.Boolean()),
});
export type WireEntity = Static<typeof WireEntity>;

export const WireCoverage = Type.Object({
  source: Type.String({ minLength: 1, maxLength: 64 }),
  owner: Nullable(Type.String({ maxLength: 256 })),
  state: Type.String({ minLength: 1, maxLength: 64 }),
  entities: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  reason: OptionalNullable(Type.String({ maxLength: 1024 })),
});
export type WireCoverage = Static<typeof WireCoverage>;

export const WireScan = Type.Object({
  scan_id: Uuid,
  seq: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  started_at: Instant,
  kind: OneOf(SCAN_KINDS),
  batch: Type.Integer({ minimum: 0, maximum: 99_999 }),
  batches: Type.Integer({ minimum: 1, maximum: 100_000 }),
  coverage: Type.Optional(Type.Array(WireCoverage, { maxItems: 4096 })),
});

export type WireScan = Static<typeof WireScan>;

export const DiscoveredAppsRequest = Type.Object({
  batch_id: Uuid,
  device: WireDevice,
  scan: WireScan,
  // A separate rule checks the count, because an oversized batch is the error `batch_too_large` and not a schema error.
  entities: Type.Array(WireEntity),
});
export type DiscoveredAppsRequest = Static<typeof DiscoveredAppsRequest>;

export const DiscoveredAppsAnswer = Type.Object({
  batch_id: Uuid,
  accepted: Type.Integer(),
  unchanged: Type.Integer(),
  request_id: Type.String(),
});
export type DiscoveredAppsAnswer = Static<typeof DiscoveredAppsAnswer>;
