// Plug-ins of JetBrains' editors and Android Studio, by the plugin.xml in their folder or in an archive of it.

import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { parseXml } from './lib/document-formats.ts';
import { readZipEntry } from './lib/zip-reader.ts';

const MAKERS = ['JetBrains', 'Google'];
const PLUGINS = MAKERS.flatMap((maker) => [
  `{AS}/${maker}/*/plugins/*`,
  `{A}/${maker}/*/plugins/*`,
  // On Linux the product's data folder itself contains them.
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
  scopes: ['home'],
  async *discover(fs) {
    const patterns = PLUGINS.filter(
      (path) => fs.platform === 'linux' || !/^(\{XD\}|\.var)/.test(path),
    );
    for (const pattern of patterns.flatMap((path) => placesOf(fs.platform, path))) {
      for (const plugin of fs.expand(pattern)) {
        await fs.yieldToEventLoop();
        const xml = await findXml(fs, plugin);
        const found = xml === null ? null : await describePlugin(fs, plugin, xml);
        if (found !== null) yield found;
      }
    }
  },
};

async function findXml(fs: ScopedFs, plugin: string): Promise<string | null> {
  if (plugin.endsWith('.jar')) return readArchive(fs, plugin);
  if (fs.kindOf(plugin) !== 'folder') return null;
  const plain = fs.text(`${plugin}/${ENTRY}`, MAX_XML);
  if (plain !== null) return plain;
  if (fs.kindOf(`${plugin}/lib`) !== 'folder') return null;
  const own = plugin.slice(plugin.lastIndexOf('/') + 1).toLowerCase();
  const jars = fs.names(`${plugin}/lib`).filter((name) => name.endsWith('.jar'));
  // The archive named like the plug-in nearly always contains the file.
  jars.sort(
    (a, b) => Number(b.toLowerCase().startsWith(own)) - Number(a.toLowerCase().startsWith(own)),
  );
  for (const jar of jars.slice(0, MAX_ARCHIVES)) {
    await fs.yieldToEventLoop();
    const xml = await readArchive(fs, `${plugin}/lib/${jar}`);
    if (xml !== null) return xml;
  }
  return null;
}

async function readArchive(fs: ScopedFs, path: string): Promise<string | null> {
  const real = fs.realFile(path, MAX_ARCHIVE);
  if (real === null) return null;
  try {
    return await readZipEntry(real, ENTRY, MAX_XML);
  } catch {
    fs.reportError(path, 'unparsed', 'not an archive that can be read');
    return null;
  }
}

async function describePlugin(
  fs: ScopedFs,
  plugin: string,
  xml: string,
): Promise<Discovered | null> {
  const root = await parseXml(fs, plugin, xml);
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
    path: fs.toMachinePath(plugin),
    details: { plugin_id: id },
  };
}
