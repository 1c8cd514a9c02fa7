// A server's entry as text, to be put into a configuration by the way of what was taken out. Pure.
import type { Container, CutEntry } from './text.ts';

/** What an entry says: nothing but words and switches. */
export type EntryValue = Readonly<Record<string, string | boolean>>;

/** An entry of a map; on one line where the format lets it be. */
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
