// Shared schemas of the management API: scopes, times, lists and schema builders.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { ListQuery } from '../console/common.ts';

export { ListAnswer } from '../console/common.ts';

const strict = { additionalProperties: false };

/** Builds an object schema that refuses unknown fields. */
export const Strict = <T extends Record<string, TSchema>>(properties: T, options: object = {}) =>
  Type.Object(properties, { ...strict, ...options });

/** Builds the schema of a PATCH body: the same object with every field optional. */
export const PartialOf = <T extends Record<string, TSchema>>(
  properties: T,
  options: object = {},
): TObject =>
  Strict(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    options,
  );

export const SCOPES = [
  'read',
  'config:write',
  'providers:write',
  'credentials:write',
  'credentials:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Unix time in seconds, possibly with a fraction. */
export const UnixSeconds = Type.Number({ description: 'Unix seconds, possibly with a fraction' });

/** A time in RFC 3339 with an explicit time zone, as requests contain it. */
export const ExpiresAt = Type.String({
  description: 'a time with an explicit timezone like 2026-01-31T12:00:00Z',
  format: 'date-time',
  minLength: 20,
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$',
});

/** The ETag verbatim, including its quotes. */
export const Version = Type.String({ description: 'The ETag verbatim, with its quotes.' });

export const PageQuery = Strict(ListQuery);
export const RequestId = { request_id: Type.String() };

export const ActorWire = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
});
export type ActorWire = Static<typeof ActorWire>;
