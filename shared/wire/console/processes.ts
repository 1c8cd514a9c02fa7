// C/unknown-processes and C/process-mappings.
import { type Static, Type } from 'typebox';
import {
  Instant,
  Nullable,
  OneOf,
  OptionalNullable,
  Sha256Hex,
  ShortText,
  Uuid,
} from '../common.ts';
import { ProcessMapping } from '../sync/process-map.ts';
import { MAPPING_MATCHES, PLATFORMS } from '../vocabulary.ts';
import { FileFormat, ListAnswer, ListQuery } from './common.ts';

export const UnknownProcessRow = Type.Object({
  process_id: Sha256Hex,
  name: Type.String(),
  executable_path: Type.String(),
  platform: OneOf(PLATFORMS),
  publisher: Nullable(Type.String()),
  sha256: Nullable(Sha256Hex),
  device_count: Type.Integer(),
  first_seen_at: Instant,
  last_seen_at: Instant,
});
export type UnknownProcessRow = Static<typeof UnknownProcessRow>;

const unknownFilters = { query: Type.Optional(Type.String({ maxLength: 200 })) };
export const UnknownProcessesQuery = Type.Object(
  { ...ListQuery, ...unknownFilters },
  { additionalProperties: false },
);
/** C/unknown-processes/download: the same filter, all of the list. */
export const UnknownProcessesDownloadQuery = Type.Object(
  { format: FileFormat, ...unknownFilters },
  { additionalProperties: false },
);
export const UnknownProcessesList = ListAnswer(UnknownProcessRow);
export type UnknownProcessesList = Static<typeof UnknownProcessesList>;

export const ProcessMappingInput = Type.Object(
  {
    process_name: ShortText,
    platform: OptionalNullable(OneOf(PLATFORMS)),
    match: OneOf(MAPPING_MATCHES),
    application_name: ShortText,
    entity_id: OptionalNullable(Sha256Hex),
  },
  { additionalProperties: false },
);
export type ProcessMappingInput = Static<typeof ProcessMappingInput>;

export const ProcessMappingRow = Type.Object({
  mapping_id: Uuid,
  ...ProcessMapping.properties,
  /** The ETag verbatim, with its quotes: what `If-Match` takes. */
  version: Type.String(),
  created_at: Type.String(),
  created_by: Type.String(),
});
export type ProcessMappingRow = Static<typeof ProcessMappingRow>;

export const ProcessMappingAnswer = Type.Object({
  mapping: ProcessMappingRow,
  request_id: Type.String(),
});
export type ProcessMappingAnswer = Static<typeof ProcessMappingAnswer>;

export const ProcessMappingDeletedAnswer = Type.Object({
  mapping_id: Uuid,
  deleted: Type.Literal(true),
  request_id: Type.String(),
});

export const ProcessMappingsQuery = Type.Object(
  {
    ...ListQuery,
    /** A piece of the process's or the application's name, or of a path from which one of exactly that name runs. */
    query: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export const ProcessMappingsAnswer = ListAnswer(ProcessMappingRow);
export type ProcessMappingsAnswer = Static<typeof ProcessMappingsAnswer>;

/** What a mapping is tried with: the body of a new one, without the name that it would give. */
export const ProcessMappingPreviewInput = Type.Object(
  {
    process_name: ShortText,
    platform: OptionalNullable(OneOf(PLATFORMS)),
    match: OneOf(MAPPING_MATCHES),
  },
  { additionalProperties: false, title: 'ProcessMappingPreviewInput' },
);
export type ProcessMappingPreviewInput = Static<typeof ProcessMappingPreviewInput>;

/** Of what would be named: how many, and the first 50. `at_least`: not everything was looked at. */
const Covered = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  at_least: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      executable_path: Type.String(),
      platform: OneOf(PLATFORMS),
      devices: Type.Integer({ minimum: 0 }),
      /** What another mapping calls it now. */
      application_name: Nullable(Type.String()),
    }),
  ),
});

export const ProcessMappingPreviewAnswer = Type.Object({
  /** Groups of unknown processes. */
  unknown: Covered,
  /** Programs that run as devices told last, by name and path. */
  running: Covered,
  request_id: Type.String(),
});
export type ProcessMappingPreviewAnswer = Static<typeof ProcessMappingPreviewAnswer>;
