// Extensions of browsers made from Chromium: what stands in a profile's folder joined with what its preferences say.
import { compareVersions } from '@gatewarden/shared/names.ts';
import { readJson } from '../formats.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, Look, Source } from '../source.ts';

interface Browser {
  name: string;
  linux?: readonly string[];
  darwin?: readonly string[];
  win32?: readonly string[];
}

const AS = 'Library/Application Support';
const LOCAL = 'AppData/Local';
const variants = (base: string, endings: readonly string[], rest = '') =>
  ['', ...endings].map((ending) => `${base}${ending}${rest}`);

/** Where each browser keeps its profiles; a new browser is a new row. */
const BROWSERS: readonly Browser[] = [
  {
    name: 'chrome',
    linux: [
      ...variants('.config/google-chrome', ['-beta', '-unstable', '-canary']),
      '.var/app/com.google.Chrome/config/google-chrome',
      '.var/app/com.google.ChromeDev/config/google-chrome-unstable',
    ],
    darwin: variants(`${AS}/Google/Chrome`, [' Beta', ' Dev', ' Canary']),
    win32: variants(`${LOCAL}/Google/Chrome`, [' Beta', ' Dev', ' SxS'], '/User Data'),
  },
  {
    name: 'edge',
    linux: [
      ...variants('.config/microsoft-edge', ['-beta', '-dev', '-canary']),
      '.var/app/com.microsoft.Edge/config/microsoft-edge',
      '.var/app/com.microsoft.EdgeDev/config/microsoft-edge-dev',
    ],
    darwin: variants(`${AS}/Microsoft Edge`, [' Beta', ' Dev', ' Canary']),
    win32: variants(`${LOCAL}/Microsoft/Edge`, [' Beta', ' Dev', ' SxS'], '/User Data'),
  },
  {
    name: 'brave',
    linux: ['.config', '.var/app/com.brave.Browser/config', 'snap/brave/current/.config'].flatMap(
      (base) => variants(`${base}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly']),
    ),
    darwin: variants(`${AS}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly']),
    win32: variants(`${LOCAL}/BraveSoftware/Brave-Browser`, ['-Beta', '-Nightly'], '/User Data'),
  },
  {
    name: 'chromium',
    linux: [
      '.config/chromium',
      'snap/chromium/common/chromium',
      '.var/app/org.chromium.Chromium/config/chromium',
      '.var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium',
    ],
    darwin: [`${AS}/Chromium`],
    win32: [`${LOCAL}/Chromium`, `${LOCAL}/Chromium/User Data`],
  },
  {
    name: 'vivaldi',
    linux: [
      '.config/vivaldi',
      '.config/vivaldi-snapshot',
      '.var/app/com.vivaldi.Vivaldi/config/vivaldi',
    ],
    darwin: [`${AS}/Vivaldi`],
    win32: [`${LOCAL}/Vivaldi/User Data`],
  },
  {
    name: 'opera',
    linux: [
      ...variants('.config/opera', ['-beta', '-developer']),
      '.var/app/com.opera.Opera/config/opera',
      'snap/opera/current/.config/opera',
    ],
    darwin: variants(`${AS}/com.operasoftware.Opera`, ['GX', 'Next', 'Developer']),
    win32: ['AppData/Roaming', LOCAL].flatMap((base) =>
      ['Stable', 'GX Stable', 'Next', 'Developer'].map(
        (edition) => `${base}/Opera Software/Opera ${edition}`,
      ),
    ),
  },
  {
    name: 'arc',
    darwin: [`${AS}/Arc/User Data`],
    win32: [
      `${LOCAL}/Arc/User Data`,
      // As Windows installs it from its store.
      `${LOCAL}/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data`,
    ],
  },
  { name: 'dia', darwin: [`${AS}/Dia/User Data`] },
  {
    name: 'comet',
    linux: ['.config/Perplexity/Comet'],
    darwin: [`${AS}/Comet`, `${AS}/Perplexity/Comet`],
    win32: [`${LOCAL}/Perplexity/Comet/User Data`],
  },
];

const NO_PROFILE = new Set(['System Profile', 'Guest Profile']);
const EXTENSION_ID = /^[a-p]{32}$/;
/** Parts of the browser itself that look like extensions. */
const COMPONENT_LOCATIONS = new Set([5, 10]);
const UNPACKED_LOCATIONS = new Set([4, 8]);
const MAX_PREFERENCES = 32 * 1024 * 1024;
const MAX_MANIFEST = 1024 * 1024;
const AT_ONCE = 20;

export const CHROMIUM_BROWSERS: readonly Source[] = BROWSERS.map((browser) => ({
  name: browser.name,
  platforms: (['linux', 'darwin', 'win32'] as const).filter((one) => browser[one] !== undefined),
  looksAt: ['home'],
  readsBrowserProfiles: true,
  async *discover(look) {
    let done = 0;
    for (const base of browser[look.platform] ?? []) {
      for (const profile of profilesIn(look, base)) {
        for (const [id, settings] of await readSettings(look, profile)) {
          if (++done % AT_ONCE === 0) await look.turn();
          const found = await describeExtension(look, profile, id, settings);
          if (found !== null) yield found;
        }
      }
    }
  },
}));

/** A folder is a profile by what it holds; Opera keeps one in the base itself. */
function profilesIn(look: Look, base: string): string[] {
  if (look.kindOf(base) !== 'folder') return [];
  const folders = look.folders(base).filter((name) => !NO_PROFILE.has(name));
  return [base, ...folders.map((name) => `${base}/${name}`)].filter((folder) =>
    ['Preferences', 'Secure Preferences', 'Extensions'].some((name) =>
      look.has(`${folder}/${name}`),
    ),
  );
}

/** Every extension by id: those with a folder, and those that only the preferences know. */
async function readSettings(
  look: Look,
  profile: string,
): Promise<Map<string, Record<string, unknown>>> {
  const all = new Map<string, Record<string, unknown>>();
  for (const id of look.folders(`${profile}/Extensions`)) {
    if (EXTENSION_ID.test(id)) all.set(id, {});
  }
  for (const name of ['Preferences', 'Secure Preferences']) {
    const document = await readJson(look, `${profile}/${name}`, MAX_PREFERENCES);
    const extensions = isFields(document) ? document.extensions : null;
    const settings = isFields(extensions) ? extensions.settings : null;
    for (const [id, one] of isFields(settings) ? Object.entries(settings) : []) {
      if (EXTENSION_ID.test(id) && isFields(one)) all.set(id, { ...all.get(id), ...one });
    }
  }
  return all;
}

async function describeExtension(
  look: Look,
  profile: string,
  id: string,
  settings: Record<string, unknown>,
): Promise<Discovered | null> {
  const location = Number(settings.location ?? 0);
  if (COMPONENT_LOCATIONS.has(location)) return null;
  const folder = UNPACKED_LOCATIONS.has(location)
    ? unpackedFolder(look, profile, settings.path)
    : newestFolder(look, `${profile}/Extensions/${id}`);
  const read =
    folder === null ? undefined : await readJson(look, `${folder}/manifest.json`, MAX_MANIFEST);
  const manifest = isFields(read) ? read : isFields(settings.manifest) ? settings.manifest : null;
  // Left over from one that was taken away, or a theme.
  if (manifest === null && !UNPACKED_LOCATIONS.has(location)) return null;
  if (manifest !== null && manifest.theme !== undefined) return null;
  const text = (key: string) =>
    typeof manifest?.[key] === 'string' ? String(manifest[key]) : null;
  const unpacked = UNPACKED_LOCATIONS.has(location);
  const author = manifest?.author;
  return {
    kind: 'browser_extension',
    key: id,
    name: (await nameOf(look, folder, manifest ?? {})) ?? id,
    version: text('version'),
    publisher: typeof author === 'string' ? author : null,
    path: folder === null ? look.shown(profile) : look.shown(folder),
    permissions: permissionsOf(manifest ?? {}),
    details: {
      extension_id: id,
      ...(settings.from_webstore === true ? { from_webstore: true } : {}),
      ...(unpacked ? { unpacked: true } : {}),
      ...(settings.state === 0 ? { disabled: true } : {}),
      ...(manifest?.manifest_version === undefined
        ? {}
        : { manifest_version: Number(manifest.manifest_version) || null }),
    },
  };
}

/** Where its developer keeps it: anywhere. What lies outside of the home is not looked at, and told. */
function unpackedFolder(look: Look, profile: string, path: unknown): string | null {
  if (typeof path !== 'string' || path === '') return null;
  const folder = look.locate(path);
  if (folder === null) look.note(profile, 'an unpacked extension outside of the home');
  return folder === null || folder === '.' ? null : folder;
}

/** `9.0_0` is older than `10.0_0`. */
function newestFolder(look: Look, folder: string): string | null {
  if (look.kindOf(folder) !== 'folder') return null;
  const newest = look.folders(folder).toSorted(compareVersions).at(-1);
  return newest === undefined ? null : `${folder}/${newest}`;
}

function permissionsOf(manifest: Record<string, unknown>): string[] {
  const lists = [manifest.permissions, manifest.host_permissions];
  const scripts = Array.isArray(manifest.content_scripts) ? manifest.content_scripts : [];
  for (const script of scripts) if (isFields(script)) lists.push(script.matches);
  return lists.flatMap((list) =>
    Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [],
  );
}

/** The name, or what the language it was written in calls `__MSG_name__`. */
async function nameOf(
  look: Look,
  folder: string | null,
  manifest: Record<string, unknown>,
): Promise<string | null> {
  if (typeof manifest.name !== 'string' || manifest.name === '') return null;
  const message = /^__MSG_(.+)__$/.exec(manifest.name)?.[1];
  if (message === undefined) return manifest.name;
  const language = manifest.default_locale;
  if (folder === null || typeof language !== 'string' || !/^[\w-]{2,16}$/.test(language))
    return null;
  const path = `${folder}/_locales/${language}/messages.json`;
  const messages = await readJson(look, path, MAX_MANIFEST);
  if (!isFields(messages)) return null;
  const key = Object.keys(messages).find((one) => one.toLowerCase() === message.toLowerCase());
  const entry = key === undefined ? null : messages[key];
  return isFields(entry) && typeof entry.message === 'string' ? entry.message : null;
}
