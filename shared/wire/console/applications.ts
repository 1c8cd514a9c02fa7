// GET C/discovered-apps and C/discovered-apps/{entity_id}: a row for each entity over all devices.
import { type Static, Type } from 'typebox';
import { POLICY_STEPS } from '../../policy-scale.ts';
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
  /** The 20 versions on most devices, newest first. */
  versions: Type.Array(VersionCount),
  device_count: Type.Integer(),
  /**
   * The status of the deciding tenant-wide override, by id, else by name; `pending` without an override or after drift.
   */
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: Nullable(OneOf(EXECUTION_POLICIES)),
  /** The override that matches by name, if no override matches the id. */
  named_decision_id: Nullable(Uuid),
  /** When its launch or its permissions began to differ from the approval. */
  drifted_at: Nullable(Type.String()),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
});
export type ApplicationRow = Static<typeof ApplicationRow>;

export const APPLICATION_SORTS = ['name', '-device_count', '-first_seen_at'] as const;

const filters = {
  /** Search words; each must occur in the name, the publisher or the source. */
  query: Type.Optional(Type.String({ maxLength: 200 })),
  kind: Type.Optional(OneOf(ENTITY_KINDS)),
  approval_status: Type.Optional(OneOf(APPROVAL_STATUSES)),
  /** Restricts the list to entities on a device whose tenant-wide policy is this step of the scale, or nearest to it. */
  policy_step: Type.Optional(OneOf(POLICY_STEPS)),
  /** Restricts the list to entities that drifted since their approval. */
  drifted: Type.Optional(OneOf(['true', 'false'])),
  /** Restricts the list to entities on a device that were first seen in the last seven days. */
  fresh: Type.Optional(OneOf(['week'])),
  /** Restricts the list to entities on a device of this user, case-insensitively. */
  subscriber_id: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  sort: Type.Optional(OneOf(APPLICATION_SORTS)),
};

export const ApplicationsQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false },
);
/** C/discovered-apps/download: the same filters, without pages. */
export const ApplicationsDownloadQuery = Type.Object(
  { format: FileFormat, ...filters },
  { additionalProperties: false },
);

export const ApplicationsAnswer = CountedListAnswer(ApplicationRow);
export type ApplicationsAnswer = Static<typeof ApplicationsAnswer>;

/** A device with the application: GET C/discovered-apps/{entity_id}/devices. */
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

/**
 * The command with which a client launches a server, or its address, without secrets. `env` and `headers` contain names
 * only.
 */
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
    /** No version is fixed, so a later launch may run another version. */
    unpinned: Type.Boolean(),
  },
  { title: 'ServerLaunch' },
);
export type ServerLaunch = Static<typeof ServerLaunch>;

/** The reviewed properties of a product: its launch and its permissions. */
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
  /** The state before the drift; null for a first sighting on the device, or if an older hub did not store it. */
  before: Nullable(Facets),
  /** The present state; null if the entity was removed. */
  now: Nullable(Facets),
});
export type ApplicationDrift = Static<typeof ApplicationDrift>;

/** C/discovered-apps/{entity_id}/review: extends the approval to the present state. */
export const ReviewAnswer = Type.Object({
  entity_id: Sha256Hex,
  /** The number of devices on which the entity had drifted. */
  devices: Type.Integer(),
  request_id: Type.String(),
});

/** A launch command with the number of devices that use it. */
export const ApplicationLaunch = Type.Object({ launch: ServerLaunch, devices: Type.Integer() });
export type ApplicationLaunch = Static<typeof ApplicationLaunch>;

export const ApplicationAnswer = Type.Object({
  application: Type.Object({
    ...ApplicationRow.properties,
    /** The ETag verbatim: it counts drifts and reviews, and a review's `If-Match` may contain it. */
    version: Type.String(),
    /** The 64 executables on most devices. */
    executables: Type.Array(Type.String()),
    /** The number of distinct executables. */
    executable_count: Type.Integer(),
    /** Launch commands of extensions, MCP servers and AI tools: the 20 on most devices. */
    launches: Type.Array(ApplicationLaunch),
    /** The number of distinct launch commands. */
    launch_count: Type.Integer(),
    /** All permissions on any device, for the same kinds. */
    permissions: Type.Array(Type.String()),
    /** Drifts on at most 100 devices. */
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

/** GET C/discovered-apps/{entity_id}/launches: distinct launch commands, most devices first. */
export const ApplicationLaunchesQuery = Type.Object(
  { ...ListQuery },
  { additionalProperties: false },
);
export const ApplicationLaunchesAnswer = ListAnswer(ApplicationLaunch);

/** GET C/discovered-apps/{entity_id}/executables: most devices first. */
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

/** GET C/discovered-apps/{entity_id}/similar: applications that an admin may want to decide together. */
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
  /** At most 20 applications, most similar first. */
  items: Type.Array(SimilarApplication),
  request_id: Type.String(),
});
export type SimilarAnswer = Static<typeof SimilarAnswer>;
