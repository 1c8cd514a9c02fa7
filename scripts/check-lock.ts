// What the lock file may hold: packages of the npm registry, each bound to its bytes, and install scripts of named packages
// only. `npm audit` asks a server: where there is a network, run it beside this.
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

/** One line for each entry that is not as it must be. `scripts`: `allowScripts` of package.json. */
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
    // Of other platforms' parts the registry here has no bytes to hash (scripts/complete-lock.ts).
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
