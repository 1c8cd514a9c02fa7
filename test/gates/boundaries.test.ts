// Shows that the gate of module boundaries fails: .dependency-cruiser.cjs runs once over a clean planted tree, and once over
// the same tree with planted imports for each rule. The imports are generated from the paths of the rules, so that a new rule
// or a new folder in a rule is planted, too.
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tooFewModules } from '../../scripts/check.ts';
import { ROOT, withPlanted } from './planted.ts';

interface Rule {
  name: string;
  from: { path?: string; pathNot?: string | string[] };
  to: { path?: string; pathNot?: string | string[]; circular?: boolean };
}

const { forbidden: RULES } = createRequire(import.meta.url)(
  join(ROOT, '.dependency-cruiser.cjs'),
) as { forbidden: Rule[] };

const FEATURES = 'hub/src/features';
const CLEAN = {
  'shared/names.ts': 'export const fold = 1;\n',
  'agent/src/core.ts':
    "import { fold } from '../../shared/names.ts';\n\nexport const core = fold;\n",
  'hub/src/platform/log.ts': 'export const log = 1;\n',
  [`${FEATURES}/devices/inventory/store.ts`]: 'export const store = 1;\n',
  [`${FEATURES}/devices/inventory/index.ts`]: "export { store as list } from './store.ts';\n",
  [`${FEATURES}/devices/overrides/index.ts`]:
    "import { log } from '../../../platform/log.ts';\nimport { list } from '../inventory/index.ts';\n\nexport const rules = [log, list];\n",
  [`${FEATURES}/people/tenants/index.ts`]: 'export const tenants = 1;\n',
  'hub/src/app/server.ts':
    "import { rules } from '../features/devices/overrides/index.ts';\n\nexport const server = rules;\n",
  'hub/console/src/main.tsx':
    "import { fold } from '../../../shared/names.ts';\n\nexport const page = <b>{fold}</b>;\n",
};

function cruise(files: Record<string, string>) {
  return withPlanted({ ...CLEAN, ...files }, (planted) =>
    planted.run(
      'depcruise',
      '--config',
      join(ROOT, '.dependency-cruiser.cjs'),
      ...['shared', 'client', 'collector', 'agent', 'hub', 'gateway', 'installers'],
    ),
  );
}

test('passes a clean tree, and reads each of its files', () => {
  const { code, output } = cruise({
    ...Object.fromEntries(
      ['client', 'collector', 'gateway', 'installers'].map((folder) => [
        `${folder}/main.ts`,
        'export const main = 1;\n',
      ]),
    ),
  });
  expect(output).toContain(
    `no dependency violations found (${Object.keys(CLEAN).length + 4} modules`,
  );
  expect(code).toBe(0);
});

/** An import between two paths that a rule forbids. */
type PlantedImport = readonly [from: string, to: string];

/** Two files that import each other; a cycle is reported once. */
const CYCLE = ['hub/src/platform/a.ts', 'hub/src/platform/b.ts'] as const;

/** Rules whose paths are not a plain list of folders, with their forbidden imports. */
const EXPLICIT: Readonly<Record<string, readonly PlantedImport[]>> = {
  'no-circular': [[...CYCLE]],
  'features-only-through-index': [
    [`${FEATURES}/devices/governance/import-0.ts`, `${FEATURES}/devices/inventory/store.ts`],
    [`${FEATURES}/console/search/import-0.ts`, `${FEATURES}/people/tenants/store.ts`],
  ],
  'no-test-in-product': [
    ['shared/import-0.ts', 'shared/planted.test.ts'],
    ['hub/src/import-0.ts', 'test/support/target.ts'],
    ['hub/console/src/import-0.tsx', 'hub/console/src/testing/target.ts'],
    ['hub/console/src/import-0.tsx', 'hub/console/src/devices/testing-rows.ts'],
  ],
};

/** Returns the paths that a pattern names: `^(a|b)/` is `a/` and `b/`, and any name is `planted`. */
function expandPattern(pattern: string): string[] {
  const plain = pattern
    .replaceAll(/^\^|\$$/g, '')
    .replaceAll('[^/]+', 'planted')
    .replaceAll('.+', 'planted')
    .replaceAll('\\.', '.');
  const group = /\(([^()]*)\)/.exec(plain);
  if (group === null) return [plain];
  return (group[1] ?? '')
    .split('|')
    .flatMap((name) => expandPattern(plain.replace(group[0], name)));
}

/** Returns a file at the path: a folder gets the file `name`, a path without extension becomes a TypeScript file. */
function fileAt(path: string, name: string): string {
  if (path.endsWith('/')) return `${path}${name}`;
  return path.endsWith('.ts') ? path : `${path}.ts`;
}

const isExempt = (path: string, pathNot: string | string[] = []) =>
  [pathNot].flat().some((pattern) => new RegExp(pattern).test(path));

const WINGS = RULES.flatMap(({ name }) => /^wing-(\w+)-/.exec(name)?.[1] ?? []);

function plantedImports({ name, from, to }: Rule): readonly PlantedImport[] {
  const explicit = EXPLICIT[name];
  if (explicit !== undefined) return explicit;
  const folders = name.startsWith('wing-')
    ? WINGS.map((wing) => `${FEATURES}/${wing}/planted/`)
    : expandPattern(to.path ?? '');
  const targets = folders
    .map((folder) => fileAt(folder, name.startsWith('wing-') ? 'index.ts' : 'target.ts'))
    .filter((target) => !isExempt(target, to.pathNot));
  return expandPattern(from.path ?? '').flatMap((folder) =>
    targets.map((target, i) => [fileAt(folder, `import-${i}.ts`), target] as const),
  );
}

/** Rule by rule: every planted import that must be reported. */
const PLANTED = RULES.map((rule) => [rule.name, plantedImports(rule)] as const);

/** Returns the text of a file that imports the targets; even targets import types only. */
function textWithImports(path: string, targets: readonly string[]): string {
  const lines = targets.map((target, i) => {
    const specifier = relative(dirname(path), target);
    const form = i % 2 === 1 ? 'import type * as' : 'import * as';
    return `${form} target${i} from '${specifier.startsWith('.') ? specifier : `./${specifier}`}';`;
  });
  const uses = targets.map((_, i) => `export type Use${i} = typeof target${i};`);
  return `${[...lines, ...uses].join('\n')}\nexport const target = 1;\n`;
}

test('plants an import for each rule, in each of its folders', () => {
  expect(PLANTED.filter(([, imports]) => imports.length === 0)).toEqual([]);
  const folders = PLANTED.flatMap(([, imports]) => imports.map(([from]) => from.split('/')[0]));
  expect([...new Set(folders)].sort()).toEqual(
    ['agent', 'client', 'collector', 'hub', 'gateway', 'installers', 'shared'].sort(),
  );
});

describe('a tree with planted imports', () => {
  let result: ReturnType<typeof cruise>;
  beforeAll(() => {
    const imports = new Map<string, string[]>([[CYCLE[1], [CYCLE[0]]]]);
    for (const [from, to] of PLANTED.flatMap(([, pairs]) => pairs)) {
      imports.set(from, [...(imports.get(from) ?? []), to]);
      imports.set(to, imports.get(to) ?? []);
    }
    result = cruise(
      Object.fromEntries(
        [...imports].map(([path, targets]) => [path, textWithImports(path, targets)]),
      ),
    );
  });

  test('fails', () => {
    expect(result.code).toBeGreaterThan(0);
  });

  test.each(PLANTED)('reports each planted import that %s forbids', (rule, imports) => {
    // A cycle is printed over several lines.
    const output = result.output.replaceAll(/\s+/g, ' ');
    const missing = imports.filter(
      ([from, to]) => !output.includes(`error ${rule}: ${from} → ${to}`),
    );
    expect(missing).toEqual([]);
  });
});

test('refuses a run that read only a part of the tree', () => {
  expect(tooFewModules('no dependency violations found (12 modules, 3 dependencies cruised)')).toBe(
    'only 12 modules were read, at least 150 are expected',
  );
  expect(tooFewModules('')).toContain('only 0 modules');
  expect(tooFewModules('found (300 modules, 1408 dependencies cruised)')).toBeNull();
});
