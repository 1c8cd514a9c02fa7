// Finds the projects of a home: those that assistants and editors remember, and those in the usual folders.

import { editorFolders } from '../../clients/editors.ts';
import { HOOK_FILES } from '../../clients/hooks.ts';
import { INSTRUCTION_FILES } from '../../clients/instructions.ts';
import { PERMISSION_FILES } from '../../clients/permissions.ts';
import { SKILL_FOLDERS } from '../../clients/skills.ts';
import { PROJECT_FILES } from '../../mcp/clients.ts';
import { isFields } from '../../mcp/servers.ts';
import type { FolderName } from '../../scoped-fs/safe-reader.ts';
import type { ScopedFs } from '../../source-contract.ts';
import { readFields, readJson, readToml } from './document-formats.ts';

/** A project's root, as a path of the scope, with the names in it. */
export interface Project {
  path: string;
  names: ReadonlySet<string>;
}

/** Names that folders of every kind have. */
const COMMON_FOLDERS = new Set(['skills', 'data', 'agent', 'config']);

/** Usual folders of projects, below a home. */
export const USUAL = [
  'Documents',
  'Projects',
  'projects',
  'src',
  'code',
  'git',
  'dev',
  'workspace',
  'repos',
];
const WALK_DEPTH = 3;
/** Bound of folders in a walk: a home may contain millions. */
const MAX_FOLDERS = 3000;
const MAX_CLAUDE_BYTES = 32 * 1024 * 1024;
const MAX_PROJECTS = 1000;
const MAX_WORKSPACES = 500;
const FOLDERS_AT_ONCE = 50;
const MANY_FOLDERS = `more than ${MAX_FOLDERS} folders: projects beyond are found where something remembers them`;
const MANY_PROJECTS = `more than ${MAX_PROJECTS} projects`;
const MANY_WORKSPACES = `more than ${MAX_WORKSPACES} workspaces`;
/** Folders without projects, and large folders. Folders that begin with a dot are left out, too. */
const NOT_WALKED = new Set([
  'node_modules',
  'vendor',
  'target',
  'dist',
  'build',
  '__pycache__',
  'venv',
  'Library',
  'AppData',
  'snap',
  'Applications',
  'Pictures',
  'Music',
  'Movies',
  'Videos',
  'go',
  'miniconda3',
  'anaconda3',
  'miniforge3',
  'Downloads',
]);
/** A folder with any of these is a project: first names of the paths in the tables of clients, without common words. */
const MARKS = new Set(
  [
    ...PROJECT_FILES.flatMap((file) => file.paths),
    ...[...SKILL_FOLDERS, ...INSTRUCTION_FILES, ...HOOK_FILES, ...PERMISSION_FILES].flatMap(
      (row) => row.project ?? [],
    ),
  ]
    .map((path) => path.split('/', 1)[0] ?? path)
    .filter((name) => !COMMON_FOLDERS.has(name) && !name.includes('*')),
);

interface Search {
  projects: Project[];
  /** Every folder that was looked into, the remembered ones first: where a project may begin. */
  folders: string[];
  /** Files that combine several folders into a workspace. */
  workspaceFiles: string[];
  /** Why some may be missing. */
  gaps: ReadonlySet<string>;
}

/** Returns all projects, found once for all sources; each source reports where there were more. */
export async function findProjects(fs: ScopedFs): Promise<Project[]> {
  const { projects, gaps } = await search(fs);
  for (const why of gaps) fs.reportNotice('.', why);
  return projects;
}

/** Folders in which the next project may begin, the most likely first. */
export const projectFolders = async (fs: ScopedFs): Promise<string[]> => (await search(fs)).folders;

/** Files of workspaces: those that editors remember, and those in folders that were looked into. */
export const findWorkspaceFiles = async (fs: ScopedFs): Promise<string[]> =>
  (await search(fs)).workspaceFiles;

function search(fs: ScopedFs): Promise<Search> {
  return fs.computeOnce('projects', async () => {
    const roots = new Map<string, Project>();
    const folders = new Set<string>();
    const files = new Set<string>();
    const gaps = new Set<string>();
    const noteFiles = (folder: string, names: Iterable<string>) => {
      for (const name of names) {
        if (!name.endsWith('.code-workspace')) continue;
        if (files.size >= MAX_WORKSPACES) gaps.add(MANY_WORKSPACES);
        else files.add(folder === '.' ? name : `${folder}/${name}`);
      }
    };
    const consider = (path: string) => {
      if (path === '.' || path === '' || roots.has(path)) return;
      if (roots.size >= MAX_PROJECTS) {
        gaps.add(MANY_PROJECTS);
        return;
      }
      folders.add(path);
      const names = new Set(fs.names(path));
      noteFiles(path, names);
      if ([...names].some((name) => MARKS.has(name))) roots.set(path, { path, names });
    };
    const remembered = await rememberedRoots(fs, gaps);
    for (const path of remembered.workspaceFiles) files.add(path);
    for (const path of remembered.roots) consider(path);
    const missed = await walk(fs, roots, folders, noteFiles);
    if (missed !== null) gaps.add(missed);
    const projects = [...roots.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { projects, folders: [...folders], workspaceFiles: [...files].sort(), gaps };
  });
}

/** The walk was cut: the remaining folders are reported. */
async function walk(
  fs: ScopedFs,
  roots: Map<string, Project>,
  folders: Set<string>,
  lookedInto: (folder: string, names: readonly string[]) => void,
): Promise<string | null> {
  const waiting = [
    { path: '.', depth: WALK_DEPTH },
    // The usual folders are a level deeper already and are walked as deep again.
    ...USUAL.map((path) => ({ path, depth: WALK_DEPTH })),
  ];
  // Depths in the queue only decrease, so that the first visit of a folder is the deepest.
  const seen = new Set<string>();
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, depth } = next;
    if (seen.has(path)) continue;
    seen.add(path);
    if (++looked > MAX_FOLDERS) return MANY_FOLDERS;
    if (roots.size >= MAX_PROJECTS) return MANY_PROJECTS;
    if (looked % FOLDERS_AT_ONCE === 0) await fs.yieldToEventLoop();
    const isHome = path === '.';
    if (!isHome && !fs.isRealFolder(path)) continue;
    const entries = fs.entries(path);
    const names = entries.map(({ name }) => name);
    lookedInto(path, names);
    if (!isHome) noteFolder({ path, names: new Set(names) }, roots, folders);
    if (depth > 0) waiting.push(...foldersToWalk(entries, path, depth - 1));
  }
  return null;
}

/** Records a walked folder, and that it is a project where it has a project's mark. */
function noteFolder(folder: Project, roots: Map<string, Project>, folders: Set<string>): void {
  folders.add(folder.path);
  if ([...folder.names].some((name) => MARKS.has(name))) roots.set(folder.path, folder);
}

function foldersToWalk(
  entries: readonly FolderName[],
  path: string,
  depth: number,
): { path: string; depth: number }[] {
  return entries
    .filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.') && !NOT_WALKED.has(name))
    .map(({ name }) => ({ path: path === '.' ? name : `${path}/${name}`, depth }));
}

/** Claude Code's own file, or files where a person has moved its folder. It keeps a history there and grows large. */
export function claudeStates(
  fs: ScopedFs,
): Promise<{ path: string; document: Record<string, unknown> }[]> {
  return fs.computeOnce('claude', async () => {
    const moved = fs.locate(fs.env.CLAUDE_CONFIG_DIR ?? '');
    const paths = ['.claude.json', ...(moved === null ? [] : [`${moved}/.claude.json`])];
    const states = [];
    for (const path of paths) {
      const document = await readFields(fs, path, MAX_CLAUDE_BYTES);
      if (document !== undefined) states.push({ path, document });
    }
    return states;
  });
}

async function rememberedRoots(
  fs: ScopedFs,
  gaps: Set<string>,
): Promise<{ roots: string[]; workspaceFiles: string[] }> {
  const absolute: string[] = [];
  const workspaceFiles: string[] = [];
  const codex =
    fs.kindOf('.codex/config.toml') === 'file' ? await readToml(fs, '.codex/config.toml') : null;
  for (const document of [
    ...(await claudeStates(fs)).map((claudeState) => claudeState.document),
    codex,
  ]) {
    if (isFields(document) && isFields(document.projects))
      absolute.push(...Object.keys(document.projects));
  }
  for (const { path: folder } of editorFolders(fs.platform)) {
    const found = fs.expand(`${folder}/User/workspaceStorage/*/workspace.json`);
    if (found.length > MAX_WORKSPACES) gaps.add(MANY_WORKSPACES);
    for (const path of found.slice(-MAX_WORKSPACES)) {
      const document = await readJson(fs, path);
      if (!isFields(document)) continue;
      const { roots, file } = await readWorkspace(fs, document);
      absolute.push(...roots);
      if (file !== null) workspaceFiles.push(file);
    }
  }
  const roots = [...new Set(absolute)].flatMap((path) => fs.locate(path) ?? []);
  return { roots, workspaceFiles };
}

/** A workspace is a folder, or a file that lists several. */
async function readWorkspace(
  fs: ScopedFs,
  workspace: Record<string, unknown>,
): Promise<{ roots: string[]; file: string | null }> {
  const folder = filePath(workspace.folder);
  if (folder !== null) return { roots: [folder], file: null };
  const file = filePath(workspace.workspace ?? workspace.configuration);
  const inside = file === null ? null : fs.locate(file);
  if (file === null || inside === null) return { roots: [], file: null };
  const document = await readJson(fs, inside);
  const listed = isFields(document) && Array.isArray(document.folders) ? document.folders : [];
  const base = file.slice(0, file.lastIndexOf('/'));
  const roots = listed.flatMap((entry: unknown) => {
    const path = isFields(entry)
      ? typeof entry.path === 'string'
        ? entry.path
        : filePath(entry.uri)
      : null;
    if (path === null) return [];
    return [path.startsWith('/') || /^[A-Za-z]:/.test(path) ? path : `${base}/${path}`];
  });
  return { roots, file: document === undefined ? null : inside };
}

function filePath(uri: unknown): string | null {
  if (typeof uri !== 'string' || !uri.startsWith('file://')) return null;
  try {
    const path = decodeURIComponent(new URL(uri).pathname);
    return path.replace(/^\/([A-Za-z]:)/, '$1');
  } catch {
    // No address of a file: no project of this device.
    return null;
  }
}
