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
  return text.includes('{') ? new BraceScanner(text).scan() : { cuts: [], ends: new Map() };
}

function isQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x27;
}

/** Scans a text once with a stack of open mappings, whose first element is outside of all braces. */
class BraceScanner {
  readonly #text: string;
  readonly #result: Braces = { cuts: [], ends: new Map() };
  readonly #seen: Cut[] = [];
  readonly #open: Mapping[] = [mapping(-1, false, 0)];
  /** How many open mappings are data. */
  #dataDepth = 0;
  /** How many braces beyond OPEN_MAX are open. */
  #excess = 0;
  /** The start of the next data object. */
  #data = { at: -1, isQuoted: false };
  /** The index of the next `kind` key, or -1. */
  #kind: number;

  constructor(text: string) {
    this.#text = text;
    this.#kind = kindFrom(text, 0);
  }

  scan(): Braces {
    const text = this.#text;
    let before = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0x7b) this.#openBrace(i);
      else if (unit === 0x7d) this.#closeBrace(i);
      else if (unit === 0x3a && this.#dataDepth === 0) this.#readName(i);
      else if (isQuote(unit) && BEFORE_STRING.has(before)) i = this.#skipString(i);
      if (unit > 0x20 && unit !== 0x5c) before = unit;
    }
    while (this.#open.length > 1) this.#endMapping(text.length);
    this.#endMapping(text.length);
    return this.#result;
  }

  #openBrace(at: number): void {
    if (this.#open.length > OPEN_MAX) {
      this.#excess++;
      return;
    }
    const isData = this.#data.at === at;
    if (isData) this.#dataDepth++;
    this.#open.push(mapping(isData ? at : -1, this.#data.isQuoted, this.#seen.length));
  }

  #closeBrace(at: number): void {
    if (this.#excess > 0) {
      this.#excess--;
      return;
    }
    const { dataFrom } = this.#open.at(-1) as Mapping;
    if (dataFrom !== -1) this.#result.ends.set(dataFrom, at + 1);
    this.#endMapping(at + 1);
  }

  #endMapping(at: number): void {
    const open = this.#open;
    const { isSecret, isList, data, dataFrom, isNamedInQuotes, seenFrom } = open.pop() as Mapping;
    const { cuts } = this.#result;
    if (isList) for (const cut of this.#seen.splice(seenFrom)) cuts.push(cut);
    else if (isSecret) for (const cut of data ?? []) cuts.push(cut);
    if (open.length === 0) open.push(mapping(-1, false, this.#seen.length));
    if (dataFrom === -1) return;
    this.#dataDepth--;
    const cut = { from: dataFrom, to: at };
    this.#seen.push(cut);
    // Outside of all braces, a quoted name belongs to truncated JSON; an unquoted name is YAML, which the line scanner
    // reads.
    if (open.length === 1 && !isNamedInQuotes) return;
    const parent = open.at(-1) as Mapping;
    parent.data ??= [];
    parent.data.push(cut);
  }

  #readName(colon: number): void {
    const name = nameBefore(this.#text, colon);
    if (name === null) return;
    if (name.isKind) {
      if (this.#open.length > 1 || name.isQuoted) this.#readKind(colon + 1);
      return;
    }
    DATA_VALUE.lastIndex = colon + 1;
    if (!DATA_VALUE.test(this.#text)) return;
    this.#data = { at: DATA_VALUE.lastIndex - 1, isQuoted: name.isQuoted };
  }

  #readKind(at: number): void {
    KIND_VALUE.lastIndex = at;
    const match = KIND_VALUE.exec(this.#text);
    if (match === null) return;
    const top = this.#open.at(-1) as Mapping;
    if (match[1] === undefined) top.isSecret = true;
    else top.isList = true;
  }

  /** Returns the end of the string, or its start if the string may contain a manifest. */
  #skipString(at: number): number {
    const closes = stringEnd(this.#text, at);
    if (this.#kind !== -1 && this.#kind < at) this.#kind = kindFrom(this.#text, at);
    const isSkipped = this.#dataDepth > 0 || this.#kind === -1 || this.#kind > closes;
    return closes !== -1 && isSkipped ? closes : at;
  }
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
