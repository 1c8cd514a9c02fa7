// npm packages that somebody installed for the whole machine or for all of a person's projects.
import { posix } from 'node:path';
import { readJson } from '../formats.ts';
import { isFields } from '../mcp/servers.ts';
import { placesOf } from '../places.ts';
import type { Discovered, Look, Source } from '../source.ts';

const MACHINE = [
  '/usr/local/lib',
  '/opt/homebrew/lib',
  '/home/linuxbrew/.linuxbrew/lib',
  '/usr/lib',
  '/opt/nodejs/lib',
];
const MACHINE_WINDOWS = ['{PF}/nodejs'];
const HOME = [
  '.npm-global/lib',
  '.npm-packages/lib',
  '.local/lib',
  '.nvm/versions/node/*/lib',
  '{XC}/nvm/versions/node/*/lib',
  '.nodenv/versions/*/lib',
  'n/lib',
  '.asdf/installs/nodejs/*/lib',
  '{XD}/fnm/node-versions/*/installation/lib',
  '{AS}/fnm/node-versions/*/installation/lib',
  '.fnm/node-versions/*/installation/lib',
  '{XD}/mise/installs/node/*/lib',
  '.volta/tools/image/node/*/lib',
  '.volta/tools/image/packages/*/lib',
  '.volta/tools/image/packages/@*/*/lib',
  '.bun/install/global',
  '{XD}/pnpm/global/*',
  'Library/pnpm/global/*',
  '.config/yarn/global',
];
const HOME_WINDOWS = [
  '{A}/npm',
  '{L}/nvm/*',
  '{A}/nvm/*',
  '{A}/fnm/node-versions/*/installation',
  '{L}/Volta/tools/image/node/*',
  '{L}/Volta/tools/image/packages/*',
  '{L}/Volta/tools/image/packages/@*/*',
  '.bun/install/global',
  '{L}/pnpm/global/*',
  '{L}/Yarn/Data/global',
];
const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 25;
const MAX_COMMANDS = 64;

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
  const folder = path.slice(0, -'/package.json'.length);
  const author = isFields(manifest.author) ? manifest.author.name : manifest.author;
  return {
    kind: 'package',
    key: manifest.name.toLowerCase(),
    name: manifest.name,
    version: typeof manifest.version === 'string' ? manifest.version : null,
    publisher: typeof author === 'string' ? author.replace(/\s*[<(].*/, '') || null : null,
    path: look.shown(folder),
    executables: programsOf(look, folder, manifest.bin),
    installedAt: look.changedAt(path),
  };
}

/** The files that its commands are. They lie in the package: what leads out of it is somebody else's program. */
function programsOf(look: Look, folder: string, bin: unknown): string[] {
  const files = (isFields(bin) ? Object.values(bin) : [bin]).slice(0, MAX_COMMANDS);
  const programs = files.flatMap((file) => {
    if (typeof file !== 'string' || file.includes('\0')) return [];
    return look.executable(posix.join(folder, posix.join('/', file))) ?? [];
  });
  return [...new Set(programs)].filter(
    (real) =>
      /[\\/]node_modules[\\/]/.test(real) && (look.owner === null || look.locate(real) !== null),
  );
}
