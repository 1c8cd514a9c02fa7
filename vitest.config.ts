// The projects: unit (pure and single-process), components (parts of the console in happy-dom), integration (embedded
// PostgreSQL, real HTTP, real SQLite), browser (Chromium).
// Long runs with figures to report are one of their own (npm run long); another is for files that run themselves again in a PID namespace of their own (agent/test/namespace.ts).
import { defineConfig } from 'vitest/config';

// What is awaited comes at once on a calm machine; a loaded one may take its time, and no test asserts a duration.
const PATIENCE = { timeout: 60_000 };

export default defineConfig({
  test: {
    // More than cores: much of what tests do is to wait for a database, a process or a page.
    maxWorkers: 4,
    // Modules are loaded once for each worker: nothing of ours keeps state in them that a test could trip over.
    isolate: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,collector,agent,hub,scripts,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts', 'test/{browser,e2e,long}/**'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'components',
          include: ['hub/console/src/**/*.component.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['hub/console/src/testing/setup.ts'],
          // The process is shared by the files, as in the other projects; the setup file clears the document after each test.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{agent,hub,test}/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: PATIENCE },
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts', 'test/support/built-pages.ts'],
          fileParallelism: false,
        },
      },
      ...(process.env.GATEWARDEN_TEST_OUTSIDE === undefined
        ? []
        : [
            {
              test: {
                name: 'inside',
                include: ['agent/**/*.integration.test.ts', 'test/long/**/*.test.ts'],
                testTimeout: 300_000,
              },
            },
          ]),
      {
        test: {
          name: 'browser',
          include: ['test/{browser,e2e}/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts', 'test/support/built-pages.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: PATIENCE },
        },
      },
    ],
  },
});
