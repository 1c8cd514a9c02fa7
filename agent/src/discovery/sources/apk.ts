// Packages of Alpine Linux: one text file of stanzas with fields of one letter.
import type { Source } from '../source.ts';

const FILES = ['/lib/apk/db/installed', '/usr/lib/apk/db/installed', '/var/lib/apk/db/installed'];
const MAX_BYTES = 64 * 1024 * 1024;
const AT_ONCE = 100;

export const apk: Source = {
  name: 'apk',
  platforms: ['linux'],
  looksAt: ['machine'],
  watches: () => ({ machine: FILES, home: [] }),
  async *discover(look) {
    // Merged folders show one database under several names: the first counts.
    const path = FILES.find((file) => look.kindOf(file) === 'file');
    const text = path === undefined ? null : look.text(path, MAX_BYTES);
    let done = 0;
    for (const stanza of text?.split('\n\n') ?? []) {
      if (++done % AT_ONCE === 0) await look.turn();
      const field = (letter: string) =>
        new RegExp(`^${letter}:(.*)$`, 'm').exec(stanza)?.[1]?.trim() || null;
      const name = field('P');
      if (name === null) continue;
      yield {
        kind: 'package',
        key: name,
        name,
        version: field('V'),
        publisher: field('m')?.replace(/\s*<[^>]*>/, '') ?? null,
        details: { architecture: field('A') },
      };
    }
  },
};
