// Applications of macOS: bundles by the identifier in their property list. Helpers inside of a bundle are no applications.

import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
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
  scopes: ['machine', 'home'],
  watches: () => ({ machine: ['/Applications'], home: ['Applications'] }),
  async *discover(fs) {
    let done = 0;
    const seen = new Set<string>();
    for (const folder of fs.owner === null ? MACHINE : HOME) {
      for (const path of bundlesIn(fs, folder, DEPTH)) {
        if (seen.has(path)) continue;
        seen.add(path);
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const found = await describeBundle(fs, path);
        if (found !== null) yield found;
      }
    }
  },
};

/** Bundles in a folder and the folders that group them, never inside of another bundle. */
function bundlesIn(fs: ScopedFs, folder: string, depth: number): string[] {
  return fs.folders(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name.endsWith('.app')) return [path];
    return depth > 1 && !name.includes('.') && fs.isRealFolder(path)
      ? bundlesIn(fs, path, depth - 1)
      : [];
  });
}

async function describeBundle(fs: ScopedFs, bundle: string): Promise<Discovered | null> {
  const path = `${bundle}/Contents/Info.plist`;
  if (fs.kindOf(path) !== 'file') return null;
  const info = await readPlist(fs, path);
  if (!isFields(info)) return null;
  const text = (key: string) =>
    typeof info[key] === 'string' && info[key] !== '' ? info[key] : null;
  const id = text('CFBundleIdentifier');
  if (id === null) {
    fs.reportNotice(path, 'no bundle identifier');
    return null;
  }
  const program = text('CFBundleExecutable');
  const executable =
    program === null || /[\\/]|^\.\.?$/.test(program)
      ? null
      : fs.executable(`${bundle}/Contents/MacOS/${program}`);
  const folderName = bundle.slice(bundle.lastIndexOf('/') + 1, -'.app'.length);
  return {
    kind: 'application',
    key: id,
    name: text('CFBundleDisplayName') ?? text('CFBundleName') ?? folderName,
    version: text('CFBundleShortVersionString') ?? text('CFBundleVersion'),
    path: fs.toMachinePath(bundle),
    executables: executable === null ? [] : [executable],
    installedAt: fs.changedAt(bundle),
    details: { bundle_id: id },
  };
}
