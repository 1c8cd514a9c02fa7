// A server's entry as text, to be put into a configuration by the way of what was taken out. Pure.
import type { Container, CutEntry } from './text.ts';

/** Content of an entry: strings and booleans only. */
export type EntryValue = Readonly<Record<string, string | boolean>>;

/** Returns an entry of a map as text; on a single line where the format allows it. */
export function newEntry(
  file: string,
  container: Container,
  member: string,
  value: EntryValue,
): CutEntry {
  const pairs = Object.entries(value);
  if (/\.toml$/i.test(file)) {
    const lines = pairs.map(([key, member]) => `${key} = ${JSON.stringify(member)}\n`);
    const raw = `[${[...container, member].join('.')}]\n${lines.join('')}`;
    return { member, raw, header: null };
  }
  const fields = pairs.map(([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`);
  return { member, raw: `{ ${fields.join(', ')} }` };
}
