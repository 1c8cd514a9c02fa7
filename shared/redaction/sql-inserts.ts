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
  for (let found = INSERT.exec(text); found !== null; found = INSERT.exec(text)) {
    const columns = (found[1] ?? '')
      .split(',')
      .map((name) => isCredentialColumn(name.replace(QUOTES, '')));
    if (!columns.includes(true)) continue;
    let column = 0;
    // Commas inside a call such as `crypt('…', gen_salt('bf'))` separate no columns, and its arguments are part of the
    // value.
    let depth = 1;
    let at = INSERT.lastIndex;
    for (; at < text.length; at++) {
      const sign = text[at];
      if (sign === "'") {
        const end = endOf(text, at);
        if (end === null) break;
        if (columns[column] === true && isCredential(text.slice(at + 1, end))) {
          out += `${text.slice(copied, at + 1)}${REDACTED}`;
          copied = end;
        }
        at = end;
      } else if (sign === ',' && depth === 1) column++;
      else if (sign === '(') {
        if (depth === 0) column = 0;
        depth++;
      } else if (sign === ')') {
        depth--;
        // A row closes, and another row may follow.
        if (depth === 0 && !/^\)\s{0,8},\s{0,8}\(/.test(text.slice(at, at + 20))) break;
      }
    }
    INSERT.lastIndex = at;
  }
  return copied === 0 ? text : out + text.slice(copied);
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
