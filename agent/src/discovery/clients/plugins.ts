// Folders of plug-ins of assistants, which bring skills, hooks, sub-agents, commands and MCP servers together.
import type { ScopedFs } from '../source-contract.ts';

interface PluginFolders {
  client: string;
  /** Below a home; plug-ins are up to four folders deeper. */
  folders: readonly string[];
}

/** A new client is a new row. Catalogs (`marketplaces`) are left out: their plug-ins are not installed. */
const PLUGIN_FOLDERS: readonly PluginFolders[] = [
  { client: 'claude-code', folders: ['.claude/plugins/cache', '.claude/plugins/repos'] },
  { client: 'cursor', folders: ['.cursor/plugins/cache', '.cursor/plugins/local'] },
  { client: 'codex', folders: ['.codex/plugins'] },
  { client: 'kiro', folders: ['.kiro/powers/installed'] },
  { client: 'gemini-cli', folders: ['.gemini/extensions'] },
  { client: 'qwen', folders: ['.qwen/extensions'] },
  { client: 'copilot-cli', folders: ['.copilot/installed-plugins'] },
  { client: 'factory', folders: ['.factory/plugins/cache'] },
  { client: 'codebuddy', folders: ['.codebuddy/plugins/cache'] },
  { client: 'qoder', folders: ['.qoder/plugins/cache'] },
];

/** A folder with any of these is a plug-in. */
const PARTS = new Set([
  '.claude-plugin',
  '.cursor-plugin',
  '.codex-plugin',
  'gemini-extension.json',
  'qwen-extension.json',
  'POWER.md',
  'SKILL.md',
  'skills',
  'hooks',
  'agents',
  'commands',
]);
const MAX_DEPTH = 4;
const MAX_FOLDERS = 2000;
const FOLDERS_AT_ONCE = 50;

export interface Plugin {
  client: string;
  /** The plug-in's root, as a path of the look. */
  path: string;
  name: string;
  names: ReadonlySet<string>;
}

/** Returns the installed plug-ins of a home, found once for all sources. */
export function findPlugins(fs: ScopedFs): Promise<Plugin[]> {
  return fs.computeOnce('plugins', async () => {
    const plugins: Plugin[] = [];
    for (const { client, folders } of PLUGIN_FOLDERS) {
      for (const folder of folders) {
        if (fs.kindOf(folder) === 'folder') await collect(fs, client, folder, plugins);
      }
    }
    return plugins;
  });
}

async function collect(fs: ScopedFs, client: string, root: string, into: Plugin[]): Promise<void> {
  const waiting = [{ path: root, depth: 0 }];
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (++looked > MAX_FOLDERS) {
      fs.reportNotice(root, `more than ${MAX_FOLDERS} folders`);
      return;
    }
    if (looked % FOLDERS_AT_ONCE === 0) await fs.yieldToEventLoop();
    const { path, depth } = next;
    const names = new Set(fs.names(path));
    if (depth > 0 && [...names].some((name) => PARTS.has(name))) {
      into.push({ client, path, name: nameOf(root, path), names });
      continue;
    }
    if (depth === MAX_DEPTH) continue;
    for (const name of fs.folders(path)) {
      if (!name.startsWith('.') && name !== 'node_modules' && name !== 'marketplaces') {
        waiting.push({ path: `${path}/${name}`, depth: depth + 1 });
      }
    }
  }
}

/** Returns the plug-in's name: the last directory of its path that is neither a version nor a commit. */
function nameOf(root: string, path: string): string {
  const segments = path.slice(root.length + 1).split('/');
  return (
    segments.findLast((segment) => !/^(v?\d+(\.\d+)*([-+].*)?|[0-9a-f]{7,40})$/.test(segment)) ??
    segments.at(-1) ??
    path
  );
}
