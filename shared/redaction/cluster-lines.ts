// The lines of a manifest, however the text has it: as it is, quoted or numbered line by line, as a change, or escaped.
import { regExpOf } from './patterns.ts';

export interface Line {
  /** Of what it says, behind blanks and the dash of a list; -1: nothing, or a comment. */
  column: number;
  /** The same where it says nothing. */
  indent: number;
  /** Of the dash of a list, else -1. */
  dash: number;
  /** Of what it says, in the text. */
  at: number;
  end: number;
}

/** How a part of a text is read as lines. */
interface View {
  from: number;
  to: number;
  /** Backslashes before the `n` that ends a line; 0: it ends as lines do. */
  escapes: number;
  /** What stands before each line and is none of it; a line without it is none. */
  prefix: RegExp | null;
}

const MARK = '[ \\t]{0,8}(?:[0-9]{1,7}[ \\t]{0,2}(?:[:|→]|\\t)|[>|#]|//)';
const MARKED = regExpOf(`^(?:${MARK}){1,4}[ \\t]{0,40}(?:-[ \\t])?["']?kind["']?[ \\t]{0,4}:`, 'm');
const CHANGED = /^(?:[+-]["']?(?:apiVersion|kind|data|stringData)["']?[ \t]{0,4}:|@@ )/m;
const MARKS = regExpOf(`(?:${MARK}){1,4}`, 'y');
const CHANGE = /[ +-]/y;
const ESCAPES_MAX = 8;
const ESCAPED = /(?<!\\)(\\{1,8})n/g;

/** The ways in which a text may hold a manifest that has what `sign` looks for. */
export function views(text: string, sign: RegExp): View[] {
  const whole = { from: 0, to: text.length, escapes: 0 };
  const found: View[] = [{ ...whole, prefix: null }];
  if (MARKED.test(text)) found.push({ ...whole, prefix: MARKS });
  if (CHANGED.test(text)) found.push({ ...whole, prefix: CHANGE });
  if (!text.includes('\\n')) return found;
  for (let from = 0; from < text.length; ) {
    const line = text.indexOf('\n', from);
    const to = line === -1 ? text.length : line;
    const said = text.slice(from, to);
    if (said.includes('\\n') && sign.test(said)) {
      for (const escapes of depthsOf(said)) found.push({ from, to, escapes, prefix: null });
    }
    from = to + 1;
  }
  return found;
}

function depthsOf(line: string): Set<number> {
  const depths = new Set<number>();
  for (const [, slashes] of line.matchAll(ESCAPED)) {
    depths.add((slashes as string).length);
    if (depths.size === ESCAPES_MAX) break;
  }
  return depths;
}

/** The lines of one of the views. */
export function linesOf(text: string, view: View): Line[] {
  if (view.escapes === 0) return plainLines(text, view.prefix);
  const lines: Line[] = [];
  const ends = regExpOf(`(?<!\\\\)(?:\\\\{${view.escapes}}r)?\\\\{${view.escapes}}n`, 'g');
  const said = text.slice(view.from, view.to);
  // The first one begins with the string, the last one ends with it.
  let from = view.from + beginning(said.slice(0, said.search(ends)));
  for (const found of said.matchAll(ends)) {
    add(lines, lineOf(text, from, view.from + found.index));
    from = view.from + found.index + found[0].length;
  }
  const last = text.slice(from, view.to);
  const closes = regExpOf(`(?<!\\\\)\\\\{0,${view.escapes - 1}}"[ \\t]{0,4}(?:[,}\\]]|$)`);
  add(lines, lineOf(text, from, from + (closes.exec(last)?.index ?? last.length)));
  return lines;
}

/** Lines that are empty say nothing to anybody. */
function add(lines: Line[], line: Line): void {
  if (line.at < line.end || line.column === 0) lines.push(line);
}

const OPENS = /["'`](?=[ \t]{0,8}(?:---|[\w"'\\.-]{1,40}:))/g;

/** Behind the quote that opens the string. */
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

/** A line without the prefix ends what went before. */
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
