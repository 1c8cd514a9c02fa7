// A cluster's `Secret` in braces, as JSON, YAML and code have it, in the middle of a text or cut. Read letter by letter,
// each once, and strings up to their end for each depth of escaping.
import { regExpOf } from './patterns.ts';

/** A part of a text that is not to be shown. */
export interface Cut {
  from: number;
  to: number;
}

export interface Braces {
  /** What the data of a `Secret` in braces is. */
  cuts: Cut[];
  /** Where braces behind `data:` close, by where they open. */
  ends: Map<number, number>;
}

interface Mapping {
  isSecret: boolean;
  isList: boolean;
  data: Cut[] | null;
  /** Where it opens, if its name is that of a secret's data; else -1. */
  dataFrom: number;
  /** Whether the name was in quotes, as JSON has it. */
  isNamedInQuotes: boolean;
  seenFrom: number;
}

const TAGS = '(?:[!&][^\\s{}]{0,60}\\s{1,4}){0,2}';
const KIND_VALUE = regExpOf(
  `\\s{0,40}${TAGS}\\\\{0,8}["']?Secret(List)?\\\\{0,8}["']?(?=\\s{0,40}(?:[,}\\])#/\\\\]|$))`,
  'y',
);
/** A template's own braces open no mapping. */
const DATA_VALUE = regExpOf(`\\s{0,40}${TAGS}\\{(?![{%])`, 'y');
const KIND_NAME = /kind\\{0,8}["']?\s{0,8}:/g;
const QUOTED = new Set(['"', "'"]);
/** Behind these a string may begin. */
const BEFORE_STRING = new Set([0, ...[...'{[(,:='].map((sign) => sign.charCodeAt(0))]);
const DEPTH_MAX = 8;
/** Of braces within each other: no manifest has as many. */
const OPEN_MAX = 1_000;

/** The data of each `Secret` in braces. */
export function readBraces(text: string): Braces {
  const cuts: Cut[] = [];
  const ends = new Map<number, number>();
  if (!text.includes('{')) return { cuts, ends };
  const seen: Cut[] = [];
  const open: Mapping[] = [mapping(-1, false, 0)];
  let inData = 0;
  let tooDeep = 0;
  let next = { at: -1, isQuoted: false };
  let nextKind = kindFrom(text, 0);
  let before = 0;

  const end = (at: number) => {
    const { isSecret, isList, data, dataFrom, isNamedInQuotes, seenFrom } = open.pop() as Mapping;
    if (isList) for (const one of seen.splice(seenFrom)) cuts.push(one);
    else if (isSecret) for (const one of data ?? []) cuts.push(one);
    if (open.length === 0) open.push(mapping(-1, false, seen.length));
    if (dataFrom === -1) return;
    inData--;
    const cut = { from: dataFrom, to: at };
    seen.push(cut);
    const holder = open.at(-1) as Mapping;
    // Outside of all braces it is JSON that was cut at its beginning, or YAML, which is read by its lines.
    if (open.length === 1 && !isNamedInQuotes) return;
    if (holder.data === null) holder.data = [cut];
    else holder.data.push(cut);
  };

  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x7b) {
      const isData = next.at === i;
      if (open.length > OPEN_MAX) tooDeep++;
      else {
        if (isData) inData++;
        open.push(mapping(isData ? i : -1, next.isQuoted, seen.length));
      }
    } else if (unit === 0x7d && tooDeep > 0) tooDeep--;
    else if (unit === 0x7d) {
      const { dataFrom } = open.at(-1) as Mapping;
      if (dataFrom !== -1) ends.set(dataFrom, i + 1);
      end(i + 1);
    } else if (unit === 0x3a && inData === 0) {
      const name = nameBefore(text, i);
      if (name?.isKind) {
        KIND_VALUE.lastIndex = i + 1;
        const found = KIND_VALUE.exec(text);
        const top = open.at(-1) as Mapping;
        if (found !== null && (open.length > 1 || name.isQuoted)) {
          if (found[1] === undefined) top.isSecret = true;
          else top.isList = true;
        }
      } else if (name !== null) {
        DATA_VALUE.lastIndex = i + 1;
        if (DATA_VALUE.test(text)) next = { at: DATA_VALUE.lastIndex - 1, isQuoted: name.isQuoted };
      }
    } else if ((unit === 0x22 || unit === 0x27) && BEFORE_STRING.has(before)) {
      const closes = stringEnd(text, i);
      if (nextKind !== -1 && nextKind < i) nextKind = kindFrom(text, i);
      // A manifest may be a string's.
      if (closes !== -1 && (inData > 0 || nextKind === -1 || nextKind > closes)) i = closes;
    }
    if (unit > 0x20 && unit !== 0x5c) before = unit;
  }
  while (open.length > 1) end(text.length);
  end(text.length);
  return { cuts, ends };
}

const mapping = (dataFrom: number, isNamedInQuotes: boolean, seenFrom: number): Mapping => ({
  isSecret: false,
  isList: false,
  data: null,
  dataFrom,
  isNamedInQuotes,
  seenFrom,
});

/** Where a manifest says next what it is; -1: nowhere. */
function kindFrom(text: string, from: number): number {
  KIND_NAME.lastIndex = from;
  return KIND_NAME.exec(text)?.index ?? -1;
}

/** Which of the names that matter stands before a colon. */
function nameBefore(text: string, colon: number): { isKind: boolean; isQuoted: boolean } | null {
  let at = colon - 1;
  for (let n = 0; n < 8 && (text[at] === ' ' || text[at] === '\t'); n++) at--;
  const isQuoted = QUOTED.has(text[at] as string);
  if (isQuoted) {
    at--;
    for (let n = 0; n < DEPTH_MAX && text[at] === '\\'; n++) at--;
  }
  const last = text[at];
  if (last !== 'd' && last !== 'a') return null;
  for (const name of ['kind', 'data', 'stringData']) {
    const from = at + 1 - name.length;
    if (!text.startsWith(name, from) || /[A-Za-z0-9_.-]/.test(text[from - 1] ?? ' ')) continue;
    return { isKind: name === 'kind', isQuoted };
  }
  return null;
}

/** Where a string of one line closes that opens here, at its own depth of escaping; -1: nowhere. */
function stringEnd(text: string, open: number): number {
  let depth = 0;
  while (depth <= DEPTH_MAX && text.charCodeAt(open - 1 - depth) === 0x5c) depth++;
  if (depth > DEPTH_MAX) return -1;
  const quote = text.charCodeAt(open);
  let slashes = 0;
  for (let i = open + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x0a) return -1;
    if (unit === quote && slashes % (2 * (depth + 1)) === depth) return i;
    slashes = unit === 0x5c ? slashes + 1 : 0;
  }
  return -1;
}
