// Purpose: removes entries from the text of a configuration and puts them back, in JSON, TOML and YAML. Pure.
// Main types: `Splice` (a replaced range), `CutEntry` (text.ts).
// Invariants: every result is parsed again, and must equal the original content without the entries or with them.
// Depends on: json.ts, toml.ts and yaml.ts, which know the formats.
// Start reading at `takeOut` and `putBack`.
import { isDeepStrictEqual } from 'node:util';
import { json } from './json.ts';
import { type Container, type CutEntry, type Format, type Member, valueAt } from './text.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

/** A replaced range, by which a text becomes the other text and back. */
export interface Splice {
  at: number;
  removed: string;
  inserted: string;
}

const BOM = '\ufeff';

/** The format by a file's ending, as discovery reads it. */
function formatOf(file: string): Format {
  if (/\.ya?ml$/i.test(file)) return yaml;
  return /\.toml$/i.test(file) ? toml : json;
}

/** The document in a text; throws where it does not parse. */
export function parseConfiguration(file: string, text: string): unknown {
  const bare = withoutMark(text);
  return bare.trim() === '' ? {} : formatOf(file).parse(bare);
}

/** The text without these members of the container; null where that cannot be done safely. */
export function takeOut(
  file: string,
  text: string,
  container: Container,
  members: readonly Member[],
): { text: string; entries: CutEntry[] } | null {
  const bare = withoutMark(text);
  const mark = bare === text ? '' : BOM;
  return attempt(() => {
    const format = formatOf(file);
    const done = format.cut(bare, container, members);
    if (done === null) return null;
    const expected = without(format.parse(bare), container, members);
    const isAsExpected = isSame(
      withContainer(parseOrEmpty(format, done.text), container, expected),
      expected,
    );
    return isAsExpected ? { text: mark + done.text, entries: done.entries } : null;
  });
}

/**
 * Returns the text with the entry in its container; `there` where an entry of its name exists, null where it has no
 * place.
 */
export function putBack(
  file: string,
  text: string,
  container: Container,
  entry: CutEntry,
): string | 'there' | null {
  const bare = withoutMark(text);
  const mark = bare === text ? '' : BOM;
  return attempt(() => {
    const format = formatOf(file);
    const before = parseOrEmpty(format, bare);
    const { member } = entry;
    const parent = valueAt(before, container);
    if (typeof member === 'string' && valueAt(parent, [member]) !== undefined) return 'there';
    if (Array.isArray(parent)) {
      const value = format.valueOf(entry.raw);
      if (parent.some((item) => isSame(item, value))) return 'there';
    }
    const done = format.put(bare, container, entry);
    if (done === null) return null;
    const after = parseOrEmpty(format, done);
    const added = valueAt(after, container);
    const back = Array.isArray(added)
      ? added.toSpliced(placeOf(added, parent), 1)
      : without({ it: added }, ['it'], [member]);
    const rest = Array.isArray(added) ? back : (back as { it: unknown }).it;
    const expected = parent ?? (Array.isArray(added) ? [] : {});
    if (!isSame(rest, expected)) return null;
    // Everything around the container is as it was.
    const around = setAt(structuredClone(after), container, null);
    const aroundBefore = setAt(structuredClone(before), container, null);
    return isSame(around, aroundBefore) ? mark + done : null;
  });
}

/** Parsers make objects without a prototype, and dates of their own. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

/** Returns the first index at which a longer list differs from a shorter list. */
function placeOf(longer: readonly unknown[], shorter: unknown): number {
  const other = Array.isArray(shorter) ? shorter : [];
  const at = longer.findIndex((character, i) => !isSame(character, other[i]));
  return at < 0 ? longer.length - 1 : at;
}

/** Returns the single range in which two texts differ. */
export function spliceOf(before: string, after: string): Splice {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return {
    at: start,
    removed: before.slice(start, before.length - tail),
    inserted: after.slice(start, after.length - tail),
  };
}

export function applySplice(text: string, { at, removed, inserted }: Splice): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

export function invert({ at, removed, inserted }: Splice): Splice {
  return { at, removed: inserted, inserted: removed };
}

function attempt<T>(work: () => T | null): T | null {
  try {
    return work();
  } catch {
    // Whatever a parser thinks of the text: it is left as it is.
    return null;
  }
}

function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function parseOrEmpty(format: Format, text: string): unknown {
  return text.trim() === '' ? {} : (format.parse(text) ?? {});
}

function without(document: unknown, container: Container, members: readonly Member[]): unknown {
  const copy = structuredClone(document);
  const parent = valueAt(copy, container);
  if (Array.isArray(parent)) {
    for (const member of members.toSorted((a, b) => Number(b) - Number(a))) {
      parent.splice(Number(member), 1);
    }
  } else if (typeof parent === 'object' && parent !== null) {
    for (const member of members) delete (parent as Record<Member, unknown>)[member];
  }
  return copy;
}

/** A container that was removed with its last entry counts as the expected empty container. */
function withContainer(document: unknown, container: Container, expected: unknown): unknown {
  if (valueAt(document, container) !== undefined) return document;
  const empty = valueAt(expected, container);
  const isEmpty = typeof empty === 'object' && empty !== null && Object.keys(empty).length === 0;
  return isEmpty ? setAt(structuredClone(document), container, empty) : document;
}

function setAt(document: unknown, container: Container, value: unknown): unknown {
  if (container.length === 0) return value;
  let at = document as Record<string, unknown>;
  for (const part of container.slice(0, -1)) {
    if (typeof at[part] !== 'object' || at[part] === null) at[part] = {};
    at = at[part] as Record<string, unknown>;
  }
  at[container.at(-1) ?? ''] = value;
  return document;
}
