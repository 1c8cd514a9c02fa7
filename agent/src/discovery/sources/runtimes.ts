// Node and Python as version managers install them: an entity for each runtime, with an instance for each version.
import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import {
  NODE_MANAGERS,
  PYTHON_MANAGERS,
  type VersionManager,
  versionFolders,
} from './lib/version-managers.ts';

interface Runtime {
  key: string;
  name: string;
  managers: readonly VersionManager[];
  programs: readonly string[];
  windowsPrograms: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  {
    ...{ key: 'node', name: 'Node.js', managers: NODE_MANAGERS },
    programs: ['bin/node'],
    windowsPrograms: ['node.exe'],
  },
  {
    ...{ key: 'python', name: 'Python', managers: PYTHON_MANAGERS },
    programs: ['bin/python3', 'bin/python', 'bin/pypy3'],
    windowsPrograms: ['python.exe'],
  },
];
const VERSION =
  /(?:^|[-_@v])(\d{1,4}\.\d{1,4}(?:\.\d{1,6})?(?:(?:a|b|rc|-rc\.?|-beta\.?)\d{1,3})?)/;

export const runtimes: Source = {
  name: 'runtime',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    for (const runtime of RUNTIMES) yield* findRuntimes(fs, runtime);
  },
};

async function* findRuntimes(fs: ScopedFs, runtime: Runtime): AsyncGenerator<Discovered> {
  const isWindows = fs.platform === 'win32';
  const programs = isWindows ? runtime.windowsPrograms : runtime.programs;
  const seen = new Set<string>();
  for (const manager of runtime.managers) {
    const patterns = versionFolders(manager, { isWindows, ofMachine: fs.owner === null });
    for (const pattern of patterns.flatMap((path) => placesOf(fs.platform, path))) {
      for (const folder of fs.expand(pattern)) {
        await fs.yieldToEventLoop();
        const real = programIn(fs, folder, programs);
        // Managers link `lts` and `22` to whole versions.
        if (real === null || seen.has(real)) continue;
        seen.add(real);
        yield describeRuntime(fs, { runtime, manager: manager.name, folder, real });
      }
    }
  }
}

function programIn(fs: ScopedFs, folder: string, programs: readonly string[]): string | null {
  for (const program of programs) {
    const path = `${folder}/${program}`;
    const real = fs.has(path) ? fs.executable(path) : null;
    // A virtual environment's program is a link to another runtime.
    if (real !== null && (fs.owner === null || fs.locate(real) !== null)) return real;
  }
  return null;
}

function describeRuntime(
  fs: ScopedFs,
  at: { runtime: Runtime; manager: string; folder: string; real: string },
): Discovered {
  const { runtime, manager, folder, real } = at;
  return {
    kind: 'package',
    key: runtime.key,
    name: runtime.name,
    version: versionOf(fs, runtime, folder),
    path: fs.toMachinePath(folder),
    executables: [real],
    installedAt: fs.changedAt(folder),
    details: { type: 'runtime', managers: [manager] },
  };
}

/** Returns the version in conda's record, else the last directory name that looks like a version. */
function versionOf(fs: ScopedFs, { key }: Runtime, folder: string): string | null {
  const record = fs.names(`${folder}/conda-meta`).find((name) => recordOf(key).test(name));
  const recorded = record === undefined ? null : (recordOf(key).exec(record)?.[1] ?? null);
  if (recorded !== null) return recorded;
  const named = folder
    .split('/')
    .slice(-3)
    .findLast((segment) => VERSION.test(segment));
  return named === undefined ? null : (VERSION.exec(named)?.[1] ?? null);
}

const recordOf = (key: string): RegExp =>
  key === 'node' ? /^nodejs-(\d[\w.]*)-[^-]+\.json$/ : /^python-(\d[\w.]*)-[^-]+\.json$/;
