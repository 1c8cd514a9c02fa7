// Plug-ins of editors that keep a folder for each: Neovim, Vim, Emacs, Sublime Text.

import { placesOf } from '../clients/path-tokens.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';

const FOLDERS: Record<string, readonly string[]> = {
  neovim: [
    '{XD}/nvim/lazy/*',
    '{XD}/nvim/site/pack/*/start/*',
    '{XD}/nvim/site/pack/*/opt/*',
    '{L}/nvim-data/lazy/*',
  ],
  vim: ['.vim/plugged/*', '.vim/bundle/*', '.vim/pack/*/start/*'],
  emacs: ['.emacs.d/elpa/*', '{XC}/emacs/elpa/*'],
};
const SUBLIME = [
  ...['{XC}', '{AS}', '{A}'].map((base) => `${base}/Sublime Text`),
  '{XC}/sublime-text',
].map((base) => `${base}/Packages/*/package-metadata.json`);
const AT_ONCE = 50;

export const EDITOR_PLUGINS: readonly Source[] = [
  ...Object.entries(FOLDERS).map(([editor, patterns]) =>
    source(editor, async function* (fs) {
      for (const pattern of patterns.flatMap((path) => placesOf(fs.platform, path))) {
        for (const path of fs.expand(pattern)) {
          const plugin = fs.kindOf(path) === 'folder' ? describeFolder(fs, editor, path) : null;
          if (plugin !== null) yield plugin;
        }
      }
    }),
  ),
  source('sublime', async function* (fs) {
    for (const pattern of SUBLIME.flatMap((path) => placesOf(fs.platform, path))) {
      for (const path of fs.expand(pattern)) {
        const metadata = await readJson(fs, path);
        const name = path.split('/').at(-2) ?? '';
        yield {
          kind: 'ide_extension',
          key: name,
          name,
          version:
            isFields(metadata) && typeof metadata.version === 'string' ? metadata.version : null,
          path: fs.toMachinePath(path.slice(0, path.lastIndexOf('/'))),
        };
      }
    }
  }),
];

function source(name: string, plugins: (fs: ScopedFs) => AsyncGenerator<Discovered>): Source {
  return {
    name,
    platforms: ['linux', 'darwin', 'win32'],
    scopes: ['home'],
    async *discover(fs) {
      let done = 0;
      for await (const plugin of plugins(fs)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        yield plugin;
      }
    },
  };
}

function describeFolder(fs: ScopedFs, editor: string, path: string): Discovered | null {
  const folder = path.slice(path.lastIndexOf('/') + 1);
  if (folder.startsWith('.') || folder === 'archives' || folder === 'gnupg') return null;
  // Emacs writes the version behind the name.
  const found = editor === 'emacs' ? /^(.+)-(\d[\d.]*)$/.exec(folder) : null;
  const name = found?.[1] ?? folder;
  return {
    kind: 'ide_extension',
    key: name,
    name,
    version: found?.[2] ?? null,
    path: fs.toMachinePath(path),
  };
}
