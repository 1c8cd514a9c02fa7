// Extensions of Firefox and its relatives: profiles by profiles.ini or by their folders, extensions by extensions.json.
import { join } from 'node:path/posix';
import { GECKO } from '../clients/browsers.ts';
import { placesOf } from '../clients/path-tokens.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 20;

export const GECKO_BROWSERS: readonly Source[] = Object.entries(GECKO).map(([name, places]) => ({
  name,
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['home'],
  readsBrowserProfiles: true,
  async *discover(fs) {
    let done = 0;
    const bases = places
      .flatMap((place) => placesOf(fs.platform, place))
      .filter((base) => fs.kindOf(base) === 'folder');
    for (const profile of bases.flatMap((base) => profilesIn(fs, base))) {
      for (const addon of await readAddons(fs, profile)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const described = describeAddon(fs, profile, addon);
        if (described !== null) yield described;
      }
    }
  },
}));

async function readAddons(fs: ScopedFs, profile: string): Promise<Record<string, unknown>[]> {
  const document = await readJson(fs, `${profile}/extensions.json`, MAX_BYTES);
  return isFields(document) && Array.isArray(document.addons)
    ? document.addons.filter(isFields)
    : [];
}

function profilesIn(fs: ScopedFs, base: string): string[] {
  const named: string[] = [];
  const text = fs.text(`${base}/profiles.ini`, 256 * 1024) ?? '';
  for (const section of text.split(/^\[/m)) {
    const path = /^Path=(.+)$/m.exec(section)?.[1]?.trim();
    if (path === undefined) continue;
    const relative = !/^IsRelative=0\s*$/m.test(section);
    // A profile elsewhere counts where it is in this home.
    const inside = relative ? join(base, path) : fs.locate(path);
    if (inside === null || inside.startsWith('..'))
      fs.reportNotice(`${base}/profiles.ini`, 'a profile outside of the home');
    else named.push(inside);
  }
  const folders = [base, `${base}/Profiles`].flatMap((folder) =>
    fs.kindOf(folder) === 'folder' ? fs.folders(folder).map((name) => `${folder}/${name}`) : [],
  );
  return [...new Set([...named, ...folders])].filter((folder) =>
    fs.has(`${folder}/extensions.json`),
  );
}

function describeAddon(
  fs: ScopedFs,
  profile: string,
  addon: Record<string, unknown>,
): Discovered | null {
  const { id, type, location } = addon;
  if (typeof id !== 'string' || id === '' || /[/\\]|\.\./.test(id)) return null;
  // Built-in extensions of the browser are elsewhere.
  if (type !== 'extension' || (location !== undefined && location !== 'app-profile')) return null;
  const locale = isFields(addon.defaultLocale) ? addon.defaultLocale : {};
  const permissions = isFields(addon.userPermissions) ? addon.userPermissions : {};
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
  return {
    kind: 'browser_extension',
    key: id,
    name: typeof locale.name === 'string' && locale.name !== '' ? locale.name : id,
    version: typeof addon.version === 'string' ? addon.version : null,
    publisher: typeof locale.creator === 'string' ? locale.creator : null,
    path: fs.toMachinePath(`${profile}/extensions/${id}.xpi`),
    permissions: [...texts(permissions.permissions), ...texts(permissions.origins)],
    installedAt: timeOf(addon.installDate),
    details: {
      extension_id: id,
      ...(addon.active === false ? { disabled: true } : {}),
      ...(addon.foreignInstall === true ? { foreign_install: true } : {}),
      ...(typeof addon.signedState === 'number' ? { signed_state: addon.signedState } : {}),
    },
  };
}

function timeOf(value: unknown): string | null {
  return typeof value === 'number' && value > 0 && value < 4e12
    ? new Date(value).toISOString()
    : null;
}
