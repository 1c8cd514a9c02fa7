// Applications of macOS: bundles by the identifier in their property list. Helpers inside of a bundle are no applications.

import { isFields } from '../mcp/servers.ts';
import type { Discovered, Look, Source } from '../source-contract.ts';
import { readPlist } from './lib/document-formats.ts';

const MACHINE = [
  '/Applications',
  '/System/Applications',
  '/System/Library/Core Services/Applications',
  '/System/Library/CoreServices',
  '/System/Library/CoreServices/Applications',
  '/Library/Apple/System/Library/CoreServices',
  '/Users/Shared/Applications',
];
const HOME = ['Applications', 'Desktop', 'Downloads'];
const DEPTH = 2;
const AT_ONCE = 20;

export const appBundles: Source = {
  name: 'app_bundle',
  platforms: ['darwin'],
  looksAt: ['machine', 'home'],
  watches: () => ({ machine: ['/Applications'], home: ['Applications'] }),
  async *discover(look) {
    let done = 0;
    const seen = new Set<string>();
    for (const folder of look.owner === null ? MACHINE : HOME) {
      for (const path of bundlesIn(look, folder, DEPTH)) {
        if (seen.has(path)) continue;
        seen.add(path);
        if (++done % AT_ONCE === 0) await look.turn();
        const found = await describeBundle(look, path);
        if (found !== null) yield found;
      }
    }
  },
};

/** Bundles in a folder and the folders that group them, never inside of another bundle. */
function bundlesIn(look: Look, folder: string, depth: number): string[] {
  return look.folders(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name.endsWith('.app')) return [path];
    return depth > 1 && !name.includes('.') && look.isRealFolder(path)
      ? bundlesIn(look, path, depth - 1)
      : [];
  });
}

async function describeBundle(look: Look, bundle: string): Promise<Discovered | null> {
  const path = `${bundle}/Contents/Info.plist`;
  if (look.kindOf(path) !== 'file') return null;
  const info = await readPlist(look, path);
  if (!isFields(info)) return null;
  const text = (key: string) =>
    typeof info[key] === 'string' && info[key] !== '' ? info[key] : null;
  const id = text('CFBundleIdentifier');
  if (id === null) {
    look.note(path, 'no bundle identifier');
    return null;
  }
  const program = text('CFBundleExecutable');
  const executable =
    program === null || /[\\/]|^\.\.?$/.test(program)
      ? null
      : look.executable(`${bundle}/Contents/MacOS/${program}`);
  const folderName = bundle.slice(bundle.lastIndexOf('/') + 1, -'.app'.length);
  return {
    kind: 'application',
    key: id,
    name: text('CFBundleDisplayName') ?? text('CFBundleName') ?? folderName,
    version: text('CFBundleShortVersionString') ?? text('CFBundleVersion'),
    path: look.shown(bundle),
    executables: executable === null ? [] : [executable],
    installedAt: look.changedAt(bundle),
    details: { bundle_id: id },
  };
}
