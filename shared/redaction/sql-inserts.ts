// Redacts SQL inserts: values of columns whose names denote credentials. The scan reads each character once.
import { REDACTED } from './rules.ts';

/** The trigger of this rule; it begins with a punctuation character. */
export const INSERT_TRIGGER = '\\)\\s{0,8}(?:values|VALUES)\\s{0,8}\\(';

const INSERT =
  /(?:insert|replace)\s{1,8}(?:ignore\s{1,8})?into\s{1,8}[^\s(]{1,200}\s{0,8}\(([^()]{1,2000})\)\s{0,8}values\s{0,8}\(/gi;
const QUOTES = /^[\s"'`[]+|[\s"'`\]]+$/g;

/** Redacts inserted values of columns that satisfy `isCredentialColumn`. */
export function redactInsertedRows(
  text: string,
  isCredentialColumn: (column: string) => boolean,
  isCredential: (value: string) => boolean,
): string {
  let out = '';
  let copied = 0;
  INSERT.lastIndex = 0;
  for (let insert = INSERT.exec(text); insert !== null; insert = INSERT.exec(text)) {
    const columns = (insert[1] ?? '')
      .split(',')
      .map((name) => isCredentialColumn(name.replace(QUOTES, '')));
    if (!columns.includes(true)) continue;
    const rows = readRows(text, INSERT.lastIndex);
    for (const { column, from, to } of rows.strings) {
      if (columns[column] !== true || !isCredential(text.slice(from, to))) continue;
      out += text.slice(copied, from) + REDACTED;
      copied = to;
    }
    INSERT.lastIndex = rows.end;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

interface Rows {
  /** String values with the index of their column, without their quotes. */
  strings: { column: number; from: number; to: number }[];
  /** The index after the last row. */
  end: number;
}

const NEXT_ROW = /^\)\s{0,8},\s{0,8}\(/;

/**
 * Reads rows from `start`, which is inside the parenthesis of the first row. Commas inside a call such as
 * `crypt('…', gen_salt('bf'))` separate no columns, and its arguments are part of the value.
 */
function readRows(text: string, start: number): Rows {
  const strings: Rows['strings'] = [];
  let column = 0;
  let depth = 1;
  let at = start;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === "'") {
      const end = endOf(text, at);
      if (end === null) break;
      strings.push({ column, from: at + 1, to: end });
      at = end;
      continue;
    }
    if (sign === ',' && depth === 1) column++;
    if (sign === '(' && depth++ === 0) column = 0;
    if (sign === ')' && --depth === 0 && !NEXT_ROW.test(text.slice(at, at + 20))) break;
  }
  return { strings, end: at };
}

/** Returns the index at which the SQL string opened at `from` closes, or null. Quotes inside are doubled or escaped. */
function endOf(text: string, from: number): number | null {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === "'") {
      if (text[i + 1] !== "'") return i;
      i++;
    }
  }
  return null;
}
