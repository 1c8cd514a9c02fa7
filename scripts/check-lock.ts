// Validates the lock file: packages of the npm registry only, each with an integrity hash, and install scripts of
// listed packages only. `npm audit` needs a server and runs separately.
export interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: boolean;
}

const REGISTRY = 'https://registry.npmjs.org/';

function integrityProblems({ integrity, optional, os, cpu }: LockEntry): string[] {
  if (integrity === undefined) {
    // This registry has no packages of other platforms to hash (scripts/complete-lock.ts).
    const isOtherPlatform = optional === true && (os ?? cpu) !== undefined;
    return isOtherPlatform ? [] : ['has no integrity'];
  }
  const isSha512 = /^sha512-[\w+/]{86}==$/.test(integrity);
  return isSha512 ? [] : ['has an integrity that is not one SHA-512'];
}

/** Returns a line for each invalid entry. `scripts`: `allowScripts` of package.json. */
export function lockProblems(
  packages: Readonly<Record<string, LockEntry>>,
  scripts: Readonly<Record<string, boolean>>,
): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (!path.includes('node_modules/') || entry.link === true) return [];
    const problems: string[] = [];
    if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY)) {
      problems.push(`comes from ${entry.resolved}`);
    }
    if (!/^\d+\.\d+\.\d+/.test(entry.version ?? '')) problems.push('has no exact version');
    problems.push(...integrityProblems(entry));
    if (entry.hasInstallScript === true && scripts[name] === undefined) {
      problems.push('runs a script at install that package.json does not name');
    }
    return problems.map((problem) => `${path} ${problem}`);
  });
}
