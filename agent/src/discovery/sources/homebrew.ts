// Homebrew: formulas by their folders in the Cellar, casks by what their metadata keeps.
import { compareVersions } from '@gatewarden/shared/names.ts';
import type { ScopedFs, Source } from '../source-contract.ts';

const PREFIXES = ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'];
const AT_ONCE = 50;

export const homebrew: Source = {
  name: 'homebrew',
  platforms: ['darwin', 'linux'],
  scopes: ['machine'],
  watches: () => ({
    machine: PREFIXES.flatMap((prefix) => [`${prefix}/Cellar`, `${prefix}/Caskroom`]),
    home: [],
  }),
  async *discover(fs) {
    let done = 0;
    for (const prefix of PREFIXES) {
      for (const formula of fs.folders(`${prefix}/Cellar`)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const folder = `${prefix}/Cellar/${formula}`;
        const version = newest(fs.folders(folder).filter((name) => !name.startsWith('.')));
        if (version === null) continue;
        yield {
          kind: 'package',
          key: `formula:${formula}`,
          name: formula,
          version,
          path: fs.toMachinePath(folder),
          executables: programsOf(fs, `${folder}/${version}/bin`),
          installedAt: fs.changedAt(`${folder}/${version}`),
        };
      }
      for (const cask of fs.folders(`${prefix}/Caskroom`)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const folder = `${prefix}/Caskroom/${cask}`;
        const version = newest(
          fs.folders(`${folder}/.metadata`).filter((name) => name !== 'config'),
        );
        yield {
          kind: 'application',
          key: `cask:${cask}`,
          name: cask,
          version: version ?? newest(fs.folders(folder).filter((name) => !name.startsWith('.'))),
          path: fs.toMachinePath(folder),
          installedAt: fs.changedAt(folder),
        };
      }
    }
  },
};

function newest(versions: readonly string[]): string | null {
  return versions.toSorted(compareVersions).at(-1) ?? null;
}

function programsOf(fs: ScopedFs, folder: string): string[] {
  if (fs.kindOf(folder) !== 'folder') return [];
  return fs.names(folder).flatMap((name) => fs.executable(`${folder}/${name}`) ?? []);
}
