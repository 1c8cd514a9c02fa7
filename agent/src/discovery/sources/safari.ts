// Extensions of Safari, where macOS lets us read them (Full Disk Access).

import { isFields } from '../mcp/servers.ts';
import type { Source } from '../source-contract.ts';
import { readPlist } from './lib/document-formats.ts';

const BASE = 'Library/Containers/com.apple.Safari/Data/Library/Safari';
const FILES = ['AppExtensions/Extensions.plist', 'WebExtensions/Extensions.plist'];

export const safari: Source = {
  name: 'safari',
  platforms: ['darwin'],
  scopes: ['home'],
  readsBrowserProfiles: true,
  async *discover(fs) {
    for (const file of FILES) {
      const path = `${BASE}/${file}`;
      if (!fs.has(path)) continue;
      const document = await readPlist(fs, path);
      for (const [name, extension] of isFields(document) ? Object.entries(document) : []) {
        if (!isFields(extension)) continue;
        // `com.example.app.extension (TEAMID)`: the identifier is the same everywhere.
        const id = name.replace(/\s*\([A-Z0-9]{10}\)$/, '');
        yield {
          kind: 'browser_extension',
          key: id,
          name: id,
          path: fs.toMachinePath(path),
          details: { extension_id: id, ...(extension.Enabled === false ? { disabled: true } : {}) },
        };
      }
    }
  },
};
