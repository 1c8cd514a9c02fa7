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

/** Returns the data of mappings whose kind is `Secret`, in the order of the text. */
function findSecretData(text: string, lines: readonly Line[]): Start[] {
  const starts: Start[] = [];
  const open: Mapping[] = [];
  const seen: Start[] = [];
  let explicitKey: { name: string; column: number } | null = null;
  const close = (column: number) => {
    while ((open.at(-1)?.column ?? -1) >= column) {
      const { isSecret, isList, data, seenFrom } = open.pop() as Mapping;
      for (const start of isList ? seen.splice(seenFrom) : isSecret ? data : []) starts.push(start);
    }
  };
  for (let i = 0; i < lines.length; i++) {
    const { column, dash, at, end } = lines[i] as Line;
    if (column === -1) continue;
    const content = text.slice(at, end);
    if (column === 0 && DOCUMENT_ENDS.test(content)) close(0);
    else close((dash === -1 ? column : dash) + 1);
    let mapping = open.at(-1);
    if (mapping?.column !== column) {
      mapping = { column, isSecret: false, isList: false, data: [], seenFrom: seen.length };
      open.push(mapping);
    }
    const key = KEY_BEGINS.test(content) ? KEY.exec(content) : null;
    const isExplicitValue = explicitKey?.column === column && content.startsWith(':');
    const name = key?.[1] ?? (isExplicitValue ? explicitKey?.name : undefined);
    const explicit = content.startsWith('?') ? EXPLICIT_KEY.exec(content) : null;
    explicitKey = explicit === null ? null : { name: explicit[1] as string, column };
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
  return starts.sort((a, b) => a.line - b.line);
}

/** Adds the ranges of the data to `braces.cuts` and returns the line after the data. */
function cutData(text: string, lines: readonly Line[], start: Start, braces: Braces): number {
  const { cuts, ends } = braces;
  const first = lines[start.line] as Line;
  const value =
    start.value + (BEFORE_VALUE.exec(text.slice(start.value, first.end))?.[0].length ?? 0);
  const inline = text.slice(value, first.end);
  let i = start.line + 1;
  let isInline = false;
  if (inline !== '' && !inline.startsWith('#')) {
    if (FILLED_IN.test(inline)) return i;
    isInline = true;
    const to = ends.get(value) ?? first.end;
    if (!IS_DONE.test(inline)) cuts.push({ from: value, to });
    while (i < lines.length && (lines[i] as Line).at < to) i++;
  }
  let member = -1;
  let isBlock = false;
  for (; i < lines.length; i++) {
    const { column, indent, at, end } = lines[i] as Line;
    if (column === -1) {
      if (indent > start.column) cutComment(text, lines[i] as Line, isInline || isBlock, cuts);
      continue;
    }
    if (column <= start.column) return i;
    if (isInline) {
      cuts.push({ from: at, to: end });
      continue;
    }
    if (member === -1 || column <= member) {
      member = column;
      isBlock = false;
    }
    const content = text.slice(at, end);
    const name = column === member ? (MEMBER.exec(content)?.[0] ?? '') : '';
    const scalar = content.slice(name.length);
    if (column === member && BLOCK_BEGINS.test(scalar)) isBlock = true;
    else if (name !== '' || column > member || !NAME_ALONE.test(content)) {
      if (scalar !== REDACTED && !FILLED_IN.test(scalar))
        cuts.push({ from: at + name.length, to: end });
    }
  }
  return i;
}

/** A name whose value follows on the next lines, an explicit key, or a template line. */
const NAME_ALONE = /^(?:[^\s:]{1,260}:|\?[ \t].{0,260}|\{\{.{0,260})[ \t]*$/;

/** A comment within a block scalar is content; elsewhere it may be a disabled member. */
function cutComment(text: string, { at, end }: Line, isText: boolean, cuts: Cut[]): void {
  if (at === end) return;
  const name = isText ? '' : COMMENTED_MEMBER.exec(text.slice(at, end))?.[0];
  if (name !== undefined) cuts.push({ from: at + name.length, to: end });
}
