// GET C/discovered-apps and C/discovered-apps/{entity_id}: one row per entity over all devices.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { APPROVAL_STATUSES, ENTITY_KINDS, EXECUTION_POLICIES, PLATFORMS } from '../vocabulary.ts';
import { CountedListAnswer, FileFormat, ListAnswer, ListQuery } from './common.ts';

export const VersionCount = Type.Object({
  version: Nullable(Type.String()),
  device_count: Type.Integer(),
});

export const ApplicationRow = Type.Object({
  entity_id: Sha256Hex,
  kind: OneOf(ENTITY_KINDS),
  source: Type.String(),
  name: Type.String(),
  publisher: Nullable(Type.String()),
  platform: OneOf(PLATFORMS),
  /** The 20 that most devices have, the newest first. */
  versions: Type.Array(VersionCount),
  device_count: Type.Integer(),
  /** From what decides tenant-wide: by its id, else by its name; `pending` where nothing does, or since it drifted. */
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: Nullable(OneOf(EXECUTION_POLICIES)),
  /** The decision that covers it by its name, where none names its id. */
  named_decision_id: Nullable(Uuid),
  /** Since when what it launches, or what it may do, is other than when it was approved. */
  drifted_at: Nullable(Type.String()),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
});
export type ApplicationRow = Static<typeof ApplicationRow>;

export const APPLICATION_SORTS = ['name', '-device_count', '-first_seen_at'] as const;

const filters = {
  /** Words: each stands in the name, the publisher or the source. */
  query: Type.Optional(Type.String({ maxLength: 200 })),
  kind: Type.Optional(OneOf(ENTITY_KINDS)),
  approval_status: Type.Optional(OneOf(APPROVAL_STATUSES)),
  /** Only what changed since it was approved. */
  drifted: Type.Optional(OneOf(['true', 'false'])),
  /** Only what is on a device and was first seen in the last seven days. */
  fresh: Type.Optional(OneOf(['week'])),
  /** Only what is on a device of this user now, however its case is written. */
  subscriber_id: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  sort: Type.Optional(OneOf(APPLICATION_SORTS)),
};

export const ApplicationsQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false },
);
/** C/discovered-apps/download: the same filters, all of the list. */
export const ApplicationsDownloadQuery = Type.Object(
  { format: FileFormat, ...filters },
  { additionalProperties: false },
);

export const ApplicationsAnswer = CountedListAnswer(ApplicationRow);
export type ApplicationsAnswer = Static<typeof ApplicationsAnswer>;

/** One device that an application is on: GET C/discovered-apps/{entity_id}/devices. */
export const ApplicationDevice = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  subscriber_id: Type.String(),
  version: Nullable(Type.String()),
  install_path: Nullable(Type.String()),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
});
export type ApplicationDevice = Static<typeof ApplicationDevice>;

/** How a client launches a server, or where it reaches it; the device cut its secrets. Of `env` and `headers` the names. */
export const ServerLaunch = Type.Object(
  {
    client: Nullable(Type.String()),
    scope: Nullable(Type.String()),
    transport: Nullable(Type.String()),
    command: Nullable(Type.String()),
    args: Type.Array(Type.String()),
    url: Nullable(Type.String()),
    env: Type.Array(Type.String()),
    headers: Type.Array(Type.String()),
    disabled: Type.Boolean(),
    /** No version is fixed: what runs tomorrow may be another. */
    unpinned: Type.Boolean(),
  },
  { title: 'ServerLaunch' },
);
export type ServerLaunch = Static<typeof ServerLaunch>;

/** What of a product is reviewed: how it is launched, and what it may do. */
export const Facets = Type.Object({
  launches: Type.Array(ServerLaunch),
  permissions: Type.Array(Type.String()),
});
export type Facets = Static<typeof Facets>;

export const ApplicationDrift = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  since: Type.String(),
  launch_changed: Type.Boolean(),
  new_permissions: Type.Array(Type.String()),
  /** As it stood before it drifted first; null where the device has it for the first time, or an older hub did not keep it. */
  before: Nullable(Facets),
  /** As it stands there now; null where it is gone. */
  now: Nullable(Facets),
});
export type ApplicationDrift = Static<typeof ApplicationDrift>;

/** C/discovered-apps/{entity_id}/review: the approval holds for what is there now. */
export const ReviewAnswer = Type.Object({
  entity_id: Sha256Hex,
  /** On so many devices it had drifted. */
  devices: Type.Integer(),
  request_id: Type.String(),
});

/** A way in which it is launched, with on how many devices. */
export const ApplicationLaunch = Type.Object({ launch: ServerLaunch, devices: Type.Integer() });
export type ApplicationLaunch = Static<typeof ApplicationLaunch>;

export const ApplicationAnswer = Type.Object({
  application: Type.Object({
    ...ApplicationRow.properties,
    /** The ETag verbatim: it counts what drifted and was reviewed, which a review's `If-Match` may name. */
    version: Type.String(),
    /** Over all devices, the 64 that most have. */
    executables: Type.Array(Type.String()),
    /** So many different ones there are. */
    executable_count: Type.Integer(),
    /** Of extensions, MCP servers and AI tools: how devices launch it, the 20 that most devices have. */
    launches: Type.Array(ApplicationLaunch),
    /** So many different ones there are. */
    launch_count: Type.Integer(),
    /** Of the same kinds: all that it may do on any device. */
    permissions: Type.Array(Type.String()),
    /** Where it drifted, at most 100 devices. */
    drifts: Type.Array(ApplicationDrift),
  }),
  request_id: Type.String(),
});
export type ApplicationAnswer = Static<typeof ApplicationAnswer>;

export const ApplicationDevicesQuery = Type.Object(
  { ...ListQuery },
  { additionalProperties: false },
);
export const ApplicationDevicesAnswer = ListAnswer(ApplicationDevice);
export type ApplicationDevicesAnswer = Static<typeof ApplicationDevicesAnswer>;

/** GET C/discovered-apps/{entity_id}/launches: each different one, those that most devices have first. */
export const ApplicationLaunchesQuery = Type.Object(
  { ...ListQuery },
  { additionalProperties: false },
);
export const ApplicationLaunchesAnswer = ListAnswer(ApplicationLaunch);

/** GET C/discovered-apps/{entity_id}/executables: those that most devices have first. */
export const ApplicationExecutable = Type.Object({
  path: Type.String(),
  devices: Type.Integer(),
});
export type ApplicationExecutable = Static<typeof ApplicationExecutable>;
export const ApplicationExecutablesQuery = Type.Object(
  { ...ListQuery },
  { additionalProperties: false },
);
export const ApplicationExecutablesAnswer = ListAnswer(ApplicationExecutable);

export const LIKENESSES = ['same_name', 'same_launch', 'same_publisher'] as const;

/** GET C/discovered-apps/{entity_id}/similar: what one may want to decide about together. */
export const SimilarApplication = Type.Object(
  {
    entity_id: Sha256Hex,
    kind: OneOf(ENTITY_KINDS),
    source: Type.String(),
    platform: OneOf(PLATFORMS),
    name: Type.String(),
    publisher: Nullable(Type.String()),
    device_count: Type.Integer(),
    approval_status: OneOf(APPROVAL_STATUSES),
    why: Type.Array(OneOf(LIKENESSES)),
  },
  { title: 'SimilarApplication' },
);
export type SimilarApplication = Static<typeof SimilarApplication>;
export const SimilarAnswer = Type.Object({
  /** At most 20, the likest first. */
  items: Type.Array(SimilarApplication),
  request_id: Type.String(),
});
export type SimilarAnswer = Static<typeof SimilarAnswer>;
