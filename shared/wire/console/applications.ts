// GET C/discovered-apps and C/discovered-apps/{entity_id}: one row per entity over all devices.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { APPROVAL_STATUSES, ENTITY_KINDS, EXECUTION_POLICIES, PLATFORMS } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';

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
  /** Newest first, at most 20. */
  versions: Type.Array(VersionCount),
  device_count: Type.Integer(),
  /** From the tenant-wide override for this entity; `pending` where there is none, or since it drifted. */
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: Nullable(OneOf(EXECUTION_POLICIES)),
  /** Since when what it launches, or what it may do, is other than when it was approved. */
  drifted_at: Nullable(Type.String()),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
});
export type ApplicationRow = Static<typeof ApplicationRow>;

export const APPLICATION_SORTS = ['name', '-device_count', '-first_seen_at'] as const;

export const ApplicationsQuery = Type.Object(
  {
    ...ListQuery,
    query: Type.Optional(Type.String({ maxLength: 200 })),
    kind: Type.Optional(OneOf(ENTITY_KINDS)),
    approval_status: Type.Optional(OneOf(APPROVAL_STATUSES)),
    sort: Type.Optional(OneOf(APPLICATION_SORTS)),
  },
  { additionalProperties: false },
);
/** C/discovered-apps/download: the same filters, all of the list. */
export const ApplicationsDownloadQuery = Type.Object(
  {
    format: OneOf(['csv', 'json']),
    query: ApplicationsQuery.properties.query,
    kind: ApplicationsQuery.properties.kind,
    approval_status: ApplicationsQuery.properties.approval_status,
    sort: ApplicationsQuery.properties.sort,
  },
  { additionalProperties: false },
);

export const ApplicationsAnswer = ListAnswer(ApplicationRow);
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

export const ApplicationDrift = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  since: Type.String(),
  launch_changed: Type.Boolean(),
  new_permissions: Type.Array(Type.String()),
});
export type ApplicationDrift = Static<typeof ApplicationDrift>;

/** C/discovered-apps/{entity_id}/review: the approval holds for what is there now. */
export const ReviewAnswer = Type.Object({
  entity_id: Sha256Hex,
  /** On so many devices it had drifted. */
  devices: Type.Integer(),
  request_id: Type.String(),
});

export const ApplicationAnswer = Type.Object({
  application: Type.Object({
    ...ApplicationRow.properties,
    executables: Type.Array(Type.String()),
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
