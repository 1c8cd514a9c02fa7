// npm packages that somebody installed for the whole machine or for all of a person's projects.
import { posix } from 'node:path';
import { placesOf } from '../clients/path-tokens.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';
import { findSystemManifests, packagesStamp } from './lib/system-manifests.ts';
import { NODE_MANAGERS, versionFolders } from './lib/version-managers.ts';

/** Global packages of a manager: `modules` are the folders that contain `node_modules`. */
interface GlobalPackages {
  /** Null: there may be folders without packages. */
  root: string | null;
  modules: readonly string[];
}

const free = (...modules: string[]): GlobalPackages => ({ root: null, modules });
/** Root that only this manager creates: a root with folders and no packages has an unknown layout. */
const below = (root: string, ...patterns: string[]): GlobalPackages => ({
  root,
  modules: patterns.map((pattern) => (pattern === '' ? root : `${root}/${pattern}`)),
});

/** pnpm 11 has a folder for each set of packages, earlier versions a folder for each layout version. */
const pnpm = (home: string) => below(`${home}/global`, '*', '*/*');

const MACHINE: readonly GlobalPackages[] = [
  free(
    '/usr/local/lib',
    '/opt/homebrew/lib',
    '/home/linuxbrew/.linuxbrew/lib',
    '/usr/lib',
    '/opt/nodejs/lib',
  ),
  below('/usr/local/share/.config/yarn/global', ''),
  pnpm('/usr/local/share/pnpm'),
];
const MACHINE_WINDOWS: readonly GlobalPackages[] = [free('{PF}/nodejs')];
const HOME: readonly GlobalPackages[] = [
  below('.npm-global/lib', ''),
  below('.npm-packages/lib', ''),
  free('.local/lib', '{XD}/npm/lib', 'n/lib', '.n/lib', '.nodebrew/current/lib'),
  free('.volta/tools/image/packages/*/lib', '.volta/tools/image/packages/@*/*/lib'),
  // asdf and mise install packages for a version of Node, or as tools by themselves.
  free('.asdf/installs/nodejs/*/.npm/lib', '{XD}/mise/installs/npm-*/*/lib'),
  below('.bun/install/global', ''),
  below('.cache/.bun/install/global', ''),
  pnpm('{XD}/pnpm'),
  pnpm('Library/pnpm'),
  pnpm('.pnpm'),
  below('.config/yarn/global', ''),
  below('.yarn/global', ''),
];
const HOME_WINDOWS: readonly GlobalPackages[] = [
  below('{A}/npm', ''),
  free('{L}/Volta/tools/image/packages/*', '{L}/Volta/tools/image/packages/@*/*'),
  below('.bun/install/global', ''),
  pnpm('{L}/pnpm'),
  below('{L}/Yarn/Data/global', ''),
];
const MAX_BYTES = 1024 * 1024;
const MAX_NPMRC = 64 * 1024;
const AT_ONCE = 25;
const MAX_COMMANDS = 64;

export const npm: Source = {
  name: 'npm',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  stamp: (fs) =>
    fs.platform === 'linux'
      ? packagesStamp(
          fs,
          placesIn(fs)
            .flatMap(({ modules }) => modules)
            .flatMap((folder) => [folder, ...fs.expand(`${folder}/@*`)]),
        )
      : null,
  async *discover(fs) {
    let done = 0;
    const seen = new Set<string>();
    const isOfSystem = await findSystemManifests(fs);
    for (const place of placesIn(fs)) {
      let isEmpty = true;
      for (const path of manifestsIn(fs, place.modules)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        isEmpty = false;
        // A package manager may link to a package twice.
        const real = fs.realFile(path, MAX_BYTES);
        // Homebrew links what a formula brings into its prefix; its own source reports the formula.
        const isOwned = isOfSystem(path) || (fs.owner === null && real?.includes('/Cellar/'));
        if (real === null || seen.has(real) || isOwned) continue;
        seen.add(real);
        const found = await describePackage(fs, path);
        if (found !== null) yield found;
      }
      if (isEmpty && place.root !== null) reportUnknownLayout(fs, place.root);
    }
  },
};

/** The places of this look, with tokens and patterns resolved. */
function placesIn(fs: ScopedFs): GlobalPackages[] {
  const isWindows = fs.platform === 'win32';
  const ofMachine = fs.owner === null;
  const rows = ofMachine
    ? isWindows
      ? MACHINE_WINDOWS
      : MACHINE
    : isWindows
      ? HOME_WINDOWS
      : [...HOME, ...ownPrefix(fs)];
  const versions = NODE_MANAGERS.flatMap((manager) =>
    versionFolders(manager, { isWindows, ofMachine }),
  ).map((path) => free(isWindows ? path : `${path}/lib`));
  return [...rows, ...versions].flatMap(({ root, modules }) => {
    const roots = root === null ? [] : placesOf(fs.platform, root);
    const places = modules
      .flatMap((path) => placesOf(fs.platform, path))
      .flatMap((path) => fs.expand(`${path}/node_modules`))
      // pnpm's own store, in which every dependency is.
      .filter((path) => !/\/\.[^/]+\/node_modules$/.test(path));
    return [{ root: roots[0] ?? null, modules: places }];
  });
}

/** The prefix that a person gave npm in their own settings; nothing else of these is looked at. */
function ownPrefix(fs: ScopedFs): GlobalPackages[] {
  const text = fs.kindOf('.npmrc') === 'file' ? (fs.text('.npmrc', MAX_NPMRC) ?? '') : '';
  const written = /^[ \t]*prefix[ \t]*=[ \t]*["']?([^"'\r\n]{1,1024})/m.exec(text)?.[1]?.trim();
  if (written === undefined) return [];
  const inHome = /^(?:~|\$\{?HOME\}?)\/(.+)$/.exec(written)?.[1] ?? fs.locate(written);
  const isPlain = inHome !== null && inHome !== '.' && !/[*]|(^|\/)\.\.(\/|$)/.test(inHome);
  return isPlain ? [free(`${inHome.replace(/\/+$/, '')}/lib`)] : [];
}

function manifestsIn(fs: ScopedFs, modules: readonly string[]): string[] {
  return modules.flatMap((folder) =>
    ['*', '@*/*'].flatMap((pattern) => fs.expand(`${folder}/${pattern}/package.json`)),
  );
}

/** A root with folders in which no package was found: a layout that this agent does not know. */
function reportUnknownLayout(fs: ScopedFs, root: string): void {
  const isVisible = (name: string) => !name.startsWith('.');
  const first = fs.kindOf(root) === 'folder' ? fs.folders(root).filter(isVisible) : [];
  const second = first.flatMap((name) =>
    fs
      .folders(`${root}/${name}`)
      .filter(isVisible)
      .map((below) => `${root}/${name}/${below}`),
  );
  const hasOtherFiles = second.some(
    (path) => !path.endsWith('/node_modules') || fs.folders(path).some(isVisible),
  );
  if (hasOtherFiles) fs.reportError(root, 'unparsed', 'folders, but no packages in a known layout');
  else if (first.length > 0) fs.reportNotice(root, 'folders, but no packages');
}

async function describePackage(fs: ScopedFs, path: string): Promise<Discovered | null> {
  const manifest = await readJson(fs, path, MAX_BYTES);
  if (!isFields(manifest) || typeof manifest.name !== 'string' || manifest.name === '') return null;
  const folder = path.slice(0, -'/package.json'.length);
  const author = isFields(manifest.author) ? manifest.author.name : manifest.author;
  return {
    kind: 'package',
    key: manifest.name.toLowerCase(),
    name: manifest.name,
    version: typeof manifest.version === 'string' ? manifest.version : null,
    publisher: typeof author === 'string' ? author.replace(/\s*[<(].*/, '') || null : null,
    path: fs.toMachinePath(folder),
    executables: programsOf(fs, folder, manifest.bin),
    installedAt: fs.changedAt(path),
  };
}

/** The files that its commands are. They lie in the package: what leads out of it is somebody else's program. */
function programsOf(fs: ScopedFs, folder: string, bin: unknown): string[] {
  const files = (isFields(bin) ? Object.values(bin) : [bin]).slice(0, MAX_COMMANDS);
  const programs = files.flatMap((file) => {
    if (typeof file !== 'string' || file.includes('\0')) return [];
    return fs.executable(posix.join(folder, posix.join('/', file))) ?? [];
  });
  return [...new Set(programs)].filter(
    (real) =>
      /[\\/]node_modules[\\/]/.test(real) && (fs.owner === null || fs.locate(real) !== null),
  );
}
