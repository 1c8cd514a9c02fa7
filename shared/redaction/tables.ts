// Redacts credential columns of tables by their header line: CSV, Markdown and drawn tables. Each line is read once.

import { compilePattern } from './regular-expressions.ts';
import { DESCRIPTIONS, NO_SECRETS, REDACTED, VALUE } from './rules.ts';
import { INSERT_TRIGGER, redactInsertedRows } from './sql-inserts.ts';

const NAME =
  '(?:passw(?:or)?d|passwort|passphrase|pwd|(?:api|secret|access|private)[_ -]?key|client[_ -]?secret|(?:access|auth|refresh|api)[_ -]?token|totp|mot de passe|contrase(?:\u00f1|n)a|senha|kennwort)';
/** The trigger of this rule; it begins with a separator. */
export const TABLE_TRIGGER = `[,;|\\t](?:[ "'*\`]{0,3}(?i:[a-z_.-]{0,20}${NAME})["'*\` ]{0,3}(?:[,;|\\t\\r\\n]|$)|(?<=(?i:${NAME})["'*\` ]{0,3}[,;|\\t]))`;

const SIGN = compilePattern(TABLE_TRIGGER);
/** A ruler line below column names that are separated by blanks. */
export const RULED_TRIGGER = '- {1,8}-(?<=[ \\n]-{2,60} {1,8}-)';
const RULED = compilePattern(RULED_TRIGGER);
const NAMES = compilePattern(NAME, 'i');
const RULER = /^ {0,8}-{2,}(?: {1,8}-{2,})+ *\r?$/;
/**
 * A ruler line with at least two dashes. The class is a single run, because a pattern with a dash in the middle would
 * be tried at each dash.
 */
const DRAWN = /^[-+|=: \t]+\r?$/;
const INSERTS = compilePattern(INSERT_TRIGGER);
const SECRET_COLUMN = compilePattern(`^(?:[A-Za-z0-9_. -]{0,40}[_. -])?${NAME}$`, 'i');
const COLUMN = /^[\p{L}_#][\p{L}\p{N}_.()#/-]{0,40}(?: [\p{L}\p{N}_.()#/-]{1,40}){0,3}$/u;
/** Text after a comma and a blank is prose, except for single words. */
const SINGLE_WORD = /^[\w-]{1,60}$/;
const SEPARATORS = [',', ';', '\t', '|'];
const LINE_MAX = 10_000;
const COLUMNS_MAX = 200;
const MARKS = /^[ \t"'*`]+|[ \t"'*`\r]+$/g;

const PLACEHOLDER = compilePattern(
  `^(?:(?!${VALUE})|(?:${DESCRIPTIONS.join('|')})(?![a-z0-9])|(?:true|false|null|none|n/a)$)`,
  'i',
);
const NO_SECRET = compilePattern(`^(?:${NO_SECRETS.join('|')})`, 'i');
/** Words in a drawn table are text for its readers. */
const DRAWN_VALUE = /^(?=\S*[0-9])(?=\S*[A-Za-z])\S{6,}$/;

interface Table {
  separator: string;
  columns: number;
  /** The indexes of credential columns. */
  credentials: Set<number>;
}

/** Redacts credential columns. Returns the same text if it contains none. */
export function redactTables(text: string): string {
  const inserted = INSERTS.test(text)
    ? redactInsertedRows(
        text,
        (name) => SECRET_COLUMN.test(name),
        (value) => value.length >= 4 && !PLACEHOLDER.test(value),
      )
    : text;
  const ruled =
    RULED.test(inserted) && NAMES.test(inserted) ? redactRuledTables(inserted) : inserted;
  return SIGN.test(ruled) ? redactSeparatedColumns(ruled) : ruled;
}

/** Redacts tables whose columns begin at the dashes of the ruler. */
function redactRuledTables(text: string): string {
  let credentials: { from: number; to: number }[] = [];
  let names = '';
  const lines = text.split('\n').map((line) => {
    if (line.length > LINE_MAX || line.trim() === '') credentials = [];
    else if (RULER.test(line))
      credentials = NAMES.test(names) ? findCredentialColumns(line, names) : [];
    else if (credentials.length > 0) return redactColumns(line, credentials);
    names = line;
    return line;
  });
  return lines.join('\n');
}

function findCredentialColumns(ruler: string, names: string): { from: number; to: number }[] {
  const starts = [...ruler.matchAll(/-{2,}/g)].map((group) => group.index);
  return starts.flatMap((from, i) => {
    const to = starts[i + 1] ?? Number.POSITIVE_INFINITY;
    return SECRET_COLUMN.test(names.slice(from, to).trim()) ? [{ from, to }] : [];
  });
}

/** Replaces from right to left, because a replacement moves the text after it. */
function redactColumns(line: string, parts: readonly { from: number; to: number }[]): string {
  let out = line;
  for (const { from, to } of parts.toReversed()) {
    const value = line.slice(from, to).trim();
    if (!isCredential(value, '|')) continue;
    const at = line.indexOf(value, from);
    out = out.slice(0, at) + REDACTED + out.slice(at + value.length);
  }
  return out;
}

function redactSeparatedColumns(text: string): string {
  let out = '';
  let copied = 0;
  let table: Table | null = null;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next === -1 ? text.length : next;
    const line = end - from > LINE_MAX ? '' : text.slice(from, end);
    if (!isRuler(line, table)) {
      const redacted = redactRow(line, table);
      if (redacted === null) table = findTable(line);
      else if (redacted !== line) {
        out += text.slice(copied, from) + redacted;
        copied = end;
      }
    }
    from = end + 1;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

const isRuler = (line: string, table: Table | null): boolean =>
  table?.separator === '|' && line.includes('--') && DRAWN.test(line);

/** Returns the row without credentials; returns null without a table, or for another number of cells. */
function redactRow(line: string, table: Table | null): string | null {
  if (table === null) return null;
  const cells = splitCells(line, table.separator);
  if (cells.length !== table.columns) return null;
  const redacted = cells.map((cell, i) => {
    const value = cell.replace(MARKS, '');
    if (!table.credentials.has(i) || !isCredential(value, table.separator)) return cell;
    const begin = cell.indexOf(value);
    return cell.slice(0, begin) + REDACTED + cell.slice(begin + value.length);
  });
  return redacted.join(table.separator);
}

function isCredential(value: string, separator: string): boolean {
  if (value.length < 4 || /\s/.test(value) || PLACEHOLDER.test(value)) return false;
  return separator !== '|' || (DRAWN_VALUE.test(value) && !NO_SECRET.test(value));
}

/** Returns the table of a header line with a credential column, or null. */
function findTable(line: string): Table | null {
  if (!SIGN.test(line)) return null;
  for (const separator of SEPARATORS) {
    const cells = splitCells(line, separator).map((cell) => cell.replace(MARKS, ''));
    if (cells.length < 2 || cells.length > COLUMNS_MAX) continue;
    const form = separator === ',' && line.includes(', ') ? SINGLE_WORD : COLUMN;
    const isTable = cells.every((name) => form.test(name) || (separator === '|' && name === ''));
    const credentials = cells.flatMap((name, i) => (SECRET_COLUMN.test(name) ? [i] : []));
    if (isTable && credentials.length > 0) {
      return { separator, columns: cells.length, credentials: new Set(credentials) };
    }
  }
  return null;
}

/** Splits a line into cells verbatim; a quoted cell may contain the separator. */
function splitCells(line: string, separator: string): string[] {
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
