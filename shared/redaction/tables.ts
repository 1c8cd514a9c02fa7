// Finds credential columns of tables by their header line: CSV and Markdown. Each line is read once.
import { DESCRIPTIONS, NO_SECRETS } from './credential-words.ts';
import { compilePattern } from './regular-expressions.ts';
import { REDACTED, VALUE } from './rule.ts';
import type { Span } from './spans.ts';

const NAME =
  '(?:passw(?:or)?d|passwort|passphrase|pwd|(?:api|secret|access|private)[_ -]?key|client[_ -]?secret|(?:access|auth|refresh|api)[_ -]?token|totp|mot de passe|contrase(?:\u00f1|n)a|senha|kennwort)';
/** A column name beside a separator. */
const SIGN = compilePattern(
  `[,;|\\t][ "'*\`]{0,3}[a-z_.-]{0,20}${NAME}["'*\` ]{0,3}(?:[,;|\\t\\r\\n]|$)|${NAME}["'*\` ]{0,3}[,;|\\t]`,
  'i',
);
export const TABLE_KEYWORDS: readonly string[] = [
  ...['passw', 'passp', 'pwd', 'key', 'secret', 'token', 'totp', 'passe', 'contrase', 'senha'],
  'kennwort',
];
const SECRET_COLUMN = compilePattern(`^(?:[A-Za-z0-9_. -]{0,40}[_. -])?${NAME}$`, 'i');
const COLUMN = /^[\p{L}_#][\p{L}\p{N}_.()#/-]{0,40}(?: [\p{L}\p{N}_.()#/-]{1,40}){0,3}$/u;
/** Text after a comma and a blank is prose, except for single words. */
const SINGLE_WORD = /^[\w-]{1,60}$/;
const SEPARATORS = [',', ';', '\t', '|'];
const LINE_MAX = 10_000;
const COLUMNS_MAX = 200;
const MARKS = /^[ \t"'*`]+|[ \t"'*`\r]+$/g;
/**
 * A ruler line of a Markdown table. The class is a single run, because a pattern with a dash in the middle would be tried
 * at each dash.
 */
const RULER = /^[-+|=: \t]+\r?$/;

const PLACEHOLDER = compilePattern(
  `^(?:(?!${VALUE})|(?:${DESCRIPTIONS.join('|')})(?![a-z0-9])|(?:true|false|null|none|n/a)$)`,
  'i',
);
const NO_SECRET = compilePattern(`^(?:${NO_SECRETS.join('|')})`, 'i');
/** Words in a Markdown table are text for its readers. */
const MARKDOWN_VALUE = /^(?=\S*[0-9])(?=\S*[A-Za-z])\S{6,}$/;

interface Table {
  separator: string;
  columns: number;
  /** The indexes of credential columns. */
  credentials: Set<number>;
}

/** Returns the values of credential columns. */
export function findTableCredentials(text: string): Span[] {
  const spans: Span[] = [];
  if (!SIGN.test(text)) return spans;
  let table: Table | null = null;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next === -1 ? text.length : next;
    const line = end - from > LINE_MAX ? '' : text.slice(from, end);
    const isRuler = table?.separator === '|' && line.includes('--') && RULER.test(line);
    if (!isRuler && !addRow(line, from, table, spans)) table = findTable(line);
    from = end + 1;
  }
  return spans;
}

/** Adds the credentials of a row. Returns false without a table, and for fewer cells than columns. */
function addRow(line: string, from: number, table: Table | null, spans: Span[]): boolean {
  if (table === null) return false;
  const cells = splitCells(line, table.separator);
  if (cells.length < table.columns) return false;
  let at = from;
  for (const [i, cell] of cells.entries()) {
    const value = cell.replace(MARKS, '');
    if (table.credentials.has(i) && isCredential(value, table.separator)) {
      const start = at + cell.indexOf(value);
      spans.push({ from: start, to: start + value.length, replacement: REDACTED });
    }
    at += cell.length + 1;
  }
  return true;
}

function isCredential(value: string, separator: string): boolean {
  if (value.length < 4 || /\s/.test(value) || PLACEHOLDER.test(value)) return false;
  return separator !== '|' || (MARKDOWN_VALUE.test(value) && !NO_SECRET.test(value));
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
