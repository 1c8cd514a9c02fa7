// AppImages without an entry in a menu: found by their files where people and tools keep them.
import { posix } from 'node:path';
import type { Discovered, ScopedFs } from '../source-contract.ts';

/** Below a home; from the root for the machine. */
const HOME = [
  'Applications',
  'AppImages',
  '.local/bin',
  '.local/opt',
  '.local/share/AppImages',
  '.local/share/applications',
  'bin',
  'apps',
  'Apps',
  'Desktop',
  'Downloads',
  'opt',
];
const MACHINE = ['/opt', '/opt/*', '/usr/local/bin', '/Applications', '/usr/local/share/AppImages'];
const ENDING = /\.appimage$/i;
const ARCHITECTURE =
  /[-_.]?(x86[-_]?64|amd64|aarch64|arm64|armhf|armv7l|i[36]86|x64|linux(64)?)\b/gi;
const VERSION =
  /(?:^|[-_ .v])(\d{1,5}(?:\.\d{1,6}){1,3}(?:[-.+~]?(?:alpha|beta|rc|pre)[-.]?\d{0,4})?)/i;
const MAX_FILES = 500;

/** AppImages in the usual folders that no menu entry launches. */
export async function* findAppImages(
  fs: ScopedFs,
  launched: ReadonlySet<string>,
): AsyncGenerator<Discovered> {
  const folders = (fs.owner === null ? MACHINE : HOME).flatMap((path) => fs.expand(path));
  let found = 0;
  for (const folder of folders.filter((path) => fs.kindOf(path) === 'folder')) {
    await fs.yieldToEventLoop();
    for (const file of fs.names(folder).filter((name) => ENDING.test(name))) {
      if (++found > MAX_FILES) return;
      const path = posix.join(folder, file);
      if (fs.kindOf(path) !== 'file') continue;
      // A download is not executable at first, and is present all the same.
      const real = fs.executable(path);
      if (real === null || !launched.has(real)) yield describeAppImage(fs, path, real);
    }
  }
}

function describeAppImage(fs: ScopedFs, path: string, real: string | null): Discovered {
  const name = nameOf(posix.basename(path));
  return {
    kind: 'application',
    key: `appimage:${name.toLowerCase()}`,
    name,
    version: versionInName(path),
    path: fs.toMachinePath(path),
    executables: real === null ? [] : [real],
    installedAt: fs.changedAt(path),
    details: { appimage: true },
  };
}

/** The version in the name of an AppImage's file; null for other files. */
export function versionInName(path: string): string | null {
  const file = posix.basename(path);
  if (!ENDING.test(file)) return null;
  return VERSION.exec(file.replace(ENDING, '').replace(ARCHITECTURE, ''))?.[1] ?? null;
}

function nameOf(file: string): string {
  const bare = file.replace(ENDING, '').replace(ARCHITECTURE, '');
  const at = VERSION.exec(bare)?.index ?? bare.length;
  return bare.slice(0, at).replace(/[-_ .]+$/, '') || file;
}
