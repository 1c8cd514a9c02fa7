// Building blocks of every wire schema: ids, times, bounded text and the error body.
import { type Static, type TSchema, Type } from 'typebox';

/** A UUID of any version (RFC 9562) in either letter case; the hub stores and compares it in lower case. */
export const Uuid = Type.String({
  description: 'a UUID',
  format: 'uuid',
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

/** Checks a text that has not passed a schema. */
export { isUuid } from '../uuid.ts';

/** A time in UTC after RFC 3339. The years 1970 to 2999 fit both PostgreSQL and JavaScript. */
export const Instant = Type.String({
  description: 'a time in UTC like 2026-01-31T12:00:00Z, years 1970 to 2999',
  format: 'date-time',
  pattern:
    '^(19[7-9]\\d|2\\d{3})-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]00:00)$',
});

/** A SHA-256 digest in lower-case hexadecimal. */
export const Sha256Hex = Type.String({
  description: '64 lower-case hexadecimal digits',
  pattern: '^[0-9a-f]{64}$',
});

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A nullable field that may also be absent; null and absent both mean "not known". */
export const OptionalNullable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

export const OneOf = <Values extends string[]>(values: readonly [...Values]) => Type.Enum(values);

/** A map with arbitrary names. `Type.Record` skips the values of names that contain a line break. */
export const Dictionary = <T extends TSchema>(value: T) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value });

/**
 * A visible character: no white space, no control or formatting character, no blank that Unicode counts as a letter.
 */
const VISIBLE = '[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]';

/** A name that people enter and read, of at most `maxLength` characters. */
export const NameText = (maxLength: number) =>
  Type.String({
    description: `1 to ${maxLength} characters, not only white space or invisible ones`,
    minLength: 1,
    maxLength,
    pattern: VISIBLE,
  });

/** Returns whether a text contains a visible character. */
export const hasVisibleText = (text: string): boolean => new RegExp(VISIBLE, 'u').test(text);

export const ShortText = Type.String({ minLength: 1, maxLength: 512 });
export const Path = Type.String({ maxLength: 4096 });

/** The error body of every route, unless a standard prescribes another body. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      operation_id: Type.Optional(Type.String()),
    }),
    request_id: Type.String(),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
