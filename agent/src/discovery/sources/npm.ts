// npm packages that somebody installed for the whole machine or for all of a person's projects.
import { readJson } from '../formats.ts';
import { isFields } from '../mcp/servers.ts';
import { placesOf } from '../places.ts';
import type { Discovered, Look, Source } from '../source.ts';

const MACHINE = ['/usr/local/lib', '/opt/homebrew/lib', '/usr/lib', '/opt/nodejs/lib'];
const MACHINE_WINDOWS = ['{PF}/nodejs'];
const HOME = [
  '.npm-global/lib',
  '.npm-packages/lib',
  '.local/lib',
  '.nvm/versions/node/*/lib',
  '.asdf/installs/nodejs/*/lib',
  '{XD}/fnm/node-versions/*/installation/lib',
  '{AS}/fnm/node-versions/*/installation/lib',
  '{XD}/mise/installs/node/*/lib',
  '.volta/tools/image/node/*/lib',
  '.volta/tools/image/packages/*/lib',
  '.bun/install/global',
];
const HOME_WINDOWS = ['{A}/npm', '{L}/nvm/*', '{A}/nvm/*', '{L}/Volta/tools/image/node/*'];
const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 25;

export const npm: Source = {
  name: 'npm',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['machine', 'home'],
  async *discover(look) {
    let done = 0;
    for (const folder of moduleFolders(look)) {
      for (const pattern of ['*', '@*/*']) {
        for (const path of look.expand(`${folder}/${pattern}/package.json`)) {
          if (++done % AT_ONCE === 0) await look.turn();
          const found = await describePackage(look, path);
          if (found !== null) yield found;
        }
      }
    }
  },
};

function moduleFolders(look: Look): string[] {
  const windows = look.platform === 'win32';
  const libs =
    look.owner === null ? (windows ? MACHINE_WINDOWS : MACHINE) : windows ? HOME_WINDOWS : HOME;
  return libs
    .flatMap((lib) => placesOf(look.platform, lib))
    .flatMap((lib) => look.expand(`${lib}/node_modules`));
}

async function describePackage(look: Look, path: string): Promise<Discovered | null> {
  const manifest = await readJson(look, path, MAX_BYTES);
  if (!isFields(manifest) || typeof manifest.name !== 'string' || manifest.name === '') return null;
  const author = isFields(manifest.author) ? manifest.author.name : manifest.author;
  return {
    kind: 'package',
    key: manifest.name.toLowerCase(),
    name: manifest.name,
    version: typeof manifest.version === 'string' ? manifest.version : null,
    publisher: typeof author === 'string' ? author.replace(/\s*[<(].*/, '') || null : null,
    path: look.shown(path.slice(0, -'/package.json'.length)),
    installedAt: look.changedAt(path),
  };
}
