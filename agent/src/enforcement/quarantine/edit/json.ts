// JSON as editors write it, with comments and superfluous commas: an entry and a comma are cut, nothing else changes.
import { randomUUID } from 'node:crypto';
import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser';
import { type Format, lineEnd, lineStart, type Member, newlineOf } from './text.ts';

const COMMA = 5;
const LOOSE = { allowTrailingComma: true };

export const json: Format = {
  parse(text) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, LOOSE);
    if (errors.length > 0) throw new Error('it does not parse');
    return value;
  },
  cut(text, container, members) {
    const entries = [];
    let rest = text;
    // From the back, so that the places of a list stay what they were.
    for (const member of members.toSorted(backwards)) {
      const found = locate(rest, [...container, member]);
      if (found === null) return null;
      const { value, whole } = found;
      entries.unshift({ member, raw: rest.slice(value.offset, value.offset + value.length) });
      rest = withoutSpans(rest, spansOf(rest, whole));
    }
    return { text: rest, entries };
  },
  valueOf: (raw) => json.parse(raw),
  put(text, container, { member, raw }) {
    const place = `gw-${randomUUID()}`;
    const isListed = typeof member === 'number';
    const parent = container.length === 0 ? rootOf(text) : locate(text, container)?.value;
    if (parent !== undefined && parent !== null) {
      if (parent.type !== (isListed ? 'array' : 'object')) return null;
    }
    const beside = isListed || parent == null ? null : putBeside(text, parent, String(member), raw);
    if (beside !== null) return beside;
    const at = isListed ? Math.min(member, parent?.children?.length ?? 0) : member;
    const edits = modify(text, [...container, at], place, {
      isArrayInsertion: isListed,
      formattingOptions: formattingOf(text),
    });
    return applyEdits(text, edits).replace(JSON.stringify(place), () => raw);
  },
};

function backwards(a: Member, b: Member): number {
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
}

const rootOf = (text: string): Node | undefined => parseTree(text, [], LOOSE);

function locate(text: string, path: readonly Member[]): { value: Node; whole: Node } | null {
  const tree = rootOf(text);
  const value = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  if (value === undefined) return null;
  return { value, whole: value.parent?.type === 'property' ? value.parent : value };
}

/** Returns the range of an entry with the comma that becomes superfluous. */
function spansOf(text: string, node: Node): [number, number][] {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const end = node.offset + node.length;
  const after = commaBetween(text, end, siblings[at + 1]?.offset ?? text.length);
  if (after !== null) {
    // A comma behind the last entry is no separator: the comma before it is cut, too.
    const before = at + 1 < siblings.length ? null : commaBefore(text, siblings[at - 1], node);
    return [...(before === null ? [] : [span(before)]), [node.offset, end], span(after)];
  }
  const before = commaBefore(text, siblings[at - 1], node);
  return [...(before === null ? [] : [span(before)]), [node.offset, end]];
}

const span = (at: number): [number, number] => [at, at + 1];

function commaBefore(text: string, previous: Node | undefined, node: Node): number | null {
  return previous === undefined
    ? null
    : commaBetween(text, previous.offset + previous.length, node.offset);
}

/** The first comma in a stretch, comments not counted; null where something else comes first. */
function commaBetween(text: string, from: number, to: number): number | null {
  const scanner = createScanner(text.slice(from, to), true);
  const token = scanner.scan() as number;
  return token === COMMA ? from + scanner.getTokenOffset() : null;
}

/** Cuts the spans; a line of which nothing is left goes whole. */
function withoutSpans(text: string, spans: readonly [number, number][]): string {
  let rest = text;
  for (const [from, to] of spans.toSorted((a, b) => b[0] - a[0])) {
    rest = rest.slice(0, from) + rest.slice(to);
    const start = lineStart(rest, from);
    const end = lineEnd(rest, from);
    const line = rest.slice(start, end);
    if (to - from > 1 && line.trim() === '' && line.endsWith('\n')) {
      rest = rest.slice(0, start) + rest.slice(end);
    }
  }
  return rest;
}

/** Appends an entry behind the last entry of a map, in its style; returns null where the map is empty. */
function putBeside(text: string, parent: Node, name: string, raw: string): string | null {
  const last = parent.children?.at(-1);
  if (last === undefined) return null;
  const lastEnd = last.offset + last.length;
  const comma = commaBetween(text, lastEnd, parent.offset + parent.length);
  const lead = text.slice(lineStart(text, last.offset), last.offset);
  const isOnOwnLine = lead.trim() === '';
  let from = comma === null ? lastEnd : comma + 1;
  // A comment at the end of its line stays with it.
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(from));
  const kept = isOnOwnLine ? (rest?.[0] ?? '') : '';
  from += kept.length;
  const entry = `${isOnOwnLine ? newlineOf(text) + lead : ' '}${JSON.stringify(name)}: ${raw}`;
  const before = comma === null ? `${text.slice(0, lastEnd)},${kept}` : text.slice(0, from);
  return `${before}${entry}${comma === null ? '' : ','}${text.slice(from)}`;
}

function formattingOf(text: string) {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol: newlineOf(text) };
}
