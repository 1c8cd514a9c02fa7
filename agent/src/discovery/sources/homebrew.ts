// Homebrew: formulas by their folders in the Cellar, casks by what their metadata keeps.
import { compareVersions } from '@gatewarden/shared/names.ts';
import type { Look, Source } from '../source-contract.ts';

const PREFIXES = ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'];
const AT_ONCE = 50;

export const homebrew: Source = {
  name: 'homebrew',
  platforms: ['darwin', 'linux'],
  looksAt: ['machine'],
  watches: () => ({
    machine: PREFIXES.flatMap((prefix) => [`${prefix}/Cellar`, `${prefix}/Caskroom`]),
    home: [],
  }),
  async *discover(look) {
    let done = 0;
    for (const prefix of PREFIXES) {
      for (const formula of look.folders(`${prefix}/Cellar`)) {
        if (++done % AT_ONCE === 0) await look.turn();
        const folder = `${prefix}/Cellar/${formula}`;
        const version = newest(look.folders(folder).filter((name) => !name.startsWith('.')));
        if (version === null) continue;
        yield {
          kind: 'package',
          key: `formula:${formula}`,
          name: formula,
          version,
          path: look.shown(folder),
          executables: programsOf(look, `${folder}/${version}/bin`),
          installedAt: look.changedAt(`${folder}/${version}`),
        };
      }
      for (const cask of look.folders(`${prefix}/Caskroom`)) {
        if (++done % AT_ONCE === 0) await look.turn();
        const folder = `${prefix}/Caskroom/${cask}`;
        const version = newest(
          look.folders(`${folder}/.metadata`).filter((name) => name !== 'config'),
        );
        yield {
          kind: 'application',
          key: `cask:${cask}`,
          name: cask,
          version: version ?? newest(look.folders(folder).filter((name) => !name.startsWith('.'))),
          path: look.shown(folder),
          installedAt: look.changedAt(folder),
        };
      }
    }
  },
};

function newest(versions: readonly string[]): string | null {
  return versions.toSorted(compareVersions).at(-1) ?? null;
}

function programsOf(look: Look, folder: string): string[] {
  if (look.kindOf(folder) !== 'folder') return [];
  return look.names(folder).flatMap((name) => look.executable(`${folder}/${name}`) ?? []);
}
