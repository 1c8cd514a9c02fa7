// Finds the project of a relative launch from its working directory: manifest name, repository URL or directory name.
import { basename, dirname, join } from 'node:path/posix';
import { showWord } from '../redaction/argument-allowlist.ts';
import { redactUrl } from '../redaction/url-redaction.ts';
import type { ScopedFs } from '../source-contract.ts';
import { loadToml } from '../sources/lib/format-libraries.ts';
import { hasPlaceholder } from '../sources/lib/placeholders.ts';
import type { Project } from './identity.ts';
import { placeOf } from './names.ts';
import { isFields, lookUp } from './servers.ts';
import { projectPath } from './target.ts';

const MAX_MANIFEST = 256 * 1024;
/** Folders above the launch's own in which a manifest or a repository may be. */
const MAX_DEPTH = 6;

/** Manifests, and the fields with the project's name. The first name decides. */
const MANIFESTS: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['.claude-plugin/plugin.json', ['name']],
  ['.cursor-plugin/plugin.json', ['name']],
  ['.codex-plugin/plugin.json', ['name']],
  ['gemini-extension.json', ['name']],
  ['package.json', ['name']],
  ['pyproject.toml', ['project.name', 'tool.poetry.name']],
  ['Cargo.toml', ['package.name']],
  ['composer.json', ['name']],
  ['deno.json', ['name']],
];
/** Manifests of other formats: the name behind a word of theirs. */
const NAMED_LINES: readonly (readonly [file: string, name: RegExp])[] = [
  ['go.mod', /^module\s+(\S+)/m],
  ['setup.cfg', /^name\s*=\s*(\S+)/m],
  ['mix.exs', /\bapp:\s*:(\w+)/],
  ['pom.xml', /<artifactId>([\w.-]+)<\/artifactId>/],
  ['settings.gradle', /rootProject\.name\s*=\s*['"]([\w.-]+)['"]/],
];

/**
 * Finds the project of a launch. `root`: the folder of the configuration's project, as a path of the look; null where the
 * configuration is a person's or the machine's. `directory`: the folder that the launch names.
 */
export async function findProject(
  fs: ScopedFs,
  root: string | null,
  directory: string | null,
): Promise<Project | null> {
  const folder = locateFolder(fs, root, directory);
  if (folder === null) return directory === null ? null : unknownFolder(directory);
  // Without a manifest or a repository, the directory of the configuration is the root of the project.
  const base = root !== null && folder.startsWith(`${root}/`) ? root : folder;
  return fs.computeOnce(`project:${base}:${folder}`, () => readProject(fs, folder, base));
}

/** The launch's folder as a path of the look; null where it lies elsewhere. */
function locateFolder(fs: ScopedFs, root: string | null, directory: string | null): string | null {
  if (directory === null) return root;
  const below = projectPath(directory);
  if (below !== null) return root === null ? null : join(root, below);
  if (hasPlaceholder(directory)) return null;
  if (fs.owner !== null && /^~([\\/]|$)/.test(directory)) {
    return join('.', directory.slice(1).replaceAll('\\', '/'));
  }
  return fs.locate(directory);
}

/** A folder that cannot be read is known by its name only. */
function unknownFolder(directory: string): Project {
  const name = hasPlaceholder(directory)
    ? directory
    : basename(directory.replaceAll('\\', '/').replace(/\/+$/, ''));
  return { key: `folder:${name}`, name: showWord(name), folder: null };
}

async function readProject(fs: ScopedFs, folder: string, base: string): Promise<Project> {
  const shownFolder = fs.toMachinePath(folder);
  const own = basename(shownFolder.replaceAll('\\', '/'));
  let at = folder;
  for (let depth = 0; depth < MAX_DEPTH && !/^(\.|\/|\.\.(\/.*)?)$/.test(at); depth++) {
    const name = (await readManifestName(fs, at)) ?? readRepository(fs, at);
    if (name !== null) {
      return { key: name + folder.slice(at.length), name: showWord(own), folder: shownFolder };
    }
    at = dirname(at);
  }
  const name = basename(fs.toMachinePath(base).replaceAll('\\', '/')) + folder.slice(base.length);
  return { key: `folder:${name}`, name: showWord(own), folder: shownFolder };
}

async function readManifestName(fs: ScopedFs, folder: string): Promise<string | null> {
  const names = new Set(fs.names(folder));
  for (const [file, fields] of MANIFESTS) {
    if (!names.has(file.split('/', 1)[0] ?? '')) continue;
    const document = await readManifest(fs, join(folder, file));
    const name = isFields(document) ? nameIn(document, fields) : null;
    if (name !== null) return `${kindOf(file)}:${name}`;
  }
  for (const [file, pattern] of NAMED_LINES) {
    const text = names.has(file) ? fs.text(join(folder, file), MAX_MANIFEST) : null;
    const name = pattern.exec(text ?? '')?.[1];
    if (name !== undefined) return `${file}:${name}`;
  }
  return null;
}

function nameIn(document: Record<string, unknown>, fields: readonly string[]): string | null {
  const names = fields.map((field) => lookUp(document, field));
  const name = names.find((name) => typeof name === 'string' && name.trim() !== '');
  return typeof name === 'string' ? name.trim() : null;
}

const kindOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

/** A manifest that does not parse is no problem of discovery: the project has another name then. */
async function readManifest(fs: ScopedFs, path: string): Promise<unknown> {
  if (fs.kindOf(path) !== 'file') return null;
  const text = fs.text(path, MAX_MANIFEST);
  if (text === null) return null;
  try {
    return path.endsWith('.toml') ? (await loadToml()).parse(text) : JSON.parse(text);
  } catch {
    // Another tool's trouble, and its name is then the repository's or the folder's.
    return null;
  }
}

/** The folder in which a repository keeps its settings: a worktree names it in a file. */
function gitFolder(fs: ScopedFs, folder: string): string | null {
  const git = join(folder, '.git');
  if (fs.isRealFolder(git)) return git;
  if (fs.kindOf(git) !== 'file') return null;
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(fs.text(git, MAX_MANIFEST) ?? '')?.[1];
  if (named === undefined) return null;
  const own = named.startsWith('/') ? fs.locate(named) : join(folder, named);
  return own === null || own.startsWith('..') ? null : own.replace(/\/worktrees\/[^/]+$/, '');
}

/** Returns the host and path of the remote `origin`, without user info, so that every clone has the same result. */
function readRepository(fs: ScopedFs, folder: string): string | null {
  const git = gitFolder(fs, folder);
  const config = git === null ? null : fs.text(join(git, 'config'), MAX_MANIFEST);
  const url = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/ms.exec(config ?? '')?.[1];
  if (url === undefined) return null;
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/.exec(url) ?? [];
  const place =
    host === undefined ? placeOf(redactUrl(url, 'named')) : `${host.toLowerCase()}/${path}`;
  return `git:${place.replace(/\.git$/, '')}`;
}
