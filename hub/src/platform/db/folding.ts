// Names as SQL can compare them.
import { foldName } from '@gatewarden/shared/names.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * True for every text that may fold (shared/names.ts) to one of these folded names, and for few others: SQL folds
 * ASCII's letters as agents do, and leaves the rest to who reads the rows.
 */
export function mayFoldTo(
  column: RawBuilder<unknown>,
  names: readonly string[],
): RawBuilder<boolean> {
  return sql<boolean>`(lower(btrim(${column}, E' \\t\\n\\v\\f\\r') COLLATE "C") = ANY (${names}::text[])
    OR ${column} ~ '[^\\x01-\\x7f]')`;
}

/** What is looked for within texts. A piece may end where its word goes on, so a σ at its end is no other letter there. */
export const foldPiece = (text: string): string => foldName(text).replaceAll('ς', 'σ');

/**
 * A text as `foldPiece` folds: what SQL's own letters make otherwise is made alike, where there is more than ASCII. Where
 * there is not, the simplest rule says the same at half the cost.
 */
export const foldedText = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(CASE WHEN octet_length(${column}) = char_length(${column}) THEN lower(${column} COLLATE "C")
    ELSE replace(lower(replace(normalize(${column}), 'İ', 'i̇')), 'ς', 'σ') END)`;

/** A name that is stored folded, for a look for this pattern of a piece. */
export const foldedName = (column: RawBuilder<unknown>, pattern: string): RawBuilder<string> =>
  pattern.includes('σ') ? sql<string>`replace(${column}, 'ς', 'σ')` : sql<string>`${column}`;
