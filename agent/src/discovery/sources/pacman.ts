// Packages of Arch Linux and its relatives: a folder each in pacman's local database.
import type { Discovered, Source } from '../source-contract.ts';

export const PACMAN_BASE = '/var/lib/pacman/local';
const MAX_BYTES = 256 * 1024;
const AT_ONCE = 50;

export const pacman: Source = {
  name: 'pacman',
  platforms: ['linux'],
  scopes: ['machine'],
  watches: () => ({ machine: [PACMAN_BASE], home: [] }),
  async *discover(fs) {
    let done = 0;
    for (const folder of fs.folders(PACMAN_BASE)) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const path = `${PACMAN_BASE}/${folder}/desc`;
      const text = fs.text(path, MAX_BYTES);
      if (text === null) continue;
      const found = describePacman(text);
      if (found === null) fs.reportError(path, 'unparsed', 'no name');
      else yield found;
    }
  },
};

/** Parses the file `desc` of a package; null where it has no name. */
export function describePacman(text: string): Discovered | null {
  const fields = parseDesc(text);
  const name = fields.get('NAME');
  if (name === undefined) return null;
  const built = Number(fields.get('INSTALLDATE'));
  return {
    kind: 'package',
    key: name,
    name,
    version: fields.get('VERSION') ?? null,
    publisher: fields.get('PACKAGER')?.replace(/\s*<[^>]*>/, '') ?? null,
    installedAt: built > 0 && built < 4e9 ? new Date(built * 1000).toISOString() : null,
    details: { architecture: fields.get('ARCH') ?? null },
  };
}

/** The first line of each `%FIELD%`. */
function parseDesc(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  const lines = text.split('\n');
  lines.forEach((line, at) => {
    const name = /^%([A-Z]+)%$/.exec(line.trim())?.[1];
    const value = lines[at + 1]?.trim();
    if (name !== undefined && value && !fields.has(name)) fields.set(name, value);
  });
  return fields;
}
