// Snaps: of each the revision in use, by its own description.

import { isFields } from '../mcp/servers.ts';
import type { Source } from '../source-contract.ts';
import { readYaml } from './lib/document-formats.ts';

const BASES = ['/snap', '/var/lib/snapd/snap'];
const AT_ONCE = 10;

export const snap: Source = {
  name: 'snap',
  platforms: ['linux'],
  looksAt: ['machine'],
  watches: () => ({ machine: BASES, home: [] }),
  async *discover(look) {
    let done = 0;
    // Fedora and Arch keep them elsewhere, with `/snap` as a link or without it.
    const base = BASES.find((folder) => look.kindOf(folder) === 'folder');
    const found = base === undefined ? [] : look.expand(`${base}/*/current/meta/snap.yaml`);
    for (const path of found) {
      if (++done % AT_ONCE === 0) await look.turn();
      const meta = await readYaml(look, path);
      if (!isFields(meta) || typeof meta.name !== 'string') continue;
      yield {
        kind: 'application',
        key: meta.name,
        name: typeof meta.title === 'string' ? meta.title : meta.name,
        version: meta.version === undefined || meta.version === null ? null : String(meta.version),
        path: look.shown(`${base}/${meta.name}`),
        installedAt: look.changedAt(path),
        details: {
          type: typeof meta.type === 'string' ? meta.type : 'app',
          ...(Array.isArray(meta.architectures) ? { architectures: meta.architectures } : {}),
        },
      };
    }
  },
};
