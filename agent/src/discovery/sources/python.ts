// Python packages of the machine, of a person, and of the environments that pipx, uv, pyenv and conda make.
import { normalisePython } from '../mcp/packages.ts';
import { placesOf } from '../places.ts';
import type { Discovered, Look, Source } from '../source.ts';

const UNIX = ['lib/python*/site-packages', 'lib/python*/dist-packages'];
const CONDAS = ['miniforge3', 'mambaforge', 'miniconda3', 'anaconda3'];
const MACHINE = [
  ...[
    '/usr',
    '/usr/local',
    '/opt/homebrew',
    '/home/linuxbrew/.linuxbrew',
    ...['conda', ...CONDAS].flatMap((conda) => [`/opt/${conda}`, `/opt/${conda}/envs/*`]),
    '/Library/Frameworks/Python.framework/Versions/*',
  ].flatMap((prefix) => UNIX.map((rest) => `${prefix}/${rest}`)),
  // Debian's packages of Python stand without a version.
  '/usr/lib/python3/dist-packages',
  '/Library/Python/*/site-packages',
];
const ENVIRONMENTS = [
  '.local',
  '.pyenv/versions/*',
  '{XD}/pipx/venvs/*',
  '.local/pipx/venvs/*',
  '{XD}/uv/tools/*',
  '.asdf/installs/python/*',
  '{XD}/mise/installs/python/*',
  '{XD}/uv/python/*',
  ...CONDAS.flatMap((conda) => [conda, `${conda}/envs/*`]),
  'micromamba/envs/*',
  'Library/Python/*',
  '{AS}/pipx/venvs/*',
  '.conda/envs/*',
];
const HOME_WINDOWS = [
  '{L}/Programs/Python/*/Lib/site-packages',
  '{A}/Python/*/site-packages',
  'pipx/venvs/*/Lib/site-packages',
  '{A}/uv/tools/*/Lib/site-packages',
  // As Windows installs Python from its store.
  '{L}/Packages/PythonSoftwareFoundation.Python.*/LocalCache/local-packages/*/site-packages',
  '.pyenv/pyenv-win/versions/*/Lib/site-packages',
  ...CONDAS.flatMap((conda) => [`${conda}/Lib/site-packages`, `${conda}/envs/*/Lib/site-packages`]),
];
const INSTALLS = 'HKLM\\SOFTWARE\\Python\\PythonCore';
/** The headers stand first; a description may be long. */
const MAX_BYTES = 2 * 1024 * 1024;
const AT_ONCE = 25;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_COMMANDS = 64;
/** A row of the list of a package's files, from its folder to a command. */
const COMMAND = /^(?:\.\.\/){3}bin\/([\w.-]{1,128}),/gm;

export const python: Source = {
  name: 'python',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['machine', 'home'],
  async *discover(look) {
    let done = 0;
    const seen = new Set<string>();
    for (const folder of (await packageFolders(look)).flatMap((pattern) => look.expand(pattern))) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      for (const name of look.names(folder)) {
        const file = metadataOf(name);
        if (file === null) continue;
        if (++done % AT_ONCE === 0) await look.turn();
        const path = `${folder}/${name}${file}`;
        // An egg may be a file itself.
        const found = describePackage(
          look,
          look.kindOf(path) === 'file' ? path : `${folder}/${name}`,
        );
        if (found !== null) yield found;
      }
    }
  },
};

function metadataOf(name: string): string | null {
  if (name.endsWith('.dist-info')) return '/METADATA';
  return name.endsWith('.egg-info') ? '/PKG-INFO' : null;
}

async function packageFolders(look: Look): Promise<string[]> {
  if (look.owner !== null) {
    const own =
      look.platform === 'win32'
        ? HOME_WINDOWS
        : ENVIRONMENTS.flatMap((prefix) => UNIX.map((rest) => `${prefix}/${rest}`));
    return own.flatMap((path) => placesOf(look.platform, path));
  }
  if (look.platform !== 'win32') return MACHINE;
  const keys = await look.registry(INSTALLS);
  return keys.flatMap(({ path, values }) => {
    const folder = values.get('');
    if (!/\\InstallPath$/i.test(path) || typeof folder !== 'string') return [];
    const inside = look.locate(folder);
    return inside === null ? [] : [`${inside.replace(/\/+$/, '')}/Lib/site-packages`];
  });
}

function describePackage(look: Look, path: string): Discovered | null {
  if (look.kindOf(path) !== 'file') return null;
  const text = look.text(path, MAX_BYTES);
  if (text === null) return null;
  const headers = headOf(text);
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(headers)?.[1]?.trim() || null;
  const name = field('Name');
  if (name === null) {
    look.trouble(path, 'unparsed', 'no name');
    return null;
  }
  const folder = path.replace(/\/(METADATA|PKG-INFO)$/, '');
  return {
    kind: 'package',
    key: normalisePython(name),
    name,
    version: field('Version'),
    publisher: field('Author') ?? field('Maintainer'),
    path: look.shown(folder),
    executables: folder.endsWith('.dist-info') ? programsOf(look, folder) : [],
    installedAt: look.changedAt(path),
  };
}

/** Commands are installed beside the packages, in the environment's own `bin`; only the list of its files names them. */
function programsOf(look: Look, folder: string): string[] {
  const environment = /^(?:(.*)\/)?lib\/python[^/]+\/(?:site|dist)-packages\/[^/]+$/.exec(folder);
  // What stands there belongs to packages of the system, which are known by themselves.
  if (environment === null || environment[1] === '/usr') return [];
  const files = look.text(`${folder}/RECORD`, MAX_LIST_BYTES) ?? '';
  const names = [...files.matchAll(COMMAND)].slice(0, MAX_COMMANDS).map(([, name]) => name ?? '');
  const bin = environment[1] === undefined ? 'bin' : `${environment[1]}/bin`;
  const programs = names.flatMap((name) => look.executable(`${bin}/${name}`) ?? []);
  return [...new Set(programs)].filter((real) => look.owner === null || look.locate(real) !== null);
}

/** What stands before the first empty line. */
function headOf(text: string): string {
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? text : text.slice(0, end.index);
}
