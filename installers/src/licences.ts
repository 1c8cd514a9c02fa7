// Collects the libraries of a package and their license texts from their own files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the text of the copyright file: Node, then each library of the agent with its license. */
export function licenceText(): string {
  const parts = [
    'Gatewarden agent',
    'Proprietary. It contains the following works of others, each under its own licence.',
    '',
    section('node', process.version.slice(1), 'MIT and others', nodeLicence()),
  ];
  for (const { name, version, licence, folder } of librariesOf('agent')) {
    parts.push(section(name, version, licence, licenceFile(folder)));
  }
  return `${parts.join('\n')}\n`;
}

export interface Library {
  name: string;
  version: string;
  licence: string;
  folder: string;
}

/**
 * The dependencies of a library as `name@version`. Workspaces are not libraries; their dependencies count as those of
 * their dependents.
 */
export type Needs = Map<string, readonly string[]>;

/** Returns all libraries that a workspace needs at run time, including transitive dependencies, sorted. */
export function librariesOf(workspace: string): Library[] {
  return graphOf(workspace).libraries;
}

/** Returns the same libraries with their dependencies. `top`: the direct dependencies of the workspace. */
export function graphOf(workspace: string): {
  libraries: Library[];
  top: readonly string[];
  needs: Needs;
} {
  const found = new Map<string, Library>();
  const needs: Needs = new Map();
  /** Keyed by manifest, because workspaces may depend on each other. */
  const ours = new Map<string, readonly string[]>();
  const visitWorkspace = (file: string): readonly string[] => {
    if (!ours.has(file)) {
      ours.set(file, []);
      ours.set(file, visit(file));
    }
    return ours.get(file) ?? [];
  };
  const visit = (manifestFile: string): readonly string[] => {
    const all = new Set<string>();
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
    const find = createRequire(manifestFile);
    const wanted = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    for (const name of wanted) {
      const file = manifestOf(find, name);
      // Optional dependencies of other platforms are not installed.
      if (file === null) continue;
      const library = JSON.parse(readFileSync(file, 'utf8'));
      const key = `${name}@${library.version}`;
      if (name.startsWith('@gatewarden/')) {
        for (const need of visitWorkspace(file)) all.add(need);
        continue;
      }
      all.add(key);
      if (found.has(key)) continue;
      const { version, license } = library;
      found.set(key, { name, version, licence: String(license), folder: dirname(file) });
      needs.set(key, visit(file));
    }
    return [...all].sort();
  };
  const top = visit(join(ROOT, workspace, 'package.json'));
  const libraries = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { libraries, top, needs };
}

/** Walks up the folders like Node's resolution, because `exports` of a package may omit its manifest. */
function manifestOf(find: NodeJS.Require, name: string): string | null {
  for (const folder of find.resolve.paths(name) ?? []) {
    const file = join(folder, name, 'package.json');
    if (existsSync(file)) return file;
  }
  return null;
}

function nodeLicence(): string {
  const file = join(dirname(process.execPath), '../LICENSE');
  return existsSync(file) ? readFileSync(file, 'utf8') : 'See https://github.com/nodejs/node';
}

function licenceFile(folder: string): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  return name === undefined ? 'As named above.' : readFileSync(join(folder, name), 'utf8');
}

function section(name: string, version: string, licence: string, text: string): string {
  return `${'-'.repeat(72)}\n${name} ${version} (${licence})\n\n${text.trim()}\n`;
}
