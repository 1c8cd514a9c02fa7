// Columns that hold credentials, by the names in a table's first line: of a CSV, or as pages and chats draw it. Read line by
// line, each once.

import { INSERT_TRIGGER, withoutInserted } from './inserts.ts';
import { regExpOf } from './patterns.ts';
import { DESCRIPTIONS, NO_SECRETS, REDACTED, VALUE } from './rules.ts';

const NAME =
  '(?:passw(?:or)?d|passwort|passphrase|pwd|(?:api|secret|access|private)[_ -]?key|client[_ -]?secret|(?:access|auth|refresh|api)[_ -]?token|totp|mot de passe|contrase(?:\u00f1|n)a|senha|wachtwoord|kennwort|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638)';
/** What a text must hold to be read so; it begins with a sign. */
export const TABLE_TRIGGER = `[,;|\\t](?:[ "'*\`]{0,3}(?i:[a-z_.-]{0,20}${NAME})["'*\` ]{0,3}(?:[,;|\\t\\r\\n]|$)|(?<=(?i:${NAME})["'*\` ]{0,3}[,;|\\t]))`;

const SIGN = regExpOf(TABLE_TRIGGER);
/** The line below the names of columns that blanks keep apart. */
export const RULED_TRIGGER = '- {1,8}-(?<=[ \\n]-{2,60} {1,8}-)';
const RULED = regExpOf(RULED_TRIGGER);
const NAMES = regExpOf(NAME, 'i');
const RULER = /^ {0,8}-{2,}(?: {1,8}-{2,})+ *\r?$/;
/** A line of a table that is only drawn: of such signs, two dashes among them. One run, or it would be tried at each dash. */
const DRAWN = /^[-+|=: \t]+\r?$/;
const INSERTS = regExpOf(INSERT_TRIGGER);
const SECRET_COLUMN = regExpOf(`^(?:[A-Za-z0-9_. -]{0,40}[_. -])?${NAME}$`, 'i');
const COLUMN = /^[\p{L}_#][\p{L}\p{N}_.()#/-]{0,40}(?: [\p{L}\p{N}_.()#/-]{1,40}){0,3}$/u;
/** Behind a comma and a blank comes prose, but for single words. */
const ONE_WORD = /^[\w-]{1,60}$/;
const SEPARATORS = [',', ';', '\t', '|'];
const LINE_MAX = 10_000;
const COLUMNS_MAX = 200;
const MARKS = /^[ \t"'*`]+|[ \t"'*`\r]+$/g;

const PLACEHOLDER = regExpOf(
  `^(?:(?!${VALUE})|(?:${DESCRIPTIONS.join('|')})(?![a-z0-9])|(?:true|false|null|none|n/a)$)`,
  'i',
);
const NO_SECRET = regExpOf(`^(?:${NO_SECRETS.join('|')})`, 'i');
/** In a table that is drawn, words are its reader's. */
const DRAWN_VALUE = /^(?=\S*[0-9])(?=\S*[A-Za-z])\S{6,}$/;

interface Table {
  separator: string;
  columns: number;
  /** Those that hold credentials. */
  held: Set<number>;
}

/** The text without what stands in columns of credentials; the same text where there is none. */
export function withoutTables(text: string): string {
  const inserted = INSERTS.test(text)
    ? withoutInserted(
        text,
        (name) => SECRET_COLUMN.test(name),
        (value) => value.length >= 4 && !PLACEHOLDER.test(value),
      )
    : text;
  const ruled = RULED.test(inserted) && NAMES.test(inserted) ? withoutRuled(inserted) : inserted;
  return SIGN.test(ruled) ? withoutSeparated(ruled) : ruled;
}

/** Of tables whose columns begin where the dashes below their names do. */
function withoutRuled(text: string): string {
  let held: { from: number; to: number }[] = [];
  let names = '';
  const lines = text.split('\n').map((line) => {
    if (line.length > LINE_MAX || line.trim() === '') held = [];
    else if (RULER.test(line)) held = NAMES.test(names) ? heldBelow(line, names) : [];
    else if (held.length > 0) return withoutParts(line, held);
    names = line;
    return line;
  });
  return lines.join('\n');
}

function heldBelow(ruler: string, names: string): { from: number; to: number }[] {
  const starts = [...ruler.matchAll(/-{2,}/g)].map((group) => group.index);
  return starts.flatMap((from, i) => {
    const to = starts[i + 1] ?? Number.POSITIVE_INFINITY;
    return SECRET_COLUMN.test(names.slice(from, to).trim()) ? [{ from, to }] : [];
  });
}

/** From the last one on: what is cut moves what stands behind it. */
function withoutParts(line: string, parts: readonly { from: number; to: number }[]): string {
  let out = line;
  for (const { from, to } of parts.toReversed()) {
    const value = line.slice(from, to).trim();
    if (!isCredential(value, '|')) continue;
    const at = line.indexOf(value, from);
    out = out.slice(0, at) + REDACTED + out.slice(at + value.length);
  }
  return out;
}

function withoutSeparated(text: string): string {
  let out = '';
  let copied = 0;
  let table: Table | null = null;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next === -1 ? text.length : next;
    const line = end - from > LINE_MAX ? '' : text.slice(from, end);
    if (table?.separator === '|' && line.includes('--') && DRAWN.test(line)) {
      from = end + 1;
      continue;
    }
    const cells: string[] = table === null ? [] : cellsOf(line, table.separator);
    if (table !== null && cells.length === table.columns) {
      let at = from;
      for (const [i, cell] of cells.entries()) {
        const value = cell.replace(MARKS, '');
        if (table.held.has(i) && isCredential(value, table.separator)) {
          const begin = at + cell.indexOf(value);
          out += text.slice(copied, begin) + REDACTED;
          copied = begin + value.length;
        }
        at += cell.length + 1;
      }
    } else table = tableOf(line);
    from = end + 1;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function isCredential(value: string, separator: string): boolean {
  if (value.length < 4 || /\s/.test(value) || PLACEHOLDER.test(value)) return false;
  return separator !== '|' || (DRAWN_VALUE.test(value) && !NO_SECRET.test(value));
}

/** The table whose names this line has, if one of them is a credential's. */
function tableOf(line: string): Table | null {
  if (!SIGN.test(line)) return null;
  for (const separator of SEPARATORS) {
    const cells = cellsOf(line, separator).map((cell) => cell.replace(MARKS, ''));
    if (cells.length < 2 || cells.length > COLUMNS_MAX) continue;
    const form = separator === ',' && line.includes(', ') ? ONE_WORD : COLUMN;
    const isTable = cells.every((name) => form.test(name) || (separator === '|' && name === ''));
    const held = cells.flatMap((name, i) => (SECRET_COLUMN.test(name) ? [i] : []));
    if (isTable && held.length > 0) {
      return { separator, columns: cells.length, held: new Set(held) };
    }
  }
  return null;
}

/** Cells as they are written; a quote may hold the separator. */
function cellsOf(line: string, separator: string): string[] {
  if (separator === '|') return line.split('|');
  const cells: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') isQuoted = !isQuoted;
    else if (line[i] === separator && !isQuoted) {
      cells.push(line.slice(from, i));
      from = i + 1;
    }
  }
  cells.push(line.slice(from));
  return cells;
}
