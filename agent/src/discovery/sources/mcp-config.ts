// MCP servers that clients are configured with: of the person, of projects, of plugins, and those that the company sets.
import { basename, dirname, join } from 'node:path/posix';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { clientPlaces, withMovedFolders } from '../clients/client-locations.ts';
import { editorFolders } from '../clients/editors.ts';
import {
  type ClientFile,
  PLUGIN,
  PROJECT_FILES,
  SYSTEM_FILES,
  USER_FILES,
  WORKSPACE_KEYS,
} from '../mcp/clients.ts';
import { writtenWords } from '../mcp/command-line.ts';
import { identifyLaunch, isRelative, launchHash } from '../mcp/identity.ts';
import { launchedWords, parseLaunch, plainDefinition } from '../mcp/launch.ts';
import { classifyWords } from '../mcp/names.ts';
import { findProject } from '../mcp/projects.ts';
import { type DeclaredServer, isFields, MAX_SERVERS, serversIn } from '../mcp/servers.ts';
import { showArguments, showLabel, showWord } from '../redaction/argument-allowlist.ts';
import { redactUrl } from '../redaction/url-redaction.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readFields, readJson5, readPlist, TOML_OPTIONS } from './lib/document-formats.ts';
import { loadToml } from './lib/format-libraries.ts';
import { findInPath } from './lib/path-lookup.ts';
import {
  claudeStates,
  findProjects,
  findWorkspaceFiles,
  projectFolders,
  USUAL,
} from './lib/project-finder.ts';

const MAX_SHOWN_ARGUMENTS = 24;
const FILES_AT_ONCE = 20;
const MAX_NAMED_FILES = 10;
/** Profiles of an administrator of Macs, with Codex' configuration in base64. */
const CODEX_PREFERENCES = '/Library/Managed Preferences/com.openai.codex.plist';

/** Location of a server's configuration. */
interface Place {
  client: string;
  scope: string;
  path: string;
  /** The folder that relative launches start from, as a path of the scope; null where the client chooses it. */
  project: string | null;
}

export const mcpConfig: Source = {
  name: 'mcp_config',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  watches: (platform) => ({
    machine: SYSTEM_FILES.filter((file) => isOf(file, platform)).flatMap((file) => file.paths),
    home: [
      '.claude.json',
      ...USER_FILES.flatMap((file) => watchedPlacesOf(platform, file)),
      // An editor that is not installed yet; its other files are watched once it is.
      ...editorFolders(platform).map(({ path }) => `${path}/User/mcp.json`),
    ],
    filesRead: true,
    grown: ['.', ...USUAL],
    marks: [...PROJECT_MARKS],
  }),
  async *discover(fs) {
    if (fs.owner === null) {
      yield* readFiles(fs, SYSTEM_FILES, (path) => [path]);
      if (fs.platform === 'darwin') yield* readCodexPreferences(fs);
      return;
    }
    yield* readFiles(fs, USER_FILES, (path) => withMovedFolders(fs, path));
    watchEditors(fs);
    yield* readClaudeState(fs);
    for (const project of await findProjects(fs)) {
      await fs.yieldToEventLoop();
      // Only files that the folder's names promise are read: most projects have few of them or none.
      const files = PROJECT_FILES.filter((file) =>
        file.paths.some((path) => project.names.has(path.split('/', 1)[0] ?? '')),
      );
      yield* readFiles(fs, files, (path) => [join(project.path, path)], project.path);
      for (const path of files.flatMap((file) => watchedPlacesOf(fs.platform, file))) {
        fs.watchFile(join(project.path, path));
      }
    }
    yield* readWorkspaces(fs);
    for (const folder of await projectFolders(fs)) fs.watchFolder(folder);
  },
};

/** Files in the root of a project in which a client was configured. */
const PROJECT_MARKS = new Set(
  PROJECT_FILES.flatMap((file) => file.paths)
    .map((path) => path.split('/', 1)[0] ?? path)
    .filter((name) => name !== 'config'),
);

const isOf = (file: ClientFile, platform: Platform): boolean =>
  file.platforms?.includes(platform) ?? true;

/** The places of a row that are watched whether or not they are there. */
function watchedPlacesOf(platform: Platform, file: ClientFile): string[] {
  const paths = file.paths.filter((path) => !path.startsWith('{ED}'));
  return clientPlaces(platform, file.client, paths).map(({ path }) => watchable(path));
}

/** Returns the path, or for a pattern the folder in which a new file would appear. */
const watchable = (path: string): string =>
  path.includes('*') ? dirname(path.slice(0, path.indexOf('*') + 1)) : path;

/** Watches for the files that an editor of the VS Code family may create, where the editor is installed. */
function watchEditors(fs: ScopedFs): void {
  const rows = USER_FILES.filter((file) => file.paths.some((path) => path.startsWith('{ED}')));
  const rests = rows.flatMap(({ paths }) =>
    paths.flatMap((path) => (path.startsWith('{ED}') ? path.slice('{ED}'.length) : [])),
  );
  for (const { path: editor } of editorFolders(fs.platform)) {
    if (fs.kindOf(editor) !== 'folder') continue;
    for (const rest of rests) fs.watchFile(watchable(`${editor}${rest}`));
  }
}

async function* readFiles(
  fs: ScopedFs,
  files: readonly ClientFile[],
  where: (path: string) => string[],
  root: string | null = null,
): AsyncGenerator<Discovered> {
  let read = 0;
  const seen = new Set<string>();
  for (const file of files.filter((file) => isOf(file, fs.platform))) {
    for (const { client, path: place } of clientPlaces(fs.platform, file.client, file.paths)) {
      for (const path of where(place).flatMap((pattern) => fs.expand(pattern))) {
        if (++read % FILES_AT_ONCE === 0) await fs.yieldToEventLoop();
        yield* readFile(fs, file, { client, scope: file.scope, path, project: root }, seen);
      }
    }
  }
}

async function* readFile(
  fs: ScopedFs,
  file: ClientFile,
  place: Place,
  seen: Set<string>,
): AsyncGenerator<Discovered> {
  const { path } = place;
  seen.add(path);
  const document = await readConfiguration(fs, file, path);
  const servers = declaredIn(file, path, document);
  if (file.scope !== 'plugin') {
    yield* describeAll(fs, servers, place);
    return;
  }
  const inPlugin = { ...place, project: pluginFolder(path) };
  yield* describeAll(fs, servers, inPlugin);
  for (const named of filesNamedIn(document, file.keys, path)) {
    if (seen.has(named) || fs.kindOf(named) !== 'file') continue;
    seen.add(named);
    const fields = await readFields(fs, named);
    yield* describeAll(fs, serversIn(fields, PLUGIN), { ...inPlugin, path: named });
  }
}

async function readConfiguration(fs: ScopedFs, file: ClientFile, path: string): Promise<unknown> {
  if (file.json5 !== true) return readFields(fs, path);
  const document = await readJson5(fs, path);
  if (document === undefined || isFields(document)) return document;
  fs.reportError(path, 'unparsed', 'no object');
  return undefined;
}

/** The servers of a file. Front matter and JSON5 are not edited: their servers have no place to be taken out of. */
function declaredIn(file: ClientFile, path: string, document: unknown): DeclaredServer[] {
  const isFrontMatter = path.endsWith('.md');
  const servers = serversIn(
    isFrontMatter ? withNamedServers(document, file.keys) : document,
    file.keys,
  );
  if (!isFrontMatter && file.json5 !== true) return servers;
  return servers.map((server) => ({ ...server, member: null }));
}

/** Sub-agents list their servers as names, or as maps with a single name each. */
function withNamedServers(document: unknown, keys: readonly string[]): unknown {
  if (!isFields(document)) return document;
  const lists = keys.flatMap((key): [string, unknown][] => {
    const list = document[key];
    if (!Array.isArray(list)) return [];
    const maps = list.filter(isFields);
    const named = maps.map((map) => (typeof map.name === 'string' ? { [map.name]: map } : map));
    return [[key, Object.assign({}, ...named)]];
  });
  return { ...document, ...Object.fromEntries(lists) };
}

/** The plug-in that a file describes: above its folder of descriptions. */
function pluginFolder(path: string): string {
  const folder = dirname(path);
  return /^\.[\w-]+-plugin$/.test(basename(folder)) ? dirname(folder) : folder;
}

/** A plug-in's description may name files in place of servers, below the plug-in's own folder. */
function filesNamedIn(document: unknown, keys: readonly string[], path: string): string[] {
  if (!isFields(document)) return [];
  const plugin = dirname(dirname(path));
  return keys
    .flatMap((key) => document[key])
    .filter((key): key is string => typeof key === 'string' && !key.includes('\0'))
    .slice(0, MAX_NAMED_FILES)
    .map((key) => join(plugin, key.replace(/^\$\{\w+\}/, '.')))
    .filter((key) => key.startsWith(`${plugin}/`));
}

/** Claude Code stores the servers of a user, for all projects or for a single project, in a file of its own. */
async function* readClaudeState(fs: ScopedFs): AsyncGenerator<Discovered> {
  for (const { path, document } of await claudeStates(fs)) {
    const place = { client: 'claude-code', path, project: null };
    yield* describeAll(fs, serversIn(document, ['mcpServers']), { ...place, scope: 'user' });
    const projects = isFields(document.projects) ? Object.entries(document.projects) : [];
    for (const [name, project] of projects) {
      const servers = serversIn(project, ['mcpServers'], ['projects', name]);
      yield* describeAll(fs, servers, { ...place, scope: 'project', project: fs.locate(name) });
    }
  }
}

/** Editors of the VS Code family read this file for several folders at once. */
async function* readWorkspaces(fs: ScopedFs): AsyncGenerator<Discovered> {
  for (const path of await findWorkspaceFiles(fs)) {
    await fs.yieldToEventLoop();
    const document = await readFields(fs, path);
    const place = { client: 'vscode', scope: 'project', path, project: dirname(path) };
    const settings = isFields(document) ? document.settings : null;
    yield* describeAll(fs, serversIn(settings, WORKSPACE_KEYS, ['settings']), place);
    yield* describeAll(fs, serversIn(document, WORKSPACE_KEYS), place);
  }
}

async function* readCodexPreferences(fs: ScopedFs): AsyncGenerator<Discovered> {
  const path = CODEX_PREFERENCES;
  const document = !fs.has(path) ? undefined : await readPlist(fs, path);
  const encoded = isFields(document) ? document.config_toml_base64 : undefined;
  if (typeof encoded !== 'string') return;
  const { parse } = await loadToml();
  const config = fs.parse(path, () =>
    parse(Buffer.from(encoded, 'base64').toString('utf8'), TOML_OPTIONS),
  );
  // Its own place is inside of another document: nothing could be taken out there.
  const servers = serversIn(config, ['mcp_servers']).map((server) => ({ ...server, member: null }));
  yield* describeAll(fs, servers, { client: 'codex', scope: 'system', path, project: null });
}

async function* describeAll(
  fs: ScopedFs,
  servers: readonly DeclaredServer[],
  place: Place,
): AsyncGenerator<Discovered> {
  if (servers.length > MAX_SERVERS) {
    fs.reportError(place.path, 'timed_out', `more than ${MAX_SERVERS} servers`);
  }
  for (const server of servers.slice(0, MAX_SERVERS)) {
    const described = await describeServer(fs, server, place);
    if (described !== null) yield described;
  }
}

async function describeServer(
  fs: ScopedFs,
  server: DeclaredServer,
  place: Place,
): Promise<Discovered | null> {
  const plain = plainDefinition(server, fs.home);
  const launch = parseLaunch(plain);
  if (launch === null) return null;
  const project = isRelative(launch)
    ? await findProject(fs, place.project, launch.directory)
    : null;
  const product = identifyLaunch(launch, project);
  const written = plain.command === null ? null : writtenWords(plain.command, plain.args);
  const executable =
    product.isRunner || server.command === null
      ? null
      : findInPath(fs, launchedWords(server.command, server.args)[0] ?? server.command);
  return {
    kind: 'mcp_server',
    key: product.key,
    name: product.name,
    version: product.version,
    path: fs.toMachinePath(place.path),
    calledThere: showLabel(server.name),
    executables: executable === null ? [] : [executable],
    launchHash: launchHash(plain, product),
    launch: product.launch,
    entry:
      server.member === null
        ? null
        : {
            file: fs.toMachinePath(place.path),
            container: [...server.container],
            key: product.entryKey,
          },
    details: {
      configured: [
        {
          client: place.client,
          scope: place.scope,
          transport: server.transport,
          ...(written === null
            ? {}
            : {
                command: showWord(basename(written.program.replaceAll('\\', '/'))).slice(0, 128),
                args: showArguments(written.args, classifyWords(launch)).slice(
                  0,
                  MAX_SHOWN_ARGUMENTS,
                ),
              }),
          ...(plain.url === null ? {} : { url: redactUrl(plain.url) }),
          ...(server.environment.length === 0 ? {} : { env: server.environment }),
          ...(server.headers.length === 0 ? {} : { headers: server.headers }),
          ...(server.disabled ? { disabled: true } : {}),
          ...(product.unpinned ? { unpinned: true } : {}),
        },
      ],
    },
  };
}
