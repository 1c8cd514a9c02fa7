// Packages of the Nix store that bring programs; the hash before the name is no part of what they are.
import type { Source } from '../source-contract.ts';

const BASE = '/nix/store';
const AT_ONCE = 200;

export const nix: Source = {
  name: 'nix',
  platforms: ['linux', 'darwin'],
  scopes: ['machine'],
  async *discover(fs) {
    let done = 0;
    for (const folder of fs.folders(BASE)) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const found = /^[0-9a-z]{32}-(.+?)-(\d[\w.+-]*?)(?:-(?:bin|dev|lib|out|man|doc))?$/.exec(
        folder,
      );
      const [, name, version] = found ?? [];
      if (name === undefined || version === undefined) continue;
      if (fs.kindOf(`${BASE}/${folder}/bin`) !== 'folder') continue;
      yield {
        kind: 'package',
        key: name,
        name,
        version,
        path: fs.toMachinePath(`${BASE}/${folder}`),
      };
    }
  },
};
