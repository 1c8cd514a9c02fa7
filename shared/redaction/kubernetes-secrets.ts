// Redacts Kubernetes `Secret` manifests in YAML or JSON, whose members are credentials regardless of their names. Each
// line is read once per view: plain, quoted line by line, in a diff, and escaped.

import { type Braces, type Cut, readBraces } from './kubernetes-braces.ts';
import { type Line, listLines, listViews } from './manifest-lines.ts';
import { compilePattern } from './regular-expressions.ts';
import { REDACTED } from './rules.ts';

const TAGS = '(?:[!&][^\\s{}]{0,60}[ \\t]{1,4}){0,2}';
const GAP = '(?:\\s|\\\\{1,8}[nrt])';
/** The trigger of this rule. */
export const KUBERNETES_TRIGGER = `:(?<=kind\\\\{0,8}["']?${GAP}{0,8}:)${GAP}{0,40}(?:[!&][^\\s{}]{0,60}\\s{1,4}){0,2}\\\\{0,8}["']?Secret(?:List)?(?![A-Za-z])`;

const SECRET = compilePattern(KUBERNETES_TRIGGER);
const KEY = compilePattern(
  `^${TAGS}\\\\{0,8}["']?(kind|data|stringData)\\\\{0,8}["']?[ \\t]{0,4}:(?=[ \\t]|$)`,
);
/** A cheap test that excludes most lines. */
const KEY_BEGINS = /^[kds"'\\!&]/;
const EXPLICIT_KEY = compilePattern(
  `^\\?[ \\t]{1,8}${TAGS}["']?(kind|data|stringData)["']?[ \\t]{0,8}(?:#|$)`,
);
const KIND_VALUE = compilePattern(
  `^[ \\t]*${TAGS}\\\\{0,8}["']?Secret(List)?\\\\{0,8}["']?[ \\t]*(?:#|$|["'\`]?[,}\\])])`,
);
const BEFORE_VALUE = /^[ \t]*(?:[!&][^\s{}]{0,60}(?:[ \t]+|$)){0,2}/;
/** The name of a member, up to its value. */
const MEMBER =
  /^(?:\\{0,8}"[^"\\]{1,253}\\{0,8}"[ \t]{0,4}|\\{0,8}'[^'\\]{1,253}\\{0,8}'[ \t]{0,4}|[^\s:#][^:]{0,252}|):[ \t]{1,8}/;
const COMMENTED_MEMBER = /^#[ \t]{0,8}[\w.-]{1,253}:[ \t]{1,8}(?=\S{3,}[ \t]*$)/;
/** A placeholder of a template. */
const FILLED_IN =
  /^\\{0,8}["']?(?:\{\{[^{}"']{0,200}\}\}|\$\{[A-Za-z0-9_.]{1,100}\}|<[A-Za-z][A-Za-z0-9 _-]{0,60}>)\\{0,8}["']?[ \t]*(?:#.*)?$/;
const DOCUMENT_ENDS = /^(?:---|\.\.\.|```)/;
const BLOCK_BEGINS = compilePattern(`^${TAGS}[|>][+-]?[0-9]?[+-]?[ \\t]*(?:#|$)`);
const IS_DONE = /^\[REDACTED\][,}\]) \t]*$/;
const HAS_CONTENT = /[A-Za-z0-9]/;

/** The start of a data mapping. */
interface Start {
  line: number;
  column: number;
  /** The index of its value. */
  value: number;
}

interface Mapping {
  column: number;
  isSecret: boolean;
  isList: boolean;
  data: Start[];
  seenFrom: number;
}

/** Redacts the data of each `Secret`. Returns the same text if it contains none. */
export function redactKubernetesSecrets(text: string): string {
  if (!SECRET.test(text)) return text;
  const braces = readBraces(text);
  const { cuts } = braces;
  for (const view of listViews(text, SECRET)) {
    const lines = listLines(text, view);
    let done = 0;
    for (const start of findSecretData(text, lines)) {
      // The lines of a redacted range are complete.
      if (start.line >= done) done = cutData(text, lines, start, braces);
    }
  }
  return replaceRanges(text, cuts);
}

function replaceRanges(text: string, cuts: Cut[]): string {
  let out = '';
  let at = 0;
  for (const { from, to } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < at) {
      // A range that begins within another range may extend beyond it.
      at = Math.max(at, to);
      continue;
    }
    if (!HAS_CONTENT.test(text.slice(from, to))) continue;
    out += text.slice(at, from) + REDACTED;
    at = to;
  }
  return out + text.slice(at);
}

/** The open mappings by column, innermost last, and the data that they contain. */
class MappingStack {
  /** Data of closed mappings whose kind is `Secret`. */
  readonly starts: Start[] = [];
  readonly #open: Mapping[] = [];
  readonly #seen: Start[] = [];

  /** Closes mappings at this column and deeper. */
  close(column: number): void {
    while ((this.#open.at(-1)?.column ?? -1) >= column) {
      const { isSecret, isList, data, seenFrom } = this.#open.pop() as Mapping;
      const secrets = isList ? this.#seen.splice(seenFrom) : isSecret ? data : [];
      for (const start of secrets) this.starts.push(start);
    }
  }

  /** Returns the mapping at this column; opens it if necessary. */
  at(column: number): Mapping {
    const top = this.#open.at(-1);
    if (top?.column === column) return top;
    const seenFrom = this.#seen.length;
    const mapping: Mapping = { column, isSecret: false, isList: false, data: [], seenFrom };
    this.#open.push(mapping);
    return mapping;
  }

  addData(mapping: Mapping, start: Start): void {
    mapping.data.push(start);
    this.#seen.push(start);
  }
}

interface ExplicitKey {
  name: string;
  column: number;
}

/** Returns the data of mappings whose kind is `Secret`, in the order of the text. */
function findSecretData(text: string, lines: readonly Line[]): Start[] {
  const stack = new MappingStack();
  let explicitKey: ExplicitKey | null = null;
  for (const [i, { column, dash, at, end }] of lines.entries()) {
    if (column === -1) continue;
    const content = text.slice(at, end);
    const isDocumentEnd = column === 0 && DOCUMENT_ENDS.test(content);
    stack.close(isDocumentEnd ? 0 : (dash === -1 ? column : dash) + 1);
    const mapping = stack.at(column);
    const { name, length } = readKey(content, column, explicitKey);
    explicitKey = readExplicitKey(content, column);
    if (name === undefined) continue;
    const value = at + length;
    if (name === 'kind') readKind(mapping, text.slice(value, end));
    else stack.addData(mapping, { line: i, column, value });
  }
  stack.close(0);
  return stack.starts.sort((a, b) => a.line - b.line);
}

/** Returns the relevant key of a line with its length; a line `: value` has the explicit key of the line before it. */
function readKey(
  content: string,
  column: number,
  explicitKey: ExplicitKey | null,
): { name: string | undefined; length: number } {
  const key = KEY_BEGINS.test(content) ? KEY.exec(content) : null;
  if (key !== null) return { name: key[1], length: key[0].length };
  const isExplicitValue = explicitKey?.column === column && content.startsWith(':');
  return { name: isExplicitValue ? explicitKey.name : undefined, length: 1 };
}

function readExplicitKey(content: string, column: number): ExplicitKey | null {
  const key = content.startsWith('?') ? EXPLICIT_KEY.exec(content) : null;
  return key === null ? null : { name: key[1] as string, column };
}

function readKind(mapping: Mapping, value: string): void {
  const kind = KIND_VALUE.exec(value);
  if (kind === null) return;
  if (kind[1] === undefined) mapping.isSecret = true;
  else mapping.isList = true;
}

/** Adds the ranges of the data to `braces.cuts` and returns the line after the data. */
function cutData(text: string, lines: readonly Line[], start: Start, braces: Braces): number {
  const first = lines[start.line] as Line;
  const value =
    start.value + (BEFORE_VALUE.exec(text.slice(start.value, first.end))?.[0].length ?? 0);
  const inline = text.slice(value, first.end);
  if (inline === '' || inline.startsWith('#')) {
    return cutMembers(text, lines, start, braces.cuts);
  }
  if (FILLED_IN.test(inline)) return start.line + 1;
  const to = braces.ends.get(value) ?? first.end;
  if (!IS_DONE.test(inline)) braces.cuts.push({ from: value, to });
  let i = start.line + 1;
  while (i < lines.length && (lines[i] as Line).at < to) i++;
  return cutLines(text, lines, i, start.column, braces.cuts);
}

/** Cuts complete lines, which continue a value on the first line, and returns the line after them. */
function cutLines(
  text: string,
  lines: readonly Line[],
  from: number,
  dataColumn: number,
  cuts: Cut[],
): number {
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] as Line;
    if (line.column === -1) {
      if (line.indent > dataColumn) cutComment(text, line, true, cuts);
    } else if (line.column <= dataColumn) return i;
    else cuts.push({ from: line.at, to: line.end });
  }
  return lines.length;
}

/** Cuts the values of members below `data:`, and returns the line after them. */
function cutMembers(text: string, lines: readonly Line[], start: Start, cuts: Cut[]): number {
  let member = -1;
  let isBlock = false;
  for (let i = start.line + 1; i < lines.length; i++) {
    const line = lines[i] as Line;
    if (line.column === -1) {
      if (line.indent > start.column) cutComment(text, line, isBlock, cuts);
      continue;
    }
    if (line.column <= start.column) return i;
    if (member === -1 || line.column <= member) {
      member = line.column;
      isBlock = false;
    }
    isBlock = cutMember(text, line, line.column === member, cuts) || isBlock;
  }
  return lines.length;
}

/** Cuts the value on a line of a member. Returns whether the line begins a block scalar. */
function cutMember(text: string, { at, end }: Line, isFirst: boolean, cuts: Cut[]): boolean {
  const content = text.slice(at, end);
  const name = isFirst ? (MEMBER.exec(content)?.[0] ?? '') : '';
  const scalar = content.slice(name.length);
  if (isFirst && BLOCK_BEGINS.test(scalar)) return true;
  if (name === '' && isFirst && NAME_ALONE.test(content)) return false;
  if (scalar !== REDACTED && !FILLED_IN.test(scalar)) {
    cuts.push({ from: at + name.length, to: end });
  }
  return false;
}

/** A name whose value follows on the next lines, an explicit key, or a template line. */
const NAME_ALONE = /^(?:[^\s:]{1,260}:|\?[ \t].{0,260}|\{\{.{0,260})[ \t]*$/;

/** A comment within a block scalar is content; elsewhere it may be a disabled member. */
function cutComment(text: string, { at, end }: Line, isText: boolean, cuts: Cut[]): void {
  if (at === end) return;
  const name = isText ? '' : COMMENTED_MEMBER.exec(text.slice(at, end))?.[0];
  if (name !== undefined) cuts.push({ from: at + name.length, to: end });
}
