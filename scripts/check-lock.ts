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
    // This registry has no packages of other platforms to hash (scripts/complete-lock.ts).
    const isOtherPlatform = entry.optional === true && (entry.os ?? entry.cpu) !== undefined;
    if (entry.integrity === undefined && !isOtherPlatform) problems.push('has no integrity');
    if (entry.integrity !== undefined && !/^sha512-[\w+/]{86}==$/.test(entry.integrity)) {
      problems.push('has an integrity that is not one SHA-512');
    }
    if (entry.hasInstallScript === true && scripts[name] === undefined) {
      problems.push('runs a script at install that package.json does not name');
    }
    return problems.map((problem) => `${path} ${problem}`);
  });
}
