// Splits a text into the lines of a manifest: plain, quoted or numbered line by line, in a diff, or escaped.
import { compilePattern } from './regular-expressions.ts';

export interface Line {
  /** The column of the content after blanks and list dashes; -1 for an empty line or a comment. */
  column: number;
  /** The column of the content, also for a comment. */
  indent: number;
  /** The column of the list dash, else -1. */
  dash: number;
  /** The index of the content in the text. */
  at: number;
  end: number;
}

/** A way to read a part of a text as lines. */
interface View {
  from: number;
  to: number;
  /** The number of backslashes before the `n` that ends a line; 0 for real line breaks. */
  escapes: number;
  /** The prefix of each line; a line without it is not part of the manifest. */
  prefix: RegExp | null;
}

const MARK = '[ \\t]{0,8}(?:[0-9]{1,7}[ \\t]{0,2}(?:[:|→]|\\t)|[>|#]|//)';
const MARKED = compilePattern(
  `^(?:${MARK}){1,4}[ \\t]{0,40}(?:-[ \\t])?["']?kind["']?[ \\t]{0,4}:`,
  'm',
);
const CHANGED = /^(?:[+-]["']?(?:apiVersion|kind|data|stringData)["']?[ \t]{0,4}:|@@ )/m;
const MARKS = compilePattern(`(?:${MARK}){1,4}`, 'y');
const CHANGE = /[ +-]/y;
const ESCAPES_MAX = 8;
const ESCAPED = /(?<!\\)(\\{1,8})n/g;

/** Returns the ways in which a text may contain a manifest that matches `sign`. */
export function listViews(text: string, sign: RegExp): View[] {
  const whole = { from: 0, to: text.length, escapes: 0 };
  const listed: View[] = [{ ...whole, prefix: null }];
  if (MARKED.test(text)) listed.push({ ...whole, prefix: MARKS });
  if (CHANGED.test(text)) listed.push({ ...whole, prefix: CHANGE });
  if (!text.includes('\\n')) return listed;
  for (let from = 0; from < text.length; ) {
    const line = text.indexOf('\n', from);
    const to = line === -1 ? text.length : line;
    const content = text.slice(from, to);
    if (content.includes('\\n') && sign.test(content)) {
      for (const escapes of depthsOf(content)) listed.push({ from, to, escapes, prefix: null });
    }
    from = to + 1;
  }
  return listed;
}

function depthsOf(line: string): Set<number> {
  const depths = new Set<number>();
  for (const [, slashes] of line.matchAll(ESCAPED)) {
    depths.add((slashes as string).length);
    if (depths.size === ESCAPES_MAX) break;
  }
  return depths;
}

/** Returns the lines of a view. */
export function listLines(text: string, view: View): Line[] {
  if (view.escapes === 0) return plainLines(text, view.prefix);
  const lines: Line[] = [];
  const ends = compilePattern(`(?<!\\\\)(?:\\\\{${view.escapes}}r)?\\\\{${view.escapes}}n`, 'g');
  const content = text.slice(view.from, view.to);
  // The first line begins with the string, the last line ends with it.
  let from = view.from + beginning(content.slice(0, content.search(ends)));
  for (const match of content.matchAll(ends)) {
    add(lines, lineOf(text, from, view.from + match.index));
    from = view.from + match.index + match[0].length;
  }
  const last = text.slice(from, view.to);
  const closes = compilePattern(`(?<!\\\\)\\\\{0,${view.escapes - 1}}"[ \\t]{0,4}(?:[,}\\]]|$)`);
  add(lines, lineOf(text, from, from + (closes.exec(last)?.index ?? last.length)));
  return lines;
}

/** Empty lines carry no content and are skipped. */
function add(lines: Line[], line: Line): void {
  if (line.at < line.end || line.column === 0) lines.push(line);
}

const OPENS = /["'`](?=[ \t]{0,8}(?:---|[\w"'\\.-]{1,40}:))/g;

/** Returns the index after the quote that opens the string. */
function beginning(line: string): number {
  let at = 0;
  for (const { index } of line.matchAll(OPENS)) at = index + 1;
  return at;
}

function plainLines(text: string, prefix: RegExp | null): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from <= text.length; ) {
    const line = text.indexOf('\n', from);
    const to = line === -1 ? text.length : line;
    const end = text[to - 1] === '\r' && to > from ? to - 1 : to;
    add(lines, prefix === null ? lineOf(text, from, end) : lineBehind(text, from, end, prefix));
    from = to + 1;
  }
  return lines;
}

/** A line without the prefix ends the manifest. */
function lineBehind(text: string, from: number, end: number, prefix: RegExp): Line {
  prefix.lastIndex = from;
  if (from < end && (!prefix.test(text) || prefix.lastIndex > end)) {
    return { column: 0, indent: 0, dash: -1, at: end, end };
  }
  return lineOf(text, Math.min(end, prefix.lastIndex), end);
}

function lineOf(text: string, from: number, end: number): Line {
  let dash = -1;
  for (let at = from; at < end; at++) {
    const sign = text[at];
    if (sign === ' ' || sign === '\t') continue;
    const next = text[at + 1];
    if (sign === '-' && at + 1 < end && (next === ' ' || next === '\t')) {
      if (dash === -1) dash = at - from;
      continue;
    }
    const column = at - from;
    return { column: sign === '#' ? -1 : column, indent: column, dash, at, end };
  }
  return { column: -1, indent: -1, dash: -1, at: end, end };
}
