// Names as SQL can compare them.
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
