// Extensions of Chromium browsers: the folders of a profile joined with its preferences.
import { compareVersions } from '@gatewarden/shared/names.ts';
import { CHROMIUM } from '../clients/browsers.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';
import { resolveMessages } from './lib/extension-messages.ts';

const NO_PROFILE = new Set(['System Profile', 'Guest Profile']);
const EXTENSION_ID = /^[a-p]{32}$/;
/** Parts of the browser itself that look like extensions. */
const COMPONENT_LOCATIONS = new Set([5, 10]);
const UNPACKED_LOCATIONS = new Set([4, 8]);
const MAX_PREFERENCES = 32 * 1024 * 1024;
const MAX_MANIFEST = 1024 * 1024;
const AT_ONCE = 20;

export const CHROMIUM_BROWSERS: readonly Source[] = CHROMIUM.map((browser) => ({
  name: browser.name,
  platforms: (['linux', 'darwin', 'win32'] as const).filter(
    (platform) => browser[platform] !== undefined,
  ),
  scopes: ['home'],
  readsBrowserProfiles: true,
  async *discover(fs) {
    let done = 0;
    const bases = browser[fs.platform] ?? [];
    for (const profile of bases.flatMap((base) => profilesIn(fs, base))) {
      for (const [id, settings] of await readSettings(fs, profile)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const found = await describeExtension(fs, profile, id, settings);
        if (found !== null) yield found;
      }
    }
  },
}));

/** A folder is a profile by its content; Opera has a profile in the base folder itself. */
function profilesIn(fs: ScopedFs, base: string): string[] {
  if (fs.kindOf(base) !== 'folder') return [];
  const folders = fs.folders(base).filter((name) => !NO_PROFILE.has(name));
  return [base, ...folders.map((name) => `${base}/${name}`)].filter((folder) =>
    ['Preferences', 'Secure Preferences', 'Extensions'].some((name) => fs.has(`${folder}/${name}`)),
  );
}

/** Every extension by id: those with a folder, and those that only the preferences know. */
async function readSettings(
  fs: ScopedFs,
  profile: string,
): Promise<Map<string, Record<string, unknown>>> {
  const all = new Map<string, Record<string, unknown>>();
  for (const id of fs.folders(`${profile}/Extensions`)) {
    if (EXTENSION_ID.test(id)) all.set(id, {});
  }
  for (const name of ['Preferences', 'Secure Preferences']) {
    const document = await readJson(fs, `${profile}/${name}`, MAX_PREFERENCES);
    const extensions = isFields(document) ? document.extensions : null;
    const settings = isFields(extensions) ? extensions.settings : null;
    for (const [id, setting] of isFields(settings) ? Object.entries(settings) : []) {
      if (EXTENSION_ID.test(id) && isFields(setting)) all.set(id, { ...all.get(id), ...setting });
    }
  }
  return all;
}

async function describeExtension(
  fs: ScopedFs,
  profile: string,
  id: string,
  settings: Record<string, unknown>,
): Promise<Discovered | null> {
  const location = Number(settings.location ?? 0);
  if (COMPONENT_LOCATIONS.has(location)) return null;
  const folder = UNPACKED_LOCATIONS.has(location)
    ? unpackedFolder(fs, profile, settings.path)
    : newestFolder(fs, `${profile}/Extensions/${id}`);
  const read =
    folder === null ? undefined : await readJson(fs, `${folder}/manifest.json`, MAX_MANIFEST);
  const manifest = isFields(read) ? read : isFields(settings.manifest) ? settings.manifest : null;
  // The folder is left over from a removed extension, or contains a theme.
  if (manifest === null && !UNPACKED_LOCATIONS.has(location)) return null;
  if (manifest !== null && manifest.theme !== undefined) return null;
  const text = (key: string) =>
    typeof manifest?.[key] === 'string' ? String(manifest[key]) : null;
  const unpacked = UNPACKED_LOCATIONS.has(location);
  const author = manifest?.author;
  return {
    kind: 'browser_extension',
    key: id,
    name: (await nameOf(fs, folder, manifest ?? {})) ?? id,
    version: text('version'),
    publisher: typeof author === 'string' ? author : null,
    path: folder === null ? fs.toMachinePath(profile) : fs.toMachinePath(folder),
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

/** The folder of an unpacked extension may be anywhere. Outside of the home it is not read, which is reported. */
function unpackedFolder(fs: ScopedFs, profile: string, path: unknown): string | null {
  if (typeof path !== 'string' || path === '') return null;
  const folder = fs.locate(path);
  if (folder === null) fs.reportNotice(profile, 'an unpacked extension outside of the home');
  return folder === null || folder === '.' ? null : folder;
}

/** `9.0_0` is older than `10.0_0`. */
function newestFolder(fs: ScopedFs, folder: string): string | null {
  if (fs.kindOf(folder) !== 'folder') return null;
  const newest = fs.folders(folder).toSorted(compareVersions).at(-1);
  return newest === undefined ? null : `${folder}/${newest}`;
}

function permissionsOf(manifest: Record<string, unknown>): string[] {
  const lists = [manifest.permissions, manifest.host_permissions];
  const scripts = Array.isArray(manifest.content_scripts) ? manifest.content_scripts : [];
  for (const script of scripts) if (isFields(script)) lists.push(script.matches);
  return lists.flatMap((list) =>
    Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [],
  );
}

/** Returns the name; `__MSG_name__` refers to a message, which is resolved as the browser does. */
async function nameOf(
  fs: ScopedFs,
  folder: string | null,
  manifest: Record<string, unknown>,
): Promise<string | null> {
  if (typeof manifest.name !== 'string' || manifest.name === '') return null;
  if (!/__MSG_\w+__/.test(manifest.name)) return manifest.name;
  const files = folder === null ? [] : messageFiles(fs, folder, manifest.default_locale);
  const all: Record<string, unknown>[] = [];
  for (const path of files) {
    const messages = await readJson(fs, path, MAX_MANIFEST);
    if (isFields(messages)) all.push(messages);
  }
  return resolveMessages(manifest.name, all);
}

/** The messages of the extension's own language, then of that without its region, then English. */
function messageFiles(fs: ScopedFs, folder: string, language: unknown): string[] {
  if (typeof language !== 'string' || !/^[\w-]{2,16}$/.test(language)) return [];
  const wanted = [language, language.split(/[-_]/, 1)[0] ?? '', 'en', 'en_US'].map(plainLocale);
  const there = fs.folders(`${folder}/_locales`);
  return [...new Set(wanted)].flatMap((locale) => {
    const name = there.find((folder) => plainLocale(folder) === locale);
    return name === undefined ? [] : [`${folder}/_locales/${name}/messages.json`];
  });
}

const plainLocale = (locale: string): string => locale.replaceAll('-', '_').toLowerCase();
