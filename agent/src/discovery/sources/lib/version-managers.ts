// Folders in which version managers install Node and Python, with packages and runtimes: a new manager is a new row.

export interface VersionManager {
  name: string;
  /** Folders below a home, or from the root, each of which contains a version. Tokens: see path-tokens.ts. */
  versions: readonly string[];
  /** The folder with `bin` and `lib` below a version; the version's folder itself where it is left out. */
  within?: string;
  /** The same on Windows, where programs are in the version's folder itself. */
  windows?: readonly string[];
}

export const NODE_MANAGERS: readonly VersionManager[] = [
  {
    name: 'nvm',
    versions: [
      '.nvm/versions/node/*',
      '.nvm/versions/io.js/*',
      '{XC}/nvm/versions/node/*',
      '/usr/local/nvm/versions/node/*',
      '/opt/nvm/versions/node/*',
    ],
    windows: ['{L}/nvm/*', '{A}/nvm/*', '/ProgramData/nvm/*'],
  },
  { name: 'nvm.fish', versions: ['{XD}/nvm/*'] },
  {
    name: 'fnm',
    versions: ['{XD}/fnm/node-versions/*', '{AS}/fnm/node-versions/*', '.fnm/node-versions/*'],
    within: 'installation',
    windows: ['{A}/fnm/node-versions/*/installation', '{L}/fnm/node-versions/*/installation'],
  },
  {
    name: 'volta',
    versions: ['.volta/tools/image/node/*'],
    windows: ['{L}/Volta/tools/image/node/*'],
  },
  {
    name: 'n',
    versions: [
      'n/n/versions/node/*',
      '.n/n/versions/node/*',
      'n/versions/node/*',
      '.n/versions/node/*',
      '/usr/local/n/versions/node/*',
    ],
  },
  { name: 'nodenv', versions: ['.nodenv/versions/*', '.anyenv/envs/nodenv/versions/*'] },
  { name: 'nodebrew', versions: ['.nodebrew/node/*'] },
  { name: 'nvs', versions: ['.nvs/node/*/*'], windows: ['{L}/nvs/node/*/*'] },
  { name: 'asdf', versions: ['.asdf/installs/nodejs/*', '{XD}/asdf/installs/nodejs/*'] },
  {
    name: 'mise',
    versions: ['{XD}/mise/installs/node/*', '{XD}/rtx/installs/node/*'],
    windows: ['{L}/mise/installs/node/*'],
  },
  { name: 'proto', versions: ['.proto/tools/node/*'], windows: ['.proto/tools/node/*'] },
  { name: 'vfox', versions: ['.version-fox/cache/nodejs/*/*', '.vfox/cache/nodejs/*/*'] },
  {
    name: 'pnpm',
    versions: ['{XD}/pnpm/nodejs/*', 'Library/pnpm/nodejs/*'],
    windows: ['{L}/pnpm/nodejs/*'],
  },
];

const CONDAS = [
  'miniforge3',
  'mambaforge',
  'miniconda3',
  'anaconda3',
  'micromamba',
  'opt/miniconda3',
  'opt/anaconda3',
];
const MACHINE_CONDAS = ['conda', 'miniforge3', 'mambaforge', 'miniconda3', 'anaconda3'];

export const PYTHON_MANAGERS: readonly VersionManager[] = [
  {
    name: 'pyenv',
    versions: [
      '.pyenv/versions/*',
      '{XD}/pyenv/versions/*',
      '.anyenv/envs/pyenv/versions/*',
      '/opt/pyenv/versions/*',
    ],
    windows: ['.pyenv/pyenv-win/versions/*'],
  },
  {
    name: 'uv',
    versions: ['{XD}/uv/python/*', '/opt/uv/python/*'],
    windows: ['{A}/uv/python/*', '{A}/uv/data/python/*'],
  },
  {
    name: 'conda',
    versions: [
      ...CONDAS.flatMap((conda) => [conda, `${conda}/envs/*`]),
      '.conda/envs/*',
      '.mamba/envs/*',
      '{XD}/mamba/envs/*',
      ...MACHINE_CONDAS.flatMap((conda) => [`/opt/${conda}`, `/opt/${conda}/envs/*`]),
    ],
    windows: CONDAS.flatMap((conda) => [conda, `${conda}/envs/*`]),
  },
  { name: 'pixi', versions: ['.pixi/envs/*'], windows: ['.pixi/envs/*'] },
  { name: 'asdf', versions: ['.asdf/installs/python/*', '{XD}/asdf/installs/python/*'] },
  {
    name: 'mise',
    versions: ['{XD}/mise/installs/python/*', '{XD}/rtx/installs/python/*'],
    windows: ['{L}/mise/installs/python/*'],
  },
  { name: 'rye', versions: ['.rye/py/*'], windows: ['.rye/py/*'] },
  { name: 'hatch', versions: ['{XD}/hatch/pythons/*/python', '{AS}/hatch/pythons/*/python'] },
  { name: 'pdm', versions: ['{XD}/pdm/python/*', '{AS}/pdm/python/*'] },
  { name: 'poetry', versions: ['{XD}/pypoetry/python/*', '{AS}/pypoetry/python/*'] },
  { name: 'proto', versions: ['.proto/tools/python/*'] },
  { name: 'vfox', versions: ['.version-fox/cache/python/*/*', '.vfox/cache/python/*/*'] },
  { name: 'pythonz', versions: ['.pythonz/pythons/*'] },
];

/** The patterns of a manager's versions for a platform, of the machine (from the root) or of a home. */
export function versionFolders(
  { versions, windows = [], within }: VersionManager,
  { isWindows, ofMachine }: { isWindows: boolean; ofMachine: boolean },
): string[] {
  const all = isWindows
    ? windows
    : versions.map((path) => (within === undefined ? path : `${path}/${within}`));
  return all.filter((path) => path.startsWith('/') === ofMachine);
}
