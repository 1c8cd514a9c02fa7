// `npm test` runs unit, integration, components and browser in one invocation. `npm run test:extended` runs extended,
// browser-extended, windows and properties. `long` has figures to report (npm run long). `inside` serves files that run themselves
// again in a PID namespace of their own (agent/test/namespace.ts).
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { propertySeed } from './test/support/property-runs.ts';

const POSTGRES = 'test/support/postgres.ts';
const PAGES = 'test/support/built-pages.ts';
const INTEGRATION = '{agent,hub,gateway,test}/**/*.integration.test.ts';
const EXTENDED = '{agent,hub,gateway,test}/**/*.extended.test.ts';
const SLOW_TIMEOUT_MS = 300_000;

/** Files with properties run a second time in the extended suite, at their full size. */
const PROPERTIES = globSync('{shared,collector,agent,hub,gateway,scripts,test}/**/*.test.ts', {
  exclude: (path) => path.includes('node_modules'),
}).filter(
  (file) =>
    !/\.extended\.|^test\/(browser|e2e|long|windows)\//.test(file) &&
    /fast-check|property-runs/.test(readFileSync(file, 'utf8')),
);

/** Temporary folders in memory, where scripts/check.ts found room; agents that act keep to the disk. */
const scratch = process.env.GATEWARDEN_TEST_SCRATCH;
const inMemory: Record<string, string> =
  scratch === undefined ? {} : { TMPDIR: scratch, GATEWARDEN_TEST_DISK: tmpdir() };

function project(
  name: string,
  include: string[],
  test: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude: ['**/node_modules/**'],
      setupFiles: ['test/support/property-setup.ts'],
      testTimeout: SLOW_TIMEOUT_MS,
      hookTimeout: SLOW_TIMEOUT_MS,
      // A loaded machine may take its time for an awaited event: no test asserts a duration.
      expect: { poll: { timeout: 60_000 } },
      ...test,
      env: { GATEWARDEN_PROPERTY_SEED: String(propertySeed()), ...test.env },
    },
  };
}

export default defineConfig({
  test: {
    // More workers than cores, because tests mostly wait for a database, a process or a page.
    maxWorkers: 4,
    // Modules are loaded once for each worker: product modules keep no state that a test could depend on.
    isolate: false,
    projects: [
      project('unit', ['{shared,collector,agent,hub,gateway,scripts,test}/**/*.test.ts'], {
        exclude: [
          '**/node_modules/**',
          '**/*.{integration,extended}.test.ts',
          'test/{browser,e2e,long,windows}/**',
        ],
        env: inMemory,
      }),
      project('components', ['hub/console/src/**/*.component.test.tsx'], {
        environment: 'happy-dom',
        setupFiles: ['hub/console/src/testing/setup.ts'],
      }),
      project('integration', [INTEGRATION], { globalSetup: [POSTGRES], env: inMemory }),
      project('browser', ['test/browser/**/*.test.ts'], {
        exclude: ['**/*.extended.test.ts'],
        globalSetup: [POSTGRES, PAGES],
      }),
      project('extended', [EXTENDED], {
        exclude: ['**/node_modules/**', 'test/{browser,e2e}/**'],
        globalSetup: [POSTGRES],
        env: { ...inMemory, GATEWARDEN_TEST_SIZE: 'full' },
      }),
      project('browser-extended', ['test/{browser,e2e}/**/*.extended.test.ts'], {
        globalSetup: [POSTGRES, PAGES],
      }),
      project('properties', PROPERTIES, {
        globalSetup: [POSTGRES],
        env: { ...inMemory, GATEWARDEN_TEST_SIZE: 'full' },
      }),
      project('windows', ['test/windows/**/*.test.ts'], { globalSetup: [POSTGRES] }),
      project('long', ['test/long/**/*.test.ts'], {
        globalSetup: [POSTGRES, PAGES],
        fileParallelism: false,
      }),
      ...(process.env.GATEWARDEN_TEST_OUTSIDE === undefined
        ? []
        : [project('inside', [INTEGRATION, EXTENDED, 'test/long/**/*.test.ts'])]),
    ],
  },
});
