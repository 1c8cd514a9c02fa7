// The walk over the places of the clients' tables that a home, its projects and its plug-ins have.
import { join } from 'node:path/posix';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ScopedFs } from '../source-contract.ts';
import { findProjects } from '../sources/lib/project-finder.ts';
import { editorFolders } from './editors.ts';
import { placesOf } from './path-tokens.ts';
import { findPlugins } from './plugins.ts';
import type { ClientLocations } from './table-types.ts';

export type Scope = 'user' | 'project' | 'plugin' | 'system';

export interface FoundLocation<Row> {
  row: Row;
  client: string;
  scope: Scope;
  /** The path as the look takes it. */
  path: string;
  /** The project or plug-in that the path belongs to, by its folder's name. */
  owner: string | null;
}

const PLACES_AT_ONCE = 20;

/** Yields each existing path of the rows once for each row: of the machine, or of the home with its projects and plug-ins. */
export async function* findLocations<Row extends ClientLocations>(
  fs: ScopedFs,
  rows: readonly Row[],
): AsyncGenerator<FoundLocation<Row>> {
  let done = 0;
  for (const at of fs.owner === null ? systemPatterns(fs, rows) : homePatterns(fs, rows)) {
    for (const path of fs.expand(at.path)) {
      if (++done % PLACES_AT_ONCE === 0) await fs.yieldToEventLoop();
      yield { ...at, path };
    }
  }
  if (fs.owner === null) return;
  yield* ofPlugins(fs, rows);
  yield* ofProjects(fs, rows);
}

function systemPatterns<Row extends ClientLocations>(
  fs: ScopedFs,
  rows: readonly Row[],
): FoundLocation<Row>[] {
  return rows.flatMap((row) =>
    (row.system?.[fs.platform] ?? []).map((path) => ({
      ...{ row, client: row.client ?? '', scope: 'system' as const, owner: null },
      path,
    })),
  );
}

function homePatterns<Row extends ClientLocations>(
  fs: ScopedFs,
  rows: readonly Row[],
): FoundLocation<Row>[] {
  return rows.flatMap((row) =>
    clientPlaces(fs.platform, row.client, row.user ?? []).flatMap(({ client, path }) =>
      withMovedFolders(fs, path).map((place) => ({
        ...{ row, client, scope: 'user' as const, owner: null },
        path: place,
      })),
    ),
  );
}

/** The paths on this platform with the client of each: `client`, or where that is null the editor's own. */
export function clientPlaces(
  platform: Platform,
  client: string | null,
  paths: readonly string[],
): { client: string; path: string }[] {
  return paths.flatMap((path) =>
    path.startsWith('{ED}')
      ? editorFolders(platform).map((editor) => ({
          client: client ?? editor.client,
          path: editor.path + path.slice('{ED}'.length),
        }))
      : placesOf(platform, path).map((place) => ({ client: client ?? '', path: place })),
  );
}

async function* ofPlugins<Row extends ClientLocations>(
  fs: ScopedFs,
  rows: readonly Row[],
): AsyncGenerator<FoundLocation<Row>> {
  const own = rows.filter((row) => row.plugin !== undefined);
  if (own.length === 0) return;
  for (const plugin of await findPlugins(fs)) {
    await fs.yieldToEventLoop();
    for (const row of own) {
      if (row.client !== null && row.client !== plugin.client) continue;
      const paths = (row.plugin ?? []).filter((path) => plugin.names.has(firstSegment(path)));
      for (const path of paths.flatMap((path) => fs.expand(join(plugin.path, path)))) {
        yield { row, client: plugin.client, scope: 'plugin', path, owner: plugin.name };
      }
    }
  }
}

async function* ofProjects<Row extends ClientLocations>(
  fs: ScopedFs,
  rows: readonly Row[],
): AsyncGenerator<FoundLocation<Row>> {
  const own = rows.filter((row) => row.project !== undefined);
  if (own.length === 0) return;
  for (const project of await findProjects(fs)) {
    await fs.yieldToEventLoop();
    const owner = project.path.slice(project.path.lastIndexOf('/') + 1);
    for (const row of own) {
      const paths = (row.project ?? []).filter((path) => isPromised(project.names, path));
      for (const path of paths.flatMap((path) => fs.expand(join(project.path, path)))) {
        yield { row, client: row.client ?? '', scope: 'project', path, owner };
      }
    }
  }
}

/** True where the folder's own names allow something at the pattern: most projects have few of them. */
function isPromised(names: ReadonlySet<string>, pattern: string): boolean {
  const first = firstSegment(pattern);
  return first.includes('*') || names.has(first);
}

export const firstSegment = (path: string): string => path.split('/', 1)[0] ?? '';

/** Folders that a person may have moved by a variable, where it is the service's own home. */
export function withMovedFolders(fs: ScopedFs, path: string): string[] {
  const moved: [string, string | undefined][] = [
    ['.claude', fs.env.CLAUDE_CONFIG_DIR],
    ['.codex', fs.env.CODEX_HOME],
    ['.cline', fs.env.CLINE_DIR],
  ];
  for (const [usual, own] of moved) {
    const folder = own === undefined ? null : fs.locate(own);
    if (folder === null) continue;
    if (path.startsWith(`${usual}/`)) return [path, join(folder, path.slice(usual.length + 1))];
  }
  return [path];
}
