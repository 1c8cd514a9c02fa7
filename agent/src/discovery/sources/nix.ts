// Packages of the Nix store that bring programs; the hash before the name is no part of what they are.
import type { Source } from '../source-contract.ts';

const BASE = '/nix/store';
const AT_ONCE = 200;

export const nix: Source = {
  name: 'nix',
  platforms: ['linux', 'darwin'],
  looksAt: ['machine'],
  async *discover(look) {
    let done = 0;
    for (const folder of look.folders(BASE)) {
      if (++done % AT_ONCE === 0) await look.turn();
      const found = /^[0-9a-z]{32}-(.+?)-(\d[\w.+-]*?)(?:-(?:bin|dev|lib|out|man|doc))?$/.exec(
        folder,
      );
      const [, name, version] = found ?? [];
      if (name === undefined || version === undefined) continue;
      if (look.kindOf(`${BASE}/${folder}/bin`) !== 'folder') continue;
      yield { kind: 'package', key: name, name, version, path: look.shown(`${BASE}/${folder}`) };
    }
  },
};
