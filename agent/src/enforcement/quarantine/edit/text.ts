// Types shared by the three formats of configuration files: a cut entry, and the text around it.

/** Path of the servers in a document; the empty path is the document itself. */
export type Container = readonly string[];

/** Member of a container: a name in a map, an index in a list. */
export type Member = string | number;

export interface CutEntry {
  member: Member;
  /** Text of the entry, in a form that its format can put back. */
  raw: string;
  /** TOML: header above a single statement; null for tables of its own. */
  header?: string[] | null;
}

export interface Format {
  parse(text: string): unknown;
  /** Returns the text without the members, otherwise unchanged; null where their bounds are ambiguous. */
  cut(
    text: string,
    container: Container,
    members: readonly Member[],
  ): { text: string; entries: CutEntry[] } | null;
  /** Returns the content of a list entry. */
  valueOf(raw: string): unknown;
  /** The text with the entry in it; null where there is no place for it. */
  put(text: string, container: Container, entry: CutEntry): string | null;
}

/** The value at a path; undefined where there is none. */
export function valueAt(document: unknown, path: readonly Member[]): unknown {
  let at = document;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<Member, unknown>)[part];
  }
  return at;
}

/** The beginning of the line in which a place lies. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Just behind the end of the line in which a place lies. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** The line ending that a text uses. */
export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
