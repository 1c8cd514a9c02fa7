// Extensions of Zed: a TOML description each.

import { placesOf } from '../clients/path-tokens.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readToml } from './lib/document-formats.ts';

const PLACES = ['{XD}/zed', '.var/app/dev.zed.Zed/data/zed', '{AS}/Zed', '{L}/Zed'];
const AT_ONCE = 10;

export const zed: Source = {
  name: 'zed',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['home'],
  async *discover(fs) {
    let done = 0;
    for (const base of PLACES.flatMap((place) => placesOf(fs.platform, place))) {
      for (const path of fs.expand(`${base}/extensions/installed/*/extension.toml`)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const described = describeExtension(fs, path, await readToml(fs, path));
        if (described !== null) yield described;
      }
    }
  },
};

function describeExtension(fs: ScopedFs, path: string, manifest: unknown): Discovered | null {
  if (!isFields(manifest) || typeof manifest.id !== 'string' || manifest.id === '') return null;
  const [author] = Array.isArray(manifest.authors) ? manifest.authors : [];
  return {
    kind: 'ide_extension',
    key: manifest.id,
    name: typeof manifest.name === 'string' ? manifest.name : manifest.id,
    version: typeof manifest.version === 'string' ? manifest.version : null,
    publisher: typeof author === 'string' ? author.replace(/\s*<.*/, '') : null,
    path: fs.toMachinePath(path.slice(0, path.lastIndexOf('/'))),
    details: {
      extension_id: manifest.id,
      ...(isFields(manifest.context_servers) ? { brings_mcp_servers: true } : {}),
    },
  };
}
