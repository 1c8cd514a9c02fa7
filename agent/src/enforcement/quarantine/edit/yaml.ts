// YAML: complete lines of an entry are cut and put back; an entry without lines of its own is written by the library.
import { type Document, isMap, isSeq, parse, parseDocument, stringify, type YAMLMap } from 'yaml';
import {
  type Container,
  type Format,
  lineEnd,
  lineStart,
  type Member,
  newlineOf,
  valueAt,
} from './text.ts';

type Collection = YAMLMap | import('yaml').YAMLSeq;

export const yaml: Format = {
  parse: (text) => parse(text, { logLevel: 'error' }) as unknown,
  cut(text, container, members) {
    const entries = [];
    let rest = text;
    const ordered = members.toSorted((a, b) => Number(b) - Number(a));
    for (const member of ordered) {
      const done = cutMember(rest, container, member);
      if (done === null) return null;
      entries.unshift({ member, raw: done.raw });
      rest = done.text;
    }
    return { text: rest, entries };
  },
  valueOf: (raw) => (yaml.parse(raw) as unknown[] | null)?.[0],
  put(text, container, { member, raw }) {
    const doc = read(text);
    const fragment = parseDocument(raw, { logLevel: 'error' });
    const added = fragment.contents;
    if (doc === null || (!isMap(added) && !isSeq(added))) return null;
    const into = doc.getIn(container, true);
    if (isMap(into) || isSeq(into)) {
      if (isMap(into) !== isMap(added)) return null;
      if (into.items.length > 0 && !into.flow) {
        const lines = insertLines(text, into, member, raw);
        if (fits(lines, container, member, added)) return lines;
      }
      const at = isSeq(into) ? Number(member) : into.items.length;
      (into.items as unknown[]).splice(at, 0, ...added.items);
      if (into.items.length === added.items.length) into.flow = false;
    } else if (into === undefined || into === null || valueAt(doc.toJS(), container) === null) {
      doc.setIn(container, added);
    } else return null;
    return write(doc, text);
  },
};

function read(text: string): Document.Parsed | null {
  const doc = parseDocument(text, { logLevel: 'error' });
  return doc.errors.length > 0 ? null : doc;
}

function write(doc: Document.Parsed, text: string): string {
  const written = doc.toString({ lineWidth: 0, flowCollectionPadding: /[[{] \S/.test(text) });
  return written.replace(/\r?\n/g, newlineOf(text));
}

function cutMember(
  text: string,
  container: Container,
  member: Member,
): { text: string; raw: string } | null {
  const doc = read(text);
  const within = doc?.getIn(container, true);
  if (!isMap(within) && !isSeq(within)) return null;
  const lines = within.flow ? null : linesOf(text, within, member);
  const value = valueAt(doc?.toJS(), [...container, member]);
  const raw =
    lines === null
      ? stringify(typeof member === 'number' ? [value] : { [member]: value }, { lineWidth: 0 })
      : dedent(text.slice(lines.from, lines.to));
  if (lines !== null && within.items.length > 1) {
    return { text: text.slice(0, lines.from) + text.slice(lines.to), raw };
  }
  const emptied = lines === null ? null : emptyInPlace(text, within, lines.to);
  if (emptied !== null) return { text: emptied, raw };
  doc?.deleteIn([...container, member]);
  return doc === null || doc === undefined ? null : { text: write(doc, text), raw };
}

/** The whole lines of a member of a block; null where it shares a line with something else. */
function linesOf(
  text: string,
  within: Collection,
  member: Member,
): { from: number; to: number } | null {
  const range = rangeOf(within, member);
  if (range === null) return null;
  const from = lineStart(text, range[0]);
  const head = text.slice(from, range[0]);
  if (!(typeof member === 'number' ? /^[ \t]*-[ \t]+$/ : /^[ \t]*$/).test(head)) return null;
  const ended = range[1] > 0 && text[range[1] - 1] === '\n';
  const to = ended ? range[1] : lineEnd(text, range[1]);
  const tail = ended ? '' : text.slice(range[1], to).trim();
  return tail === '' || tail.startsWith('#') ? { from, to } : null;
}

function rangeOf(within: Collection, member: Member): [number, number] | null {
  type Ranged = { range?: readonly number[] | null; value?: unknown } | null | undefined;
  if (isSeq(within)) {
    const item = within.items[Number(member)] as Ranged;
    return item?.range == null ? null : [item.range[0] ?? 0, item.range[1] ?? 0];
  }
  const pair = within.items.find((item) => String((item.key as Ranged)?.value) === member);
  const key = (pair?.key as Ranged)?.range;
  const end = (pair?.value as Ranged)?.range?.[1] ?? key?.[1];
  return key == null || end === undefined ? null : [key[0] ?? 0, end];
}

/** `key:` with nothing below would mean null to some clients: the last entry leaves `{}` or `[]` behind. */
function emptyInPlace(text: string, within: Collection, to: number): string | null {
  const from = within.range?.[0];
  if (from === undefined) return null;
  const head = text.slice(0, from);
  const colon = /:([ \t]*(?:#[^\n]*|\r)?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*)[ \t]*(?:-[ \t]+)?$/.exec(
    head,
  );
  if (colon === null) return null;
  const empty = isSeq(within) ? '[]' : '{}';
  return `${head.slice(0, colon.index)}: ${empty}${colon[1]?.replace(/^(?=#)/, ' ')}${text.slice(to)}`;
}

function dedent(lines: string): string {
  const indent = /^[ \t]*/.exec(lines)?.[0] ?? '';
  return lines
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .join('\n');
}

/** A list's entry comes where it was, a map's behind the last. */
function insertLines(text: string, into: Collection, member: Member, raw: string): string {
  const first = into.range?.[0] ?? 0;
  const next = isSeq(into) ? rangeOf(into, member) : null;
  const last = rangeOf(into, isSeq(into) ? into.items.length - 1 : lastKey(into))?.[1] ?? first;
  const behind = text[last - 1] === '\n' ? last : lineEnd(text, last);
  const at = next === null ? behind : lineStart(text, next[0]);
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, first)))?.[0] ?? '';
  const newline = newlineOf(text);
  const lines = raw
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => (line.trim() === '' ? line : indent + line))
    .join(newline);
  const before = text.slice(0, at);
  return `${before}${before === '' || before.endsWith('\n') ? '' : newline}${lines}${newline}${text.slice(at)}`;
}

function lastKey(into: Collection): string {
  const pair = into.items.at(-1) as { key?: { value?: unknown } } | undefined;
  return String(pair?.key?.value);
}

/** Returns whether the lines parse to the expected value: after a wrong indent the document is written anew. */
function fits(text: string, container: Container, member: Member, added: Collection): boolean {
  try {
    const there = valueAt(yaml.parse(text), container) as Record<Member, unknown>;
    const wanted = added.toJSON() as Record<Member, unknown>;
    const [found, expected] = Array.isArray(there)
      ? [
          there[Math.min(Number(member), there.length - 1)],
          Array.isArray(wanted) ? wanted[0] : undefined,
        ]
      : [there[member], wanted[member]];
    return JSON.stringify(found) === JSON.stringify(expected);
  } catch {
    return false;
  }
}
