// Shared schemas of the console API: list queries and list answers.
import { type Static, type TSchema, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

/** Query parameters of every list: `limit` 1-200 (default 50) and an opaque `cursor`. */
export const ListQuery = {
  limit: Type.Optional(
    Type.String({
      description: 'a whole number from 1 to 200',
      pattern: '^([1-9]|[1-9]\\d|1\\d\\d|200)$',
    }),
  ),
  // The cursor contains the name of the last row: 200 characters that fold to three times their bytes are 3,300 of its
  // bytes.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
};

/**
 * The query of a list without filters. An unknown parameter is refused, because a misspelled filter would return all
 * rows.
 */
export const JustPaged = Type.Object(ListQuery, { additionalProperties: false });
/** The query of a list without pages. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** The file format of a download, in addition to the filters of the list. */
export const FileFormat = OneOf(['csv', 'json']);
export type FileFormat = Static<typeof FileFormat>;

export const ListAnswer = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
    request_id: Type.String(),
  });

/** The answer of a list that counts its rows. */
export const CountedListAnswer = <T extends TSchema>(item: T) =>
  Type.Object({
    ...ListAnswer(item).properties,
    /** The number of matching rows over all pages; null on later pages, and if counting would take too long. */
    total: Nullable(Type.Integer()),
  });
