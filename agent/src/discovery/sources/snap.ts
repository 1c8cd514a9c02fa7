// Snaps: of each the revision in use, by its own description.

import { isFields } from '../mcp/servers.ts';
import type { Source } from '../source-contract.ts';
import { readYaml } from './lib/document-formats.ts';

const BASES = ['/snap', '/var/lib/snapd/snap'];
const AT_ONCE = 10;

export const snap: Source = {
  name: 'snap',
  platforms: ['linux'],
  scopes: ['machine'],
  watches: () => ({ machine: BASES, home: [] }),
  async *discover(fs) {
    let done = 0;
    // Fedora and Arch keep them elsewhere, with `/snap` as a link or without it.
    const base = BASES.find((folder) => fs.kindOf(folder) === 'folder');
    const found = base === undefined ? [] : fs.expand(`${base}/*/current/meta/snap.yaml`);
    for (const path of found) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const meta = await readYaml(fs, path);
      if (!isFields(meta) || typeof meta.name !== 'string') continue;
      yield {
        kind: 'application',
        key: meta.name,
        name: typeof meta.title === 'string' ? meta.title : meta.name,
        version: meta.version === undefined || meta.version === null ? null : String(meta.version),
        path: fs.toMachinePath(`${base}/${meta.name}`),
        installedAt: fs.changedAt(path),
        details: {
          type: typeof meta.type === 'string' ? meta.type : 'app',
          ...(Array.isArray(meta.architectures) ? { architectures: meta.architectures } : {}),
        },
      };
    }
  },
};
