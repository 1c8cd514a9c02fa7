// Functions of more than 80 lines or a cognitive complexity above 15, by file: Biome measures, a budget remembers.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(import.meta.dirname, 'function-size.biome.json');
const FOLDERS = [
  'agent',
  'benchmarks',
  'client',
  'collector',
  'gateway',
  'hub',
  'installers',
  'scripts',
  'shared',
  'test',
];

/** Values above the limit by measure and file, largest first. */
export type FunctionSizes = Record<'lines' | 'complexity', Record<string, number[]>>;

interface Diagnostic {
  category: string;
  message: string;
  location: { path: string };
}

/** Measures a checkout. `folders` are below `root`. */
export function measureFunctions(root = ROOT, folders: readonly string[] = FOLDERS): FunctionSizes {
  const options = ['--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false'];
  const ended = spawnSync(
    join(ROOT, 'node_modules/.bin/biome'),
    ['lint', `--config-path=${CONFIG}`, ...options, ...folders],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const report = JSON.parse(ended.stdout.slice(ended.stdout.indexOf('{'))) as {
    diagnostics: Diagnostic[];
  };
  const sizes: FunctionSizes = { lines: {}, complexity: {} };
  for (const { category, message, location } of report.diagnostics) {
    const of = category.endsWith('noExcessiveLinesPerFunction') ? sizes.lines : sizes.complexity;
    const value = Number(/\((\d+)\)|complexity of (\d+)/.exec(message)?.slice(1).find(Boolean));
    const values = of[location.path] ?? [];
    of[location.path] = [...values, value].sort((a, b) => b - a);
  }
  return sizes;
}

/** Returns a line for each file in which a function grew, or another function passed a limit. */
export function functionsGrown(measured: FunctionSizes, budget: FunctionSizes): string[] {
  return (['lines', 'complexity'] as const).flatMap((measure) =>
    Object.entries(measured[measure]).flatMap(([file, values]) => {
      const allowed = budget[measure][file] ?? [];
      const isGrown = values.some((value, i) => value > (allowed[i] ?? 0));
      return isGrown
        ? [`${file}: ${measure} ${values.join(', ')} (budget: ${allowed.join(', ') || 'none'})`]
        : [];
    }),
  );
}
