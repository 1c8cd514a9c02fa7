// TOML: the lines of an entry's tables, or of the statements that make it, are cut; no library writes TOML as it was.
import { parse } from 'smol-toml';
import { TOML_OPTIONS } from '../../../discovery/sources/lib/document-formats.ts';
import { type CutEntry, type Format, newlineOf } from './text.ts';

const MAX_STATEMENT_LINES = 500;
const KEY = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+/;
const PATH = new RegExp(`^\\s*(?:${KEY.source})(?:\\s*\\.\\s*(?:${KEY.source}))*\\s*`);
const HEADER = new RegExp(
  `^\\s*\\[\\s*((?:${KEY.source})(?:\\s*\\.\\s*(?:${KEY.source}))*)\\s*\\]\\s*(?:#.*)?\\r?\\n?$`,
);

interface Piece {
  path: string[];
  /** The header above; null: the piece is a table with its own. */
  header: string[] | null;
  from: number;
  to: number;
}

export const toml: Format = {
  parse: (text) => parse(text, TOML_OPTIONS),
  cut(text, container, members) {
    const lines = splitLines(text);
    const gone = new Set<number>();
    const entries: CutEntry[] = [];
    const pieces = piecesOf(lines);
    for (const member of members) {
      if (typeof member === 'number') return null;
      const wanted = [...container, member];
      // Content of a table of the entry is cut with the table.
      const mine = pieces.filter(
        ({ path, header }) =>
          isBelow(path, wanted) && (header === null || !isBelow(header, wanted)),
      );
      const [first] = mine;
      // A mix of a table and statements elsewhere could not be put back as a single entry, and nobody writes it.
      if (first === undefined || mine.some((table) => !sameHeader(table.header, first.header))) {
        return null;
      }
      const raw = mine.map(({ from, to }) => lines.slice(from, to).join('')).join('');
      entries.push({ member, raw, header: first.header });
      for (const { from, to } of mine) {
        for (let at = from; at < to; at++) gone.add(at);
        // A single blank line of the two around it is enough.
        const isBlank = (at: number) => (lines[at] ?? '').trim() === '';
        if (first.header === null && from > 0 && isBlank(from - 1) && isBlank(to))
          gone.add(from - 1);
      }
    }
    return { text: lines.filter((_, at) => !gone.has(at)).join(''), entries };
  },
  valueOf: () => undefined,
  put(text, container, { raw, header = null }) {
    const newline = newlineOf(text);
    const complete = raw.endsWith('\n') ? raw : raw + newline;
    const whole = text === '' || text.endsWith('\n') ? text : text + newline;
    if (header === null) return `${whole}${whole.trim() === '' ? '' : newline}${complete}`;
    if (header.length === 0) return complete + text;
    const lines = splitLines(text);
    const at = lines.findIndex((line) => sameHeader(readHeader(line), header));
    if (at >= 0) return [...lines.slice(0, at + 1), complete, ...lines.slice(at + 1)].join('');
    if (!isBelow(header, container) && !isBelow(container, header)) return null;
    return `${whole}${newline}[${header.map(quote).join('.')}]${newline}${complete}`;
  },
};

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function readHeader(line: string): string[] | null {
  const found = HEADER.exec(line)?.[1];
  return found === undefined ? null : readPath(found);
}

function readPath(text: string): string[] {
  return (text.match(new RegExp(KEY.source, 'g')) ?? []).map((key) => {
    if (key.startsWith("'")) return key.slice(1, -1);
    if (!key.startsWith('"')) return key;
    try {
      return String(JSON.parse(key));
    } catch {
      // An escape that only TOML knows: such a key is not found, and nothing is cut.
      return key;
    }
  });
}

const quote = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

function sameHeader(a: string[] | null, b: string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return above.every((part, i) => path[i] === part);
}

/** Every table and every statement with its lines. */
function piecesOf(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let header: string[] = [];
  let table: Piece | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*\[/.test(line)) {
      header = readHeader(line) ?? ['\0'];
      table = { path: header, header: null, from: at, to: at + 1 };
      pieces.push(table);
      continue;
    }
    const path = line.trim() === '' || /^\s*#/.test(line) ? null : PATH.exec(line);
    if (path === null) continue;
    const to = at + statementLines(lines, at);
    pieces.push({ path: [...header, ...readPath(path[0])], header, from: at, to });
    // A table ends with its last statement: blank lines and comments behind it belong to what follows.
    if (table !== null) table.to = to;
    at = to - 1;
  }
  return pieces;
}

/** So many lines make a statement that parses: values may go over several. */
function statementLines(lines: readonly string[], from: number): number {
  let text = '';
  for (let count = 1; count <= MAX_STATEMENT_LINES && from + count <= lines.length; count++) {
    text += lines[from + count - 1];
    try {
      parse(text, TOML_OPTIONS);
      return count;
    } catch {
      // Not yet its end.
    }
  }
  return 1;
}
