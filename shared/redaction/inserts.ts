// Rows that SQL inserts: what stands where the list of columns names a credential. Read from left to right, each letter once.
import { REDACTED } from './rules.ts';

/** What a text must hold to be read so; it begins with a sign. */
export const INSERT_TRIGGER = '\\)\\s{0,8}(?:values|VALUES)\\s{0,8}\\(';

const INSERT =
  /(?:insert|replace)\s{1,8}(?:ignore\s{1,8})?into\s{1,8}[^\s(]{1,200}\s{0,8}\(([^()]{1,2000})\)\s{0,8}values\s{0,8}\(/gi;
const QUOTES = /^[\s"'`[]+|[\s"'`\]]+$/g;

/** The text without values of such columns. */
export function withoutInserted(
  text: string,
  isHeld: (column: string) => boolean,
  isCredential: (value: string) => boolean,
): string {
  let out = '';
  let copied = 0;
  INSERT.lastIndex = 0;
  for (let found = INSERT.exec(text); found !== null; found = INSERT.exec(text)) {
    const columns = (found[1] ?? '').split(',').map((name) => isHeld(name.replace(QUOTES, '')));
    if (!columns.includes(true)) continue;
    let column = 0;
    // Of a call in a row, `crypt('…', gen_salt('bf'))`, the commas part no columns, and what it is called with is the value.
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
        // A row that closes, and maybe one more.
        if (depth === 0 && !/^\)\s{0,8},\s{0,8}\(/.test(text.slice(at, at + 20))) break;
      }
    }
    INSERT.lastIndex = at;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Where a text of SQL closes that opens at `from`: a quote in it is doubled or escaped. Null: it never does. */
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
