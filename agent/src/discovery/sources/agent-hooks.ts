// Hooks of assistants: commands that run by themselves, of the person, of projects, of plug-ins and of the company.
import { posix } from 'node:path';
import { type FoundLocation, findLocations } from '../clients/client-locations.ts';
import { HOOK_FILES, type HookFiles } from '../clients/hooks.ts';
import { placesOf } from '../clients/path-tokens.ts';
import { isFields, lookUp } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readFields } from './lib/document-formats.ts';
import {
  commandSetting,
  type HookCommand,
  hookCommandsIn,
  scriptHook,
} from './lib/hook-commands.ts';
import { settingsAt } from './lib/setting-paths.ts';

const MAX_SCRIPT = 1024 * 1024;
const MAX_NAMED_FILES = 10;

export const agentHooks: Source = {
  name: 'agent_hook',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  watches: (platform) => ({
    machine: HOOK_FILES.flatMap((row) => row.system?.[platform] ?? []).filter(
      (path) => !path.includes('*'),
    ),
    home: HOOK_FILES.flatMap((row) => row.user ?? [])
      .flatMap((path) => placesOf(platform, path))
      .filter((path) => !path.includes('*')),
    filesRead: true,
  }),
  async *discover(fs) {
    const seen = new Set<string>();
    for await (const found of findLocations(fs, HOOK_FILES)) {
      const id = `${found.path}\0${found.row.keys?.join() ?? ''}`;
      if (seen.has(id) || fs.kindOf(found.path) === 'folder') continue;
      seen.add(id);
      for (const hook of await readHooks(fs, found)) yield describeHook(fs, found, hook);
    }
  },
};

async function readHooks(fs: ScopedFs, found: FoundLocation<HookFiles>): Promise<HookCommand[]> {
  const { row, path } = found;
  if (row.script === true) {
    const content = fs.bytes(path, MAX_SCRIPT);
    return content === null ? [] : [scriptHook(posix.basename(path), content)];
  }
  const document = await readFields(fs, path);
  if (document === undefined) return [];
  const named = found.scope === 'plugin' ? filesNamedIn(fs, path, document.hooks) : [];
  const ofNamed: HookCommand[] = [];
  for (const file of named) {
    const other = await readFields(fs, file);
    ofNamed.push(...(fs.parse(file, () => hookCommandsIn(other?.hooks ?? other)) ?? []));
  }
  const key = (row.keys ?? []).find((key) => key === '.' || isContainer(lookUp(document, key)));
  const events = key === undefined ? null : key === '.' ? document : lookUp(document, key);
  const settings = (row.commands ?? []).flatMap((pattern) =>
    settingsAt(document, pattern).flatMap(({ name, value }) => commandSetting(name, value) ?? []),
  );
  const own = fs.parse(path, () => hookCommandsIn(events)) ?? [];
  return [...own, ...ofNamed, ...settings];
}

/** A plug-in's description may name files of hooks in their place, below the plug-in's own folder. */
function filesNamedIn(fs: ScopedFs, path: string, hooks: unknown): string[] {
  const folder = posix.dirname(path);
  const plugin = posix.basename(folder).endsWith('-plugin') ? posix.dirname(folder) : folder;
  return [hooks]
    .flat()
    .filter((hook): hook is string => typeof hook === 'string' && hook.endsWith('.json'))
    .slice(0, MAX_NAMED_FILES)
    .map((hook) => posix.join(plugin, hook.replace(/^\$\{\w+\}/, '.')))
    .filter((hook) => hook.startsWith(`${plugin}/`) && fs.kindOf(hook) === 'file');
}

const isContainer = (value: unknown): boolean => isFields(value) || Array.isArray(value);

/**
 * Returns the entity of a client, event and project or plug-in: a relative command is other code in another project.
 * Another hash in the same place is drift.
 */
function describeHook(
  fs: ScopedFs,
  { client, scope, path, owner }: FoundLocation<HookFiles>,
  { event, matcher, type, command, hash }: HookCommand,
): Discovered {
  const of = owner === null ? '' : ` (${owner})`;
  return {
    kind: 'ai_tool',
    key: [client, scope, owner ?? '', event].join(':'),
    name: `${client} ${event} hook${of}`,
    path: fs.toMachinePath(path),
    calledThere: matcher === null ? event : `${event} ${matcher}`,
    launchHash: hash,
    details: {
      type: 'hook',
      configured: [
        {
          ...{ client, scope, transport: type, event },
          ...(matcher === null ? {} : { matcher }),
          ...(command === null ? {} : { command }),
          hash,
        },
      ],
    },
  };
}
