// Python packages of the machine, of a person, and of the environments that pipx, uv, pyenv and conda make.

import { dirname } from 'node:path/posix';
import { placesOf } from '../clients/path-tokens.ts';
import { normalisePython } from '../mcp/packages.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { findSystemManifests, packagesStamp } from './lib/system-manifests.ts';
import { PYTHON_MANAGERS, versionFolders } from './lib/version-managers.ts';

const UNIX = ['lib/python*/site-packages', 'lib/python*/dist-packages'];
const MACHINE = [
  ...[
    '/usr',
    '/usr/local',
    '/opt/homebrew',
    '/home/linuxbrew/.linuxbrew',
    '/Library/Frameworks/Python.framework/Versions/*',
  ].flatMap((prefix) => UNIX.map((rest) => `${prefix}/${rest}`)),
  // Debian's Python packages have no version in their path.
  '/usr/lib/python3/dist-packages',
  '/Library/Python/*/site-packages',
];
/** Environments that no version manager made. */
const ENVIRONMENTS = [
  '.local',
  '{XD}/pipx/venvs/*',
  '.local/pipx/venvs/*',
  '{XD}/uv/tools/*',
  'Library/Python/*',
  '{AS}/pipx/venvs/*',
  '{XD}/virtualenvs/*',
  '.virtualenvs/*',
  '.pyenv/versions/*/envs/*',
];
const HOME_WINDOWS = [
  '{L}/Programs/Python/*/Lib/site-packages',
  '{A}/Python/*/site-packages',
  'pipx/venvs/*/Lib/site-packages',
  '{A}/uv/tools/*/Lib/site-packages',
  // Path of a Python from Windows' store.
  '{L}/Packages/PythonSoftwareFoundation.Python.*/LocalCache/local-packages/*/site-packages',
];
const INSTALLS = 'HKLM\\SOFTWARE\\Python\\PythonCore';
/** The headers come first; a description may be long. */
const MAX_BYTES = 2 * 1024 * 1024;
const AT_ONCE = 25;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_COMMANDS = 64;
/** A row of the list of a package's files, from its folder to a command, begins so. */
const COMMAND = Buffer.from('../../../bin/');
const LINE_END = 0x0a;

export const python: Source = {
  name: 'python',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  stamp: (fs) =>
    fs.platform === 'linux'
      ? packagesStamp(
          fs,
          machineFolders().flatMap((pattern) => fs.expand(pattern)),
        )
      : null,
  async *discover(fs) {
    let done = 0;
    const isOfSystem = await findSystemManifests(fs);
    const folders = (await packageFolders(fs)).flatMap((pattern) => fs.expand(pattern));
    for (const folder of new Set(folders)) {
      for (const path of metadataFiles(fs, folder)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        // An egg may be a file itself.
        const manifest = fs.kindOf(path) === 'file' ? path : dirname(path);
        const isOwned = isOfSystem(manifest) || isOfHomebrew(fs, manifest);
        const found = isOwned ? null : describePackage(fs, manifest);
        if (found !== null) yield found;
      }
    }
  },
};

/** Homebrew links what a formula brings into its prefix: its own source reports the formula. */
function isOfHomebrew(fs: ScopedFs, manifest: string): boolean {
  if (fs.owner !== null || !/^\/(opt\/homebrew|home\/linuxbrew|usr\/local)\//.test(manifest)) {
    return false;
  }
  return fs.realFile(manifest, MAX_BYTES)?.includes('/Cellar/') === true;
}

function metadataFiles(fs: ScopedFs, folder: string): string[] {
  return fs.names(folder).flatMap((name) => {
    if (name.endsWith('.dist-info')) return `${folder}/${name}/METADATA`;
    return name.endsWith('.egg-info') ? `${folder}/${name}/PKG-INFO` : [];
  });
}

/** The environments of version managers, on systems like Unix or on Windows, of the machine or of a home. */
function managedFolders(isWindows: boolean, ofMachine: boolean): string[] {
  const prefixes = PYTHON_MANAGERS.flatMap((manager) =>
    versionFolders(manager, { isWindows, ofMachine }),
  );
  return isWindows ? prefixes.map((prefix) => `${prefix}/Lib/site-packages`) : inEach(prefixes);
}

const inEach = (prefixes: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => UNIX.map((rest) => `${prefix}/${rest}`));

const machineFolders = (): string[] => [...MACHINE, ...managedFolders(false, true)];

async function packageFolders(fs: ScopedFs): Promise<string[]> {
  const isWindows = fs.platform === 'win32';
  if (fs.owner !== null) {
    const own = isWindows ? HOME_WINDOWS : inEach(ENVIRONMENTS);
    return [...own, ...managedFolders(isWindows, false)].flatMap((path) =>
      placesOf(fs.platform, path),
    );
  }
  if (!isWindows) return machineFolders();
  const keys = fs.registry(INSTALLS);
  return keys.flatMap(({ path, values }) => {
    const folder = values.get('');
    if (!/\\InstallPath$/i.test(path) || typeof folder !== 'string') return [];
    const inside = fs.locate(folder);
    return inside === null ? [] : [`${inside.replace(/\/+$/, '')}/Lib/site-packages`];
  });
}

function describePackage(fs: ScopedFs, path: string): Discovered | null {
  if (fs.kindOf(path) !== 'file') return null;
  const bytes = fs.bytes(path, MAX_BYTES);
  if (bytes === null) return null;
  const headers = headOf(bytes);
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(headers)?.[1]?.trim() || null;
  const name = field('Name');
  if (name === null) {
    fs.reportError(path, 'unparsed', 'no name');
    return null;
  }
  const folder = path.replace(/\/(METADATA|PKG-INFO)$/, '');
  return {
    kind: 'package',
    key: normalisePython(name),
    name,
    version: field('Version'),
    publisher: field('Author') ?? field('Maintainer'),
    path: fs.toMachinePath(folder),
    executables: folder.endsWith('.dist-info') ? programsOf(fs, folder) : [],
    installedAt: fs.changedAt(path),
  };
}

/** Commands are installed beside the packages, in the environment's own `bin`; only the list of its files names them. */
function programsOf(fs: ScopedFs, folder: string): string[] {
  const environment = /^(?:(.*)\/)?lib\/python[^/]+\/(?:site|dist)-packages\/[^/]+$/.exec(folder);
  // Packages of the system there are reported by their own source.
  if (environment === null || environment[1] === '/usr') return [];
  const names = commandsIn(fs.bytes(`${folder}/RECORD`, MAX_LIST_BYTES) ?? Buffer.alloc(0));
  const bin = environment[1] === undefined ? 'bin' : `${environment[1]}/bin`;
  const programs = names.flatMap((name) => fs.executable(`${bin}/${name}`) ?? []);
  return [...new Set(programs)].filter((real) => fs.owner === null || fs.locate(real) !== null);
}

/** The commands that a list of files names. It is searched as bytes: few of its rows are wanted. */
function commandsIn(list: Buffer): string[] {
  const names: string[] = [];
  for (let at = list.indexOf(COMMAND); at >= 0; at = list.indexOf(COMMAND, at + 1)) {
    if (names.length === MAX_COMMANDS) break;
    if (at > 0 && list[at - 1] !== LINE_END) continue;
    const rest = list.toString('utf8', at + COMMAND.length, at + COMMAND.length + 129);
    const name = /^([\w.-]{1,128}),/.exec(rest)?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** The text before the first empty line. */
function headOf(bytes: Buffer): string {
  const ends = ['\n\n', '\n\r\n'].map((end) => bytes.indexOf(end)).filter((at) => at >= 0);
  return bytes.toString('utf8', 0, ends.length === 0 ? bytes.length : Math.min(...ends));
}
