// Node and Python as version managers install them: one entity for each runtime, with an instance for each version.
import { placesOf } from '../clients/path-tokens.ts';
import type { Discovered, Look, Source } from '../source-contract.ts';
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
  looksAt: ['machine', 'home'],
  async *discover(look) {
    for (const runtime of RUNTIMES) yield* findRuntimes(look, runtime);
  },
};

async function* findRuntimes(look: Look, runtime: Runtime): AsyncGenerator<Discovered> {
  const isWindows = look.platform === 'win32';
  const programs = isWindows ? runtime.windowsPrograms : runtime.programs;
  const seen = new Set<string>();
  for (const manager of runtime.managers) {
    const patterns = versionFolders(manager, { isWindows, ofMachine: look.owner === null });
    for (const pattern of patterns.flatMap((path) => placesOf(look.platform, path))) {
      for (const folder of look.expand(pattern)) {
        await look.turn();
        const real = programIn(look, folder, programs);
        // Managers link `lts` and `22` to whole versions.
        if (real === null || seen.has(real)) continue;
        seen.add(real);
        yield describeRuntime(look, { runtime, manager: manager.name, folder, real });
      }
    }
  }
}

function programIn(look: Look, folder: string, programs: readonly string[]): string | null {
  for (const program of programs) {
    const path = `${folder}/${program}`;
    const real = look.has(path) ? look.executable(path) : null;
    // A virtual environment's program is a link to another runtime.
    if (real !== null && (look.owner === null || look.locate(real) !== null)) return real;
  }
  return null;
}

function describeRuntime(
  look: Look,
  at: { runtime: Runtime; manager: string; folder: string; real: string },
): Discovered {
  const { runtime, manager, folder, real } = at;
  return {
    kind: 'package',
    key: runtime.key,
    name: runtime.name,
    version: versionOf(look, runtime, folder),
    path: look.shown(folder),
    executables: [real],
    installedAt: look.changedAt(folder),
    details: { type: 'runtime', managers: [manager] },
  };
}

/** Returns the version in conda's record, else the last directory name that looks like a version. */
function versionOf(look: Look, { key }: Runtime, folder: string): string | null {
  const record = look.names(`${folder}/conda-meta`).find((name) => recordOf(key).test(name));
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
