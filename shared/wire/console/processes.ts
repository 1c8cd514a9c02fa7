// C/unknown-processes and C/process-mappings: unidentified programs, and mappings that name them.
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
/** C/unknown-processes/download: the same filter, without pages. */
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
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
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
    /**
     * A part of the process name, of the application name, or of a path from which a program of exactly that name runs.
     */
    query: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export const ProcessMappingsAnswer = ListAnswer(ProcessMappingRow);
export type ProcessMappingsAnswer = Static<typeof ProcessMappingsAnswer>;

/** The body of a preview: a new mapping without its application name. */
export const ProcessMappingPreviewInput = Type.Object(
  {
    process_name: ShortText,
    platform: OptionalNullable(OneOf(PLATFORMS)),
    match: OneOf(MAPPING_MATCHES),
  },
  { additionalProperties: false, title: 'ProcessMappingPreviewInput' },
);
export type ProcessMappingPreviewInput = Static<typeof ProcessMappingPreviewInput>;

/** Programs that the mapping would match: their number and the first 50. `at_least`: not everything was examined. */
const Covered = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  at_least: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      executable_path: Type.String(),
      platform: OneOf(PLATFORMS),
      devices: Type.Integer({ minimum: 0 }),
      /** The application name by another mapping. */
      application_name: Nullable(Type.String()),
    }),
  ),
});

export const ProcessMappingPreviewAnswer = Type.Object({
  /** Groups of unknown processes. */
  unknown: Covered,
  /** Running programs by the last reports of devices, by name and path. */
  running: Covered,
  request_id: Type.String(),
});
export type ProcessMappingPreviewAnswer = Static<typeof ProcessMappingPreviewAnswer>;
