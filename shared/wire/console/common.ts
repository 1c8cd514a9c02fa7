// What all console lists and answers share.
import { type Static, type TSchema, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

/** Query text of every list: `limit` 1-200 (default 50) and an opaque `cursor`. */
export const ListQuery = {
  limit: Type.Optional(
    Type.String({
      description: 'a whole number from 1 to 200',
      pattern: '^([1-9]|[1-9]\\d|1\\d\\d|200)$',
    }),
  ),
  // It holds the last row's name: 200 characters that fold to three times their bytes are 3,300 of it.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
};

/** Of a list without filters: a name that it does not know is refused, else a slip would show everything. */
export const JustPaged = Type.Object(ListQuery, { additionalProperties: false });
/** Of one that is given all at once. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** Query text of a list as a file, beside its filters. */
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
    /** So many rows fit the filters, over all pages; null on later pages, and where counting them would take long. */
    total: Nullable(Type.Integer()),
  });
