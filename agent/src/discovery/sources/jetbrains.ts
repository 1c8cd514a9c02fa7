// Plug-ins of JetBrains' editors and Android Studio: by the plugin.xml in their folder, or in one of their archives.

import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, Look, Source } from '../source-contract.ts';
import { parseXml } from './lib/document-formats.ts';
import { readZipEntry } from './lib/zip-reader.ts';

const MAKERS = ['JetBrains', 'Google'];
const PLUGINS = MAKERS.flatMap((maker) => [
  `{AS}/${maker}/*/plugins/*`,
  `{A}/${maker}/*/plugins/*`,
  // On Linux they stand in the product's data folder itself.
  `{XD}/${maker}/*/*`,
  `.var/app/com.${maker.toLowerCase()}.*/data/${maker}/*/*`,
]);
const ENTRY = 'META-INF/plugin.xml';
const MAX_XML = 1024 * 1024;
const MAX_ARCHIVE = 256 * 1024 * 1024;
const MAX_ARCHIVES = 40;

export const jetbrains: Source = {
  name: 'jetbrains',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    const patterns = PLUGINS.filter(
      (path) => look.platform === 'linux' || !/^(\{XD\}|\.var)/.test(path),
    );
    for (const pattern of patterns.flatMap((path) => placesOf(look.platform, path))) {
      for (const plugin of look.expand(pattern)) {
        await look.turn();
        const xml = await findXml(look, plugin);
        const found = xml === null ? null : await describePlugin(look, plugin, xml);
        if (found !== null) yield found;
      }
    }
  },
};

async function findXml(look: Look, plugin: string): Promise<string | null> {
  if (plugin.endsWith('.jar')) return readArchive(look, plugin);
  if (look.kindOf(plugin) !== 'folder') return null;
  const plain = look.text(`${plugin}/${ENTRY}`, MAX_XML);
  if (plain !== null) return plain;
  if (look.kindOf(`${plugin}/lib`) !== 'folder') return null;
  const own = plugin.slice(plugin.lastIndexOf('/') + 1).toLowerCase();
  const jars = look.names(`${plugin}/lib`).filter((name) => name.endsWith('.jar'));
  // The archive named like the plug-in is nearly always the one.
  jars.sort(
    (a, b) => Number(b.toLowerCase().startsWith(own)) - Number(a.toLowerCase().startsWith(own)),
  );
  for (const jar of jars.slice(0, MAX_ARCHIVES)) {
    await look.turn();
    const xml = await readArchive(look, `${plugin}/lib/${jar}`);
    if (xml !== null) return xml;
  }
  return null;
}

async function readArchive(look: Look, path: string): Promise<string | null> {
  const real = look.realFile(path, MAX_ARCHIVE);
  if (real === null) return null;
  try {
    return await readZipEntry(real, ENTRY, MAX_XML);
  } catch {
    look.trouble(path, 'unparsed', 'not an archive that can be read');
    return null;
  }
}

async function describePlugin(look: Look, plugin: string, xml: string): Promise<Discovered | null> {
  const root = await parseXml(look, plugin, xml);
  if (root === null) return null;
  const text = (name: string) =>
    root.getElementsByTagName(name).item(0)?.textContent?.trim() || null;
  const id = text('id') ?? text('name');
  if (id === null) return null;
  return {
    kind: 'ide_extension',
    key: id,
    name: text('name') ?? id,
    version: text('version'),
    publisher: text('vendor'),
    path: look.shown(plugin),
    details: { plugin_id: id },
  };
}
