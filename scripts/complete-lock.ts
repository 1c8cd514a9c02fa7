// Completes package-lock.json after an `npm install` against a registry that mirrors only some platforms: npm omits the
// optional packages of other platforms, and `npm ci` then rejects the lock file. The added entries have the exact
// versions that their parents require; npm fetches and installs them on their own platforms.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK = join(import.meta.dirname, '../package-lock.json');
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/**
 * Returns the platform packages that packages of the lock file require and the lock file lacks, with the platform from
 * their names.
 */
export function missingPlatformPackages(packages: Record<string, Entry>): Record<string, Entry> {
  const missing: Record<string, Entry> = {};
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const isListed = Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
      const words = name.split(/[/-]/);
      const os = SYSTEMS.find((system) => words.includes(system));
      const cpu = PROCESSORS.find((processor) => words.includes(processor));
      if (isListed || os === undefined || cpu === undefined || !/^\d/.test(version)) continue;
      const libc = libcOf(words);
      missing[`node_modules/${name}`] = {
        version,
        cpu: [cpu],
        ...(parent.dev === true ? { dev: true } : {}),
        ...(libc === null ? {} : { libc }),
        optional: true,
        os: [os],
      };
    }
  }
  return missing;
}

function libcOf(words: readonly string[]): string[] | null {
  if (words.some((word) => word.startsWith('musl'))) return ['musl'];
  return words.some((word) => word.startsWith('gnu')) ? ['glibc'] : null;
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Entry> };
  const missing = missingPlatformPackages(lock.packages);
  const all = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${Object.keys(missing).length} platform packages added to the lock file\n`);
}
