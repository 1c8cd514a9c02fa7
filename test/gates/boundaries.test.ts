// Shows that the gate of module boundaries fails: .dependency-cruiser.cjs runs once over a clean planted tree, and once over
// the same tree with a planted file for each fault.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tooFewModules } from '../../scripts/check.ts';
import { ROOT, withPlanted } from './planted.ts';

const DEVICES = 'hub/src/features/devices';
const HOUSE = {
  'shared/names.ts': 'export const fold = 1;\n',
  'agent/src/core.ts':
    "import { fold } from '../../shared/names.ts';\n\nexport const core = fold;\n",
  'hub/src/platform/log.ts': 'export const log = 1;\n',
  'hub/src/platform/audit.ts': 'export interface Entry {\n  at: string;\n}\n',
  [`${DEVICES}/inventory/store.ts`]: 'export const store = 1;\n',
  [`${DEVICES}/inventory/index.ts`]: "export { store as list } from './store.ts';\n",
  [`${DEVICES}/overrides/index.ts`]:
    "import { log } from '../../../platform/log.ts';\nimport { list } from '../inventory/index.ts';\n\nexport const rules = [log, list];\n",
  'hub/src/features/people/tenants/index.ts': 'export const tenants = 1;\n',
  'hub/src/app/server.ts':
    "import { rules } from '../features/devices/overrides/index.ts';\n\nexport const server = rules;\n",
  'hub/console/src/main.tsx':
    "import { fold } from '../../../shared/names.ts';\n\nexport const page = <b>{fold}</b>;\n",
};

function cruise(files: Record<string, string>) {
  return withPlanted({ ...HOUSE, ...files }, (planted) =>
    planted.run(
      'depcruise',
      '--config',
      join(ROOT, '.dependency-cruiser.cjs'),
      ...['shared', 'agent', 'hub'],
    ),
  );
}

test('passes a clean tree, and reads each of its files', () => {
  const { code, output } = cruise({});
  expect(output).toContain(`no dependency violations found (${Object.keys(HOUSE).length} modules`);
  expect(code).toBe(0);
});

const importing = (path: string) =>
  `import * as target from '${path}';\n\nexport const used = target;\n`;

/** Fault, planted file, its text, and the rule that must name the file. */
const FAULTS: readonly [fault: string, path: string, text: string, rule: string][] = [
  ['hub → agent', 'hub/src/bad.ts', importing('../../agent/src/core.ts'), 'hub-not-to-agent'],
  [
    'agent → hub',
    'agent/src/bad.ts',
    importing('../../hub/src/platform/log.ts'),
    'agent-and-hub-are-strangers',
  ],
  [
    'agent → hub for a type only',
    'agent/src/bad-type.ts',
    "import type { Entry } from '../../hub/src/platform/audit.ts';\n\nexport type Copy = Entry;\n",
    'agent-and-hub-are-strangers',
  ],
  [
    'shared → agent',
    'shared/bad.ts',
    importing('../agent/src/core.ts'),
    'shared-imports-nothing-of-ours',
  ],
  [
    'console → hub',
    'hub/console/src/bad.tsx',
    importing('../../src/platform/log.ts'),
    'console-only-shared',
  ],
  [
    "feature → another feature's store",
    `${DEVICES}/alerts/bad.ts`,
    importing('../inventory/store.ts'),
    'features-only-through-index',
  ],
  [
    "composition → a feature's store",
    'hub/src/app/routes.ts',
    importing('../features/devices/inventory/store.ts'),
    'composition-only-through-index',
  ],
  [
    'platform → feature',
    'hub/src/platform/bad.ts',
    importing('../features/devices/inventory/index.ts'),
    'platform-knows-no-feature',
  ],
  [
    'feature → composition',
    `${DEVICES}/overrides/bad-upwards.ts`,
    importing('../../../app/server.ts'),
    'features-know-no-composition',
  ],
  [
    'inventory → overrides',
    `${DEVICES}/inventory/bad.ts`,
    importing('../overrides/index.ts'),
    'devices-only-downwards',
  ],
  [
    'people → devices',
    'hub/src/features/people/tenants/bad.ts',
    importing('../../devices/inventory/index.ts'),
    'wing-people-only-downwards',
  ],
  ['product → test', 'shared/bad-test.ts', importing('./planted.test.ts'), 'no-test-in-product'],
  ['import cycle', 'hub/src/platform/a.ts', importing('./b.ts'), 'no-circular'],
];

describe('a tree with planted faults', () => {
  let result: ReturnType<typeof cruise>;
  beforeAll(() => {
    result = cruise({
      ...Object.fromEntries(FAULTS.map(([, path, text]) => [path, text])),
      'shared/planted.test.ts': 'export const planted = 1;\n',
      'hub/src/platform/b.ts': importing('./a.ts'),
    });
  });

  test('fails', () => {
    expect(result.code).toBeGreaterThan(0);
  });

  test.each(FAULTS)('names the rule and the file of %s', (_fault, path, _text, rule) => {
    expect(result.output).toContain(`error ${rule}: ${path} → `);
  });
});

test('refuses a run that read only a part of the tree', () => {
  expect(tooFewModules('no dependency violations found (12 modules, 3 dependencies cruised)')).toBe(
    'only 12 modules were read, at least 150 are expected',
  );
  expect(tooFewModules('')).toContain('only 0 modules');
  expect(tooFewModules('found (300 modules, 1408 dependencies cruised)')).toBeNull();
});
