// Case folding of names in SQL, consistent with shared/names.ts.
import { foldName } from '@gatewarden/shared/names.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a condition that is true for every text that may fold (shared/names.ts) to any of the folded names, and for few
 * other texts. SQL folds ASCII letters like agents; the caller must check other letters.
 */
export function mayFoldTo(
  column: RawBuilder<unknown>,
  names: readonly string[],
): RawBuilder<boolean> {
  return sql<boolean>`(lower(btrim(${column}, E' \\t\\n\\v\\f\\r') COLLATE "C") = ANY (${names}::text[])
    OR ${column} ~ '[^\\x01-\\x7f]')`;
}

/** Folds a search term for matches within texts. Its last σ may be in the middle of a word, so ς becomes σ. */
export const foldPiece = (text: string): string => foldName(text).replaceAll('ς', 'σ');

/**
 * Returns a text folded like `foldPiece`. Letters that SQL folds differently are replaced if the text is not plain ASCII;
 * for ASCII a simpler expression gives the same result at half the cost.
 */
export const foldedText = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(CASE WHEN octet_length(${column}) = char_length(${column}) THEN lower(${column} COLLATE "C")
    ELSE replace(lower(replace(normalize(${column}), 'İ', 'i̇')), 'ς', 'σ') END)`;

/** Returns a name that is stored folded, for a comparison with a folded pattern. */
export const foldedName = (column: RawBuilder<unknown>, pattern: string): RawBuilder<string> =>
  pattern.includes('σ') ? sql<string>`replace(${column}, 'ς', 'σ')` : sql<string>`${column}`;
