// Finds Kubernetes `Secret` manifests in braces (JSON, YAML flow style or code), also in the middle of a text or
// truncated. The scan reads each character once, and strings up to their end for each escaping depth.
import { compilePattern } from './regular-expressions.ts';

/** A part of a text that will be redacted, from `from` (inclusive) to `to` (exclusive). */
export interface Cut {
  from: number;
  to: number;
}

export interface Braces {
  /** The data of each `Secret` in braces. */
  cuts: Cut[];
  /** The end of each data object by its start. */
  ends: Map<number, number>;
}

interface Mapping {
  isSecret: boolean;
  isList: boolean;
  data: Cut[] | null;
  /** The start of the object if it is the data of a secret; else -1. */
  dataFrom: number;
  /** Whether the name is quoted, as in JSON. */
  isNamedInQuotes: boolean;
  seenFrom: number;
}

const TAGS = '(?:[!&][^\\s{}]{0,60}\\s{1,4}){0,2}';
const KIND_VALUE = compilePattern(
  `\\s{0,40}${TAGS}\\\\{0,8}["']?Secret(List)?\\\\{0,8}["']?(?=\\s{0,40}(?:[,}\\])#/\\\\]|$))`,
  'y',
);
/** The double braces of a template open no mapping. */
const DATA_VALUE = compilePattern(`\\s{0,40}${TAGS}\\{(?![{%])`, 'y');
const KIND_NAME = /kind\\{0,8}["']?\s{0,8}:/g;
const QUOTED = new Set(['"', "'"]);
/** A string may begin after these characters. */
const BEFORE_STRING = new Set([0, ...[...'{[(,:='].map((sign) => sign.charCodeAt(0))]);
const DEPTH_MAX = 8;
/** The maximum nesting depth; real manifests are far below it. */
const OPEN_MAX = 1_000;

/** Returns the data of each `Secret` in braces. */
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
    if (isList) for (const cut of seen.splice(seenFrom)) cuts.push(cut);
    else if (isSecret) for (const cut of data ?? []) cuts.push(cut);
    if (open.length === 0) open.push(mapping(-1, false, seen.length));
    if (dataFrom === -1) return;
    inData--;
    const cut = { from: dataFrom, to: at };
    seen.push(cut);
    const parent = open.at(-1) as Mapping;
    // Outside of all braces, a quoted name belongs to truncated JSON; an unquoted name is YAML, which the line scanner
    // reads.
    if (open.length === 1 && !isNamedInQuotes) return;
    if (parent.data === null) parent.data = [cut];
    else parent.data.push(cut);
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
        const match = KIND_VALUE.exec(text);
        const top = open.at(-1) as Mapping;
        if (match !== null && (open.length > 1 || name.isQuoted)) {
          if (match[1] === undefined) top.isSecret = true;
          else top.isList = true;
        }
      } else if (name !== null) {
        DATA_VALUE.lastIndex = i + 1;
        if (DATA_VALUE.test(text)) next = { at: DATA_VALUE.lastIndex - 1, isQuoted: name.isQuoted };
      }
    } else if ((unit === 0x22 || unit === 0x27) && BEFORE_STRING.has(before)) {
      const closes = stringEnd(text, i);
      if (nextKind !== -1 && nextKind < i) nextKind = kindFrom(text, i);
      // A string may contain a manifest.
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

/** Returns the index of the next `kind` key, or -1. */
function kindFrom(text: string, from: number): number {
  KIND_NAME.lastIndex = from;
  return KIND_NAME.exec(text)?.index ?? -1;
}

/** Returns the relevant name before a colon, or null. */
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

/** Returns the index at which a single-line string closes, at its own escaping depth, or -1. */
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
