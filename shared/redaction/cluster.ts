// A cluster's `Secret` written as YAML or JSON: its members hold credentials, whatever they are called. Read line by line,
// each once for each way in which the text may be written: as it is, quoted line by line, as a change, and escaped.

import { type Braces, type Cut, readBraces } from './braces.ts';
import { type Line, linesOf, views } from './cluster-lines.ts';
import { regExpOf } from './patterns.ts';
import { REDACTED } from './rules.ts';

const TAGS = '(?:[!&][^\\s{}]{0,60}[ \\t]{1,4}){0,2}';
const GAP = '(?:\\s|\\\\{1,8}[nrt])';
/** What a text must hold to be read so. */
export const CLUSTER_TRIGGER = `:(?<=kind\\\\{0,8}["']?${GAP}{0,8}:)${GAP}{0,40}(?:[!&][^\\s{}]{0,60}\\s{1,4}){0,2}\\\\{0,8}["']?Secret(?:List)?(?![A-Za-z])`;

const SECRET = regExpOf(CLUSTER_TRIGGER);
const KEY = regExpOf(
  `^${TAGS}\\\\{0,8}["']?(kind|data|stringData)\\\\{0,8}["']?[ \\t]{0,4}:(?=[ \\t]|$)`,
);
/** Most lines begin otherwise. */
const KEY_BEGINS = /^[kds"'\\!&]/;
const EXPLICIT_KEY = regExpOf(
  `^\\?[ \\t]{1,8}${TAGS}["']?(kind|data|stringData)["']?[ \\t]{0,8}(?:#|$)`,
);
const KIND_VALUE = regExpOf(
  `^[ \\t]*${TAGS}\\\\{0,8}["']?Secret(List)?\\\\{0,8}["']?[ \\t]*(?:#|$|["'\`]?[,}\\])])`,
);
const BEFORE_VALUE = /^[ \t]*(?:[!&][^\s{}]{0,60}(?:[ \t]+|$)){0,2}/;
/** A member's name, up to its value. */
const MEMBER =
  /^(?:\\{0,8}"[^"\\]{1,253}\\{0,8}"[ \t]{0,4}|\\{0,8}'[^'\\]{1,253}\\{0,8}'[ \t]{0,4}|[^\s:#][^:]{0,252}|):[ \t]{1,8}/;
const COMMENTED_MEMBER = /^#[ \t]{0,8}[\w.-]{1,253}:[ \t]{1,8}(?=\S{3,}[ \t]*$)/;
/** What a template fills in. */
const FILLED_IN =
  /^\\{0,8}["']?(?:\{\{[^{}"']{0,200}\}\}|\$\{[A-Za-z0-9_.]{1,100}\}|<[A-Za-z][A-Za-z0-9 _-]{0,60}>)\\{0,8}["']?[ \t]*(?:#.*)?$/;
const DOCUMENT_ENDS = /^(?:---|\.\.\.|```)/;
const BLOCK_BEGINS = regExpOf(`^${TAGS}[|>][+-]?[0-9]?[+-]?[ \\t]*(?:#|$)`);
const IS_DONE = /^\[REDACTED\][,}\]) \t]*$/;
const SAYS_SOMETHING = /[A-Za-z0-9]/;

/** Where data begins. */
interface Start {
  line: number;
  column: number;
  /** Where its value is. */
  value: number;
}

interface Mapping {
  column: number;
  isSecret: boolean;
  isList: boolean;
  data: Start[];
  seenFrom: number;
}

/** The text without what a `Secret` in it holds; the same text where there is none. */
export function withoutClusterSecrets(text: string): string {
  if (!SECRET.test(text)) return text;
  const braces = readBraces(text);
  const { cuts } = braces;
  for (const view of views(text, SECRET)) {
    const lines = linesOf(text, view);
    let done = 0;
    for (const start of dataOfSecrets(text, lines)) {
      // Within what was cut all is.
      if (start.line >= done) done = cutData(text, lines, start, braces);
    }
  }
  return without(text, cuts);
}

function without(text: string, cuts: Cut[]): string {
  let out = '';
  let at = 0;
  for (const { from, to } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < at) {
      // One that begins within another may reach beyond it.
      at = Math.max(at, to);
      continue;
    }
    if (!SAYS_SOMETHING.test(text.slice(from, to))) continue;
    out += text.slice(at, from) + REDACTED;
    at = to;
  }
  return out + text.slice(at);
}

/** Where the data of mappings begins that say that they are one, in the order of the text. */
function dataOfSecrets(text: string, lines: readonly Line[]): Start[] {
  const found: Start[] = [];
  const open: Mapping[] = [];
  const seen: Start[] = [];
  let asked: { name: string; column: number } | null = null;
  const close = (column: number) => {
    while ((open.at(-1)?.column ?? -1) >= column) {
      const { isSecret, isList, data, seenFrom } = open.pop() as Mapping;
      for (const one of isList ? seen.splice(seenFrom) : isSecret ? data : []) found.push(one);
    }
  };
  for (let i = 0; i < lines.length; i++) {
    const { column, dash, at, end } = lines[i] as Line;
    if (column === -1) continue;
    const said = text.slice(at, end);
    if (column === 0 && DOCUMENT_ENDS.test(said)) close(0);
    else close((dash === -1 ? column : dash) + 1);
    let mapping = open.at(-1);
    if (mapping?.column !== column) {
      mapping = { column, isSecret: false, isList: false, data: [], seenFrom: seen.length };
      open.push(mapping);
    }
    const key = KEY_BEGINS.test(said) ? KEY.exec(said) : null;
    const isAnswer = asked?.column === column && said.startsWith(':');
    const name = key?.[1] ?? (isAnswer ? asked?.name : undefined);
    const explicit = said.startsWith('?') ? EXPLICIT_KEY.exec(said) : null;
    asked = explicit === null ? null : { name: explicit[1] as string, column };
    if (name === undefined) continue;
    const value = at + (key?.[0].length ?? 1);
    if (name !== 'kind') {
      const start = { line: i, column, value };
      mapping.data.push(start);
      seen.push(start);
      continue;
    }
    const kind = KIND_VALUE.exec(text.slice(value, end));
    if (kind !== null && kind[1] === undefined) mapping.isSecret = true;
    else if (kind !== null) mapping.isList = true;
  }
  close(0);
  return found.sort((a, b) => a.line - b.line);
}

/** Gives the line where the data is over. */
function cutData(text: string, lines: readonly Line[], start: Start, braces: Braces): number {
  const { cuts, ends } = braces;
  const first = lines[start.line] as Line;
  const value =
    start.value + (BEFORE_VALUE.exec(text.slice(start.value, first.end))?.[0].length ?? 0);
  const inline = text.slice(value, first.end);
  let i = start.line + 1;
  let isWhole = false;
  if (inline !== '' && !inline.startsWith('#')) {
    if (FILLED_IN.test(inline)) return i;
    isWhole = true;
    const to = ends.get(value) ?? first.end;
    if (!IS_DONE.test(inline)) cuts.push({ from: value, to });
    while (i < lines.length && (lines[i] as Line).at < to) i++;
  }
  let member = -1;
  let isBlock = false;
  for (; i < lines.length; i++) {
    const { column, indent, at, end } = lines[i] as Line;
    if (column === -1) {
      if (indent > start.column) cutComment(text, lines[i] as Line, isWhole || isBlock, cuts);
      continue;
    }
    if (column <= start.column) return i;
    if (isWhole) {
      cuts.push({ from: at, to: end });
      continue;
    }
    if (member === -1 || column <= member) {
      member = column;
      isBlock = false;
    }
    const said = text.slice(at, end);
    const name = column === member ? (MEMBER.exec(said)?.[0] ?? '') : '';
    const held = said.slice(name.length);
    if (column === member && BLOCK_BEGINS.test(held)) isBlock = true;
    else if (name !== '' || column > member || !NAME_ALONE.test(said)) {
      if (held !== REDACTED && !FILLED_IN.test(held))
        cuts.push({ from: at + name.length, to: end });
    }
  }
  return i;
}

/** A name whose value is on the lines below, one that is asked for, or a line of a template. */
const NAME_ALONE = /^(?:[^\s:]{1,260}:|\?[ \t].{0,260}|\{\{.{0,260})[ \t]*$/;

/** In a text of several lines it is no comment; else it may be a member that somebody put aside. */
function cutComment(text: string, { at, end }: Line, isText: boolean, cuts: Cut[]): void {
  if (at === end) return;
  const name = isText ? '' : COMMENTED_MEMBER.exec(text.slice(at, end))?.[0];
  if (name !== undefined) cuts.push({ from: at + name.length, to: end });
}
