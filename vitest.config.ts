// Three projects: unit (pure and single-process), integration (embedded PostgreSQL, real HTTP, real SQLite), browser (Chromium).
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,agent,hub,scripts,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts', 'test/{browser,e2e,long}/**'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{agent,hub,test}/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/{browser,e2e}/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
