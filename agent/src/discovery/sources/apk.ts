// Packages of Alpine Linux: a text file of stanzas with fields of a single letter.
import type { Discovered, Source } from '../source-contract.ts';

/** Merged folders show the same database under several names: the first counts. */
export const APK_FILES = [
  '/lib/apk/db/installed',
  '/usr/lib/apk/db/installed',
  '/var/lib/apk/db/installed',
];
export const APK_MAX_BYTES = 64 * 1024 * 1024;
const AT_ONCE = 100;

export const apk: Source = {
  name: 'apk',
  platforms: ['linux'],
  scopes: ['machine'],
  watches: () => ({ machine: APK_FILES, home: [] }),
  async *discover(fs) {
    const path = APK_FILES.find((file) => fs.kindOf(file) === 'file');
    const text = path === undefined ? null : fs.text(path, APK_MAX_BYTES);
    let done = 0;
    for (const stanza of text?.split('\n\n') ?? []) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const found = describeApk(stanza);
      if (found !== null) yield found;
    }
  },
};

/** Parses a stanza; null where it names no package. */
export function describeApk(stanza: string): Discovered | null {
  const field = (letter: string) =>
    new RegExp(`^${letter}:(.*)$`, 'm').exec(stanza)?.[1]?.trim() || null;
  const name = field('P');
  if (name === null) return null;
  return {
    kind: 'package',
    key: name,
    name,
    version: field('V'),
    publisher: field('m')?.replace(/\s*<[^>]*>/, '') ?? null,
    details: { architecture: field('A') },
  };
}
